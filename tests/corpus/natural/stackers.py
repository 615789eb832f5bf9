"""Stack blocks on three towers; the one who makes a tower of height 4 wins. State is a dataclass with methods."""
from dataclasses import dataclass, field, replace
from zermelo import Game


@dataclass(frozen=True, order=True)
class Tower:
    blocks: tuple[int, ...] = ()

    @property
    def height(self):
        return len(self.blocks)

    @property
    def top(self):
        return self.blocks[-1] if self.blocks else 0

    def accepts(self, block):
        return not self.blocks or block <= self.top

    def push(self, block):
        return Tower(self.blocks + (block,))


@dataclass(frozen=True)
class Table:
    towers: tuple[Tower, ...] = field(default_factory=lambda: (Tower(), Tower(), Tower()))
    hands: tuple[tuple[int, ...], tuple[int, ...]] = ((3, 2, 1, 1), (3, 2, 2, 1))
    mover: int = 0

    def with_block(self, where, block):
        towers = list(self.towers)
        towers[where] = towers[where].push(block)
        hands = list(self.hands)
        mine = list(hands[self.mover])
        mine.remove(block)
        hands[self.mover] = tuple(mine)
        return replace(self, towers=tuple(towers), hands=tuple(hands), mover=1 - self.mover)

    def is_full(self):
        return any(t.height >= 4 for t in self.towers)


@dataclass(frozen=True)
class Stackers(Game):
    def start(self):
        return Table()

    def player(self, table):
        return table.mover

    def actions(self, table):
        out = []
        for block in sorted(set(table.hands[table.mover]), reverse=True):
            for i, tower in enumerate(table.towers):
                if tower.accepts(block):
                    out.append((block, i))
        if not out:
            out.append("pass")
        return out

    def result(self, table, action):
        if action == "pass":
            return replace(table, mover=1 - table.mover)
        block, where = action
        return table.with_block(where, block)

    def terminal(self, table):
        if table.is_full():
            return True
        return all(not any(t.accepts(b) for t in table.towers for b in hand) for hand in table.hands)

    def utility(self, table):
        if table.is_full():
            return 1 if table.mover == 1 else -1
        best = max(table.towers)
        return 0 if best.height < 3 else (1 if len(table.hands[0]) < len(table.hands[1]) else 0)
