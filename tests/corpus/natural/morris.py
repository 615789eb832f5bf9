"""Three men's morris with a limit of moves: put three men each, then slide along the lines. Putting is an int, sliding a pair."""
from zermelo import Game

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
NEIGHBOURS = {p: set() for p in range(9)}
for row in ROWS:
    for a, b in zip(row, row[1:]):
        NEIGHBOURS[a].add(b)
        NEIGHBOURS[b].add(a)


class Morris(Game):
    payoffs = (-1, 1)
    limit = 9

    def start(self):
        return (frozenset(), frozenset(), 0)

    def player(self, state):
        return state[2] % 2

    def actions(self, state):
        men, others = state[self.player(state)], state[1 - self.player(state)]
        free = [p for p in range(9) if p not in men and p not in others]
        if len(men) < 3:
            return free
        slides = [(p, q) for p in sorted(men) for q in free if q in NEIGHBOURS[p]]
        return slides or ["pass"]

    def result(self, state, action):
        who = self.player(state)
        men = set(state[who])
        if isinstance(action, int):
            men.add(action)
        elif action != "pass":
            source, target = action
            men.remove(source)
            men.add(target)
        both = list(state[:2])
        both[who] = frozenset(men)
        return (*both, state[2] + 1)

    def won(self, men):
        return any(all(p in men for p in row) for row in ROWS)

    def terminal(self, state):
        first, second, ply = state
        return ply >= self.limit or self.won(first) or self.won(second)

    def utility(self, state):
        return int(self.won(state[0])) - int(self.won(state[1]))
