"""The farmer, the wolf, the goat and the cabbage; a move names who crosses, one or two."""
from itertools import chain
from zermelo import Game

EVERYBODY = frozenset(["farmer", "wolf", "goat", "cabbage"])
QUARRELS = [{"wolf", "goat"}, {"goat", "cabbage"}]


def safe(bank):
    return "farmer" in bank or not any(quarrel <= bank for quarrel in QUARRELS)


class Crossing(Game):
    players = 1
    repetition = "loss"

    def start(self):
        return EVERYBODY

    def player(self, near):
        return 0

    def actions(self, near):
        here = near if "farmer" in near else EVERYBODY - near
        alone = [("farmer",)]
        pairs = (("farmer", other) for other in sorted(here) if other != "farmer")
        for crew in chain(alone, pairs):
            after = self.result(near, crew)
            if safe(after) and safe(EVERYBODY - after):
                yield crew

    def result(self, near, crew):
        return near ^ frozenset(crew)

    def terminal(self, near):
        return not near

    def utility(self, near):
        return 0
