"""Student: 2-D list of strings, rebuilt as tuple of strings; Connect-3 with pop-out."""
from zermelo import Game

ROWS, COLS = 3, 4

def to_grid(state):
    rows, turn = state
    return [list(r) for r in rows]

def lines():
    out = []
    for r in range(ROWS):
        for c in range(COLS):
            for dr, dc in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                cells = [(r + dr * k, c + dc * k) for k in range(3)]
                if all(0 <= y < ROWS and 0 <= x < COLS for y, x in cells):
                    out.append(cells)
    return out

LINES = lines()

class PopThree(Game):
    repetition = None

    def start(self):
        return (("." * COLS,) * ROWS, "x")

    def player(self, state):
        _, turn = state
        return {"x": 0, "o": 1}[turn]

    def actions(self, state):
        grid = to_grid(state)
        moves = []
        for c in range(COLS):
            if grid[0][c] == ".":
                moves.append("drop%d" % c)
        for c in range(COLS):
            if grid[ROWS - 1][c] == state[1] and grid[0][c] != ".":
                moves.append(f"pop{c}")
        return moves

    def result(self, state, action):
        grid = to_grid(state)
        turn = state[1]
        c = int(action[-1])
        if action.startswith("drop"):
            r = max(r for r in range(ROWS) if grid[r][c] == ".")
            grid[r][c] = turn
        else:
            for r in range(ROWS - 1, 0, -1):
                grid[r][c] = grid[r - 1][c]
            grid[0][c] = "."
        return (tuple("".join(row) for row in grid), "o" if turn == "x" else "x")

    def winner(self, state):
        grid, turn = state
        found = set()
        for line in LINES:
            marks = {grid[y][x] for y, x in line}
            if len(marks) == 1:
                (m,) = marks
                if m != ".":
                    found.add(m)
        if len(found) == 2:
            return "o" if turn == "x" else "x"
        return found.pop() if found else None

    def terminal(self, state):
        return self.winner(state) is not None or all("." not in row for row in state[0])

    def utility(self, state):
        w = self.winner(state)
        if w is None:
            return 0
        return 1 if w == "x" else -1
