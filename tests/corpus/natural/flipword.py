"""String methods galore: Mastermind-like push puzzle on text; partition, rjust, translate, isdigit, swapcase."""
from zermelo import Game
FLIP = str.maketrans("ab", "ba")
class Flip(Game):
    """Flip all letters, or drop the first or the last; who leaves no 'a' wins."""
    def start(self):
        return "abbab|0"
    def player(self, s):
        head, sep, turn = s.partition("|")
        return int(turn)
    def actions(self, s):
        word = s.split("|")[0]
        yield "flip"
        if word:
            yield "first"
            if len(word) > 1:
                yield "last"
            if word[0] != word[-1]:
                yield "swap"
    def result(self, s, a):
        word, turn = s.split("|")
        if a == "flip":
            word = word.translate(FLIP)[1:]
        elif a == "first":
            word = word[1:]
        elif a == "last":
            word = word[:-1]
        else:
            word = word[-1] + word[1:-1].upper().lower() + word[0]
            word = word.rstrip("b") if word.endswith("bb") else word[:-1]
        return "|".join([word, str(1 - int(turn))])
    def terminal(self, s):
        w = s[:-2]
        return w.isspace() or not w or "a" not in w
    def utility(self, s):
        return 1 if s.endswith("1") else -1
