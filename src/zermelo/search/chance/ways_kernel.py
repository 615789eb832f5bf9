"""Part of a template: how many ways lead on from a state, whoever moves there."""

from zermelo.runtime.vocabulary import CHANCE, HAS_CHANCES, State, actions, chances, np, part

NO_WEIGHTS = -1
TOLERANCE = 1e-9  # by how much weights that are not whole may miss 1


@part
def count_ways(state: State, who: int) -> tuple[int, float]:
    """How many actions or outcomes there are, NO_WEIGHTS where those of chance are none; and what the weights add up to."""
    ways = 0
    total = 0.0
    if not (HAS_CHANCES and who == CHANCE):
        for _ in actions(state):
            ways += 1
        return ways, total
    whole = True
    for _, weight in chances(state):
        if not weight >= 0.0:
            return NO_WEIGHTS, total
        total += weight
        whole = whole and np.floor(weight) == weight
        ways += 1
    if not total > 0.0 or (not whole and abs(total - 1.0) > TOLERANCE):
        return NO_WEIGHTS, total
    return ways, total
