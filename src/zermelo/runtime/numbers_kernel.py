"""Part of a template: positions by number, as `zermelo.runtime.oracle.FieldCodes` numbers them.

`codes` is the address of what `FieldCodes.array` gives: the bits of each field, whether it may be negative, where its letters begin among
all letters (with one place more for the end), and the letters.
"""

from zermelo.runtime.vocabulary import FIELDS, Ints, State, as_int, list_fields, np, part, state_of_fields, word_at

NO_NUMBER = -1

SIGNED = 8 * FIELDS
ENDS = 16 * FIELDS
LETTERS = 24 * FIELDS + 8


@part
def code_of_field(value: int, field: int, codes: int) -> int:
    """The code of a field's value; NO_NUMBER for a letter that is not among its letters. Other codes are unsigned words."""
    first = word_at(codes + ENDS + 8 * field)
    last = word_at(codes + ENDS + 8 * field + 8)
    if first < last:
        code = NO_NUMBER
        for place in range(first, last):
            if word_at(codes + LETTERS + 8 * place) == value:
                code = place - first
        return code
    if word_at(codes + SIGNED + 8 * field) != 0:
        return (value << 1) ^ (value >> 63)
    return value


@part
def number_of_fields(state: State, row: Ints, at: int, codes: int) -> int:
    """The number of a state, NO_NUMBER where a field does not fit; row[at] … is room for FIELDS words, and keeps the fields.

    row[at + FIELDS] is then the first field that does not fit, so that room for one word more is needed.
    """
    list_fields(state, row, at)
    number = np.uint64(0)
    shift = np.uint64(0)
    for field in range(FIELDS):
        bits = word_at(codes + 8 * field)
        code = code_of_field(row[at + field], field, codes)
        if bits < 64 and np.uint64(code) >> np.uint64(bits) != np.uint64(0):
            row[at + FIELDS] = field
            return NO_NUMBER
        number |= np.uint64(code) << shift
        shift += np.uint64(bits)
    return as_int(number)


@part
def state_of_number(number: int, row: Ints, at: int, codes: int) -> State:
    """The state with this number; row[at] … is room for FIELDS words."""
    rest = np.uint64(number)
    for field in range(FIELDS):
        bits = np.uint64(word_at(codes + 8 * field))
        code = as_int(rest & ((np.uint64(1) << bits) - np.uint64(1)))
        first = word_at(codes + ENDS + 8 * field)
        if first < word_at(codes + ENDS + 8 * field + 8):
            row[at + field] = word_at(codes + LETTERS + 8 * (first + code))
        elif word_at(codes + SIGNED + 8 * field) != 0:
            row[at + field] = (code >> 1) ^ -(code & 1)
        else:
            row[at + field] = code
        rest >>= bits
    return state_of_fields(row, at)


@part
def hash_of_number(number: int, mask: int) -> int:
    """The slot at which the search for a number begins."""
    mark = np.uint64(number) * np.uint64(0x9E3779B97F4A7C15)
    return as_int((mark ^ mark >> np.uint64(32)) & np.uint64(mask))
