"""Games of one shape, go on or stop, on whose way compiled and interpreted code can part; random play rarely gets far.

They differ in one number `x`: its type, how it begins, how it goes on, and what it means for the payoff at the end.
"""

from typing import NamedTuple

__all__ = ["LADDERS", "Ladder"]


class Ladder(NamedTuple):
    """One game."""

    name: str
    depth: int
    kind: str  # of x
    begins: str
    goes_on: str
    payoff: str
    helper: str = ""

    @property
    def rules(self) -> str:
        """The text of its rules."""
        return RULES.format(**self._asdict())


RULES = '''\
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
import math
from zermelo import Game, u64, u128, Word, bits, lsb, popcount, shift, replace
{helper}

class S(NamedTuple):
    n: int
    x: {kind}
    turn: int
    over: int


@dataclass(frozen=True)
class G(Game):
    """Go on or stop."""
    depth: int = {depth}
    payoffs = (-1, 1)

    def start(self) -> S:
        return S(0, {begins}, 0, 0)

    def player(self, s: S) -> int:
        return s.turn

    def actions(self, s: S) -> Iterator[int]:
        if not s.over:
            yield 0
            yield 1

    def result(self, s: S, action: int) -> S:
        if action == 0:
            return S(s.n, s.x, 1 - s.turn, 1)
        x = {goes_on}
        return S(s.n + 1, x, 1 - s.turn, 1 if s.n + 1 >= self.depth else 0)

    def terminal(self, s: S) -> bool:
        return s.over == 1

    def utility(self, s: S) -> float:
        # whoever stops early loses: mover (1 - turn) stopped
        if s.n < self.depth:
            return -1 if s.turn == 1 else 1
        return {payoff}
'''

LADDERS = (
    Ladder("mul3", 46, "int", "1", "s.x * 3", "1 if s.x > 0 and s.x % 3 == 0 else -1"),
    Ladder("shl", 64, "int", "1", "s.x << 1", "1 if s.x > 0 else -1"),
    Ladder("shiftamt", 32, "int", "0", "s.x + 2", "1 if (1 << s.x) > 5 else -1"),
    Ladder("shramt", 36, "int", "1", "s.x + 2", "1 if (255 >> s.x) == 0 else -1"),
    Ladder("pow", 46, "int", "0", "s.x + 1", "1 if 3 ** s.x > 0 and 3 ** s.x % 3 == 0 else -1"),
    Ladder("negpow", 40, "int", "30", "s.x - 1", "1 if 2 ** s.x > 0 else -1"),
    Ladder("u64sub", 42, "u64", "40", "s.x - 1", "1 if s.x < 0 else -1"),
    Ladder("u64cmp", 63, "u64", "1", "s.x * 2 + 1", "1 if s.x > self.depth else -1"),
    Ladder("u64mul", 46, "u64", "1", "s.x * 3", "1 if s.x % 3 == 0 else -1"),
    Ladder("intmin", 63, "int", "-1", "s.x * 2", "1 if abs(s.x) > 0 else -1"),
    Ladder("floatcmp", 60, "int", "1", "s.x * 2 + 1", "1 if s.x == float(s.x) else -1"),
    Ladder("div0", 40, "int", "40", "s.x - 1", "1 // s.x + 1"),
    Ladder("nan", 40, "float", "1e10", "s.x * 1e10", "1 if (s.x - s.x) == 0 else -1"),
    Ladder("nanutil", 40, "float", "1e10", "s.x * 1e10", "(s.x - s.x)"),
    Ladder("idx", 40, "int", "0", "s.x + 1", "TABLE[s.x]", "TABLE = (1, -1, 1, -1) * 10"),
    Ladder("negidx", 40, "int", "20", "s.x - 1", "TABLE[s.x]", "TABLE = tuple([1] * 25 + [-1] * 25)"),
    Ladder("negshift", 40, "int", "20", "s.x - 1", "1 if (1 << s.x) == 0 else -1"),
    Ladder(
        "recursion",
        45,
        "int",
        "0",
        "s.x + 1000",
        "1 if down(s.x) == 0 else -1",
        "def down(n: int) -> int:\n    return 0 if n <= 0 else down(n - 1)",
    ),
    Ladder(
        "bigrec",
        45,
        "int",
        "0",
        "s.x + 100000",
        "1 if down(s.x) == 0 else -1",
        "def down(n: int) -> int:\n    return 0 if n <= 0 else 1 + down(n - 1) - 1",
    ),
    Ladder(
        "mutdef",
        20,
        "int",
        "0",
        "tick(s.x)",
        "1 if s.x > 0 else -1",
        "def tick(n: int, memo=[]) -> int:\n    memo.append(n)\n    return len(memo)",
    ),
    Ladder(
        "global",
        20,
        "int",
        "0",
        "tick(s.x)",
        "1 if s.x > 0 else -1",
        "COUNT = [0]\ndef tick(n: int) -> int:\n    COUNT[0] += 1\n    return COUNT[0]",
    ),
    Ladder("intdiv", 40, "int", "1", "(s.x * 3) if s.n < 34 else s.x // 2", "1 if s.x / 7 * 7 == s.x else -1"),
)
