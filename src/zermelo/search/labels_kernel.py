"""Part of a template: what the rules that only some kernels ask say about one state, for Python to look at and to compare."""

from zermelo.runtime.vocabulary import (
    HAS_CANONICAL,
    HAS_IMAGE,
    HAS_PASSED,
    HAS_QUIET,
    HAS_REST,
    KEY,
    WORDS,
    Ints,
    as_int,
    canonical,
    decode,
    encode,
    encode_key,
    entry,
    image,
    passed,
    quiet,
    rest,
)

# --- what `label` writes: the key, then
LABEL_QUIET = KEY
LABEL_SYMMETRY = KEY + 1
LABEL_IMAGE = KEY + 2  # of the action that was given
LABEL_TWIN = KEY + 3  # the canonical state
LABEL_PASSED = KEY + 3 + WORDS
LABEL_REST = KEY + 3 + 2 * WORDS
LABEL_LEAD = KEY + 3 + 3 * WORDS  # of the rest, in halves
LABEL = KEY + 4 + 3 * WORDS


@entry
def label(at: int, action: int, out: int, work: Ints) -> None:
    """Writes to work[out] … what there is to say about the state at work[at] and one of its actions."""
    state = decode(work, at)
    encode_key(state, work, out)
    if HAS_QUIET:
        work[out + LABEL_QUIET] = quiet(state)
    if HAS_CANONICAL:
        twin, symmetry = canonical(state)
        work[out + LABEL_SYMMETRY] = symmetry
        encode(twin, work, out + LABEL_TWIN)
        if HAS_IMAGE:
            work[out + LABEL_IMAGE] = image(action, symmetry)
    if HAS_PASSED:
        encode(passed(state), work, out + LABEL_PASSED)
    if HAS_REST:
        remaining, lead = rest(state)
        encode(remaining, work, out + LABEL_REST)
        work[out + LABEL_LEAD] = as_int(2.0 * lead)
