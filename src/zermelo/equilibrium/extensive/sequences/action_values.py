"""What every action is worth while everybody keeps to a profile of strategies, and how often its information set is reached."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zermelo.equilibrium.extensive.sequences.arrays import Arrays, Floats

__all__ = ["ActionValues", "action_values"]


@dataclass(frozen=True, eq=False)
class ActionValues:
    """Of one player. A set that the others never let happen has no values: they are not a number."""

    value: Floats  # [sequence] expected payoff of the action, given that its set is reached
    reach: Floats  # [set] probability that play comes through it


def action_values(arrays: Arrays, behaviours: Sequence[Floats]) -> list[ActionValues]:
    """[player] from behaviours, one array [sequence] a player."""
    from zermelo.equilibrium.extensive.regret import sparse_kernel as sparse_kernels

    plans = []
    for plex, behaviour in zip(arrays.plexes, behaviours, strict=True):
        plan = np.ones(plex.sequences)
        sparse_kernels.realize(0, plex.sets, plex.first, plex.count, plex.parent, behaviour, plan)
        plans.append(plan)
    found = []
    for player, plex in enumerate(arrays.plexes):
        leaves = arrays.leaves[:, player]
        happens = arrays.weights.copy()  # [leaf] probability of what chance and the others do
        for other, plan in enumerate(plans):
            if other != player:
                happens *= plan[arrays.leaves[:, other]]
        sums = []
        for weight in (happens * arrays.payoffs[:, player], happens):
            total: Floats = np.bincount(leaves, weight, plex.sequences).astype(np.float64)
            sparse_kernels.regrets_of_sets(
                0, plex.sets, plex.first, plex.count, plex.parent, behaviours[player], total, np.empty(plex.sets)
            )
            sums.append(total)
        payoff, chance = sums
        with np.errstate(invalid="ignore"):
            values = np.where(chance > 0, payoff / chance, np.nan)
        reach = plans[player][plex.parent] * (chance[plex.first] if plex.sets else np.zeros(0))
        found.append(ActionValues(values, reach))
    return found
