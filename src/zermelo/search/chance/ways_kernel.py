# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Part of a template: how many ways lead on from a state, whoever moves there."""

from zermelo.engine.vocabulary import CHANCE, HAS_CHANCES, actions, chances, np, part

NO_WEIGHTS = -1
TOLERANCE = 1e-9  # by how much weights that are not whole may miss 1


@part
def count_ways(state, who):
    """How many actions or outcomes there are, NO_WEIGHTS where those of chance are none; and what the weights add up to."""
    ways = np.int64(0)
    total = 0.0
    if not (HAS_CHANCES and who == CHANCE):
        for _ in actions(state):
            ways += 1
        return ways, total
    whole = True
    for _, weight in chances(state):
        if not weight >= 0.0:
            return np.int64(NO_WEIGHTS), total
        total += weight
        whole = whole and np.floor(weight) == weight
        ways += 1
    if not total > 0.0 or (not whole and abs(total - 1.0) > TOLERANCE):
        return np.int64(NO_WEIGHTS), total
    return ways, total
