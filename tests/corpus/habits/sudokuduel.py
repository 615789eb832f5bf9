"""Two players fill a 4 x 4 latin square half filled; who cannot move loses. numpy-free, but written by a numpy user."""

from string import digits

from zermelo import Game

N = 3
SYMBOLS = digits[1 : N + 1]


class Latin(Game):
    def start(self):
        return "\n".join(["1.."] + ["." * N] * (N - 1))

    def grid(self, state):
        return [list(line) for line in state.split("\n")]

    def player(self, state):
        return (N * N - 1 - state.count(".")) % 2

    def allowed(self, grid, r, c):
        used = set(grid[r]) | {row[c] for row in grid}
        return [s for s in SYMBOLS if s not in used]

    def actions(self, state):
        grid = self.grid(state)
        for r in range(N):
            for c in range(N):
                if grid[r][c] == ".":
                    for symbol in self.allowed(grid, r, c):
                        yield f"{symbol}@{chr(ord('a') + c)}{r + 1}"

    def result(self, state, action):
        symbol, place = action.split("@")
        grid = self.grid(state)
        grid[int(place[1]) - 1]["abc".index(place[0])] = symbol
        return "\n".join("".join(row) for row in grid)

    def terminal(self, state):
        return not any(True for _ in self.actions(state))

    def utility(self, state):
        return 1 if self.player(state) else -1
