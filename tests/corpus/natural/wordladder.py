"""From COLD to WARM, one letter at a time, every word in the list; one player."""
from dataclasses import dataclass
from zermelo import Game

WORDS = set("COLD CORD CARD WARD WARM WORD WORM CORM FORD FORM FARM CORE CARE WARE HARM HARD BARD BOLD GOLD".split())


def differ(a, b):
    return sum(1 for x, y in zip(a, b) if x != y)


NEXT = {word: sorted(other for other in WORDS if differ(word, other) == 1) for word in WORDS}


@dataclass(frozen=True)
class WordLadder(Game):
    first: str = "COLD"
    last: str = "WARM"
    players = 1
    repetition = "loss"

    def start(self):
        return self.first

    def player(self, word):
        return 0

    def actions(self, word):
        return NEXT[word]

    def result(self, word, other):
        return other

    def terminal(self, word):
        return word == self.last

    def utility(self, word):
        return 0

    def heuristic(self, word):
        return differ(word, self.last)
