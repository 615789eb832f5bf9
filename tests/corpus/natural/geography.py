"""Geography on words: dict comprehension, set operations, sorted(set), next(iter())."""
from zermelo import Game
TOWNS = ["athens", "sofia", "amsterdam", "madrid", "dublin", "naples", "seoul", "lima", "ankara"]
NEXT = {t: [u for u in TOWNS if u[0] == t[-1] and u != t] for t in TOWNS}
class Geography(Game):
    def start(self):
        return ()
    def player(self, used):
        return len(used) % 2
    def actions(self, used):
        if not used:
            return TOWNS
        return [t for t in NEXT[used[-1]] if t not in set(used)]
    def result(self, used, town):
        return (*used, town)
    def terminal(self, used):
        return used != () and not self.actions(used)
    def utility(self, used):
        return 1 if len(used) % 2 == 1 else -1
