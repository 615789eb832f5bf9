"""try/except control flow, dict state as tuple of items, f-string keys; 'Dots' word game: build a word from a dictionary (Ghost)."""
from zermelo import Game
WORDS = """ant arm art bad bag bar cab car cat cod cot dog dot ear eat egg fan far fat fig""".split()
PREFIX = {}
for w in WORDS:
    for i in range(len(w)):
        PREFIX.setdefault(w[:i], set()).add(w[i])
class Ghost(Game):
    """Players add letters; who completes a word loses."""
    def start(self):
        return ""
    def player(self, word):
        return len(word) % 2
    def actions(self, word):
        try:
            return sorted(PREFIX[word])
        except KeyError:
            return []
    def result(self, word, letter):
        return word + letter
    def terminal(self, word):
        try:
            WORDS.index(word)
        except ValueError:
            return False
        else:
            return True
    def utility(self, word):
        return -1 if len(word) % 2 == 1 else 1
