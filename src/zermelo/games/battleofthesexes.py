"""Battle of the sexes: two people want to spend the evening together, one rather at a fight, the other rather at the ballet.

Source: R. D. Luce and H. Raiffa, Games and Decisions (1957), section 5.3, with payoffs 2 and 1 for the evenings together and 0 apart.
"""

from zermelo.trees.matrix import Matrix

__all__ = ["BATTLE_OF_THE_SEXES"]

EVENINGS = ("fight", "ballet")

BATTLE_OF_THE_SEXES = Matrix.cells(
    [
        [(2, 1), (0, 0)],
        [(0, 0), (1, 2)],
    ],
    strategies=(EVENINGS, EVENINGS),
    title="Battle of the sexes",
)
