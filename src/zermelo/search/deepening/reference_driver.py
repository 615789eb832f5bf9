"""The reference backend of the deepening search: its kernel as plain Python, on any rules.

What only Python can do takes the place of the kernel's own words: payoffs of any kind are exact, rules that are broken are named with the
state in which they are, an oracle is asked directly, and `repetition` may be a payoff.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.compiler.plain import ReferenceGame
from zermelo.limits import Limits
from zermelo.rules import Action, Game, State, endless_value, simple_payoff
from zermelo.runtime.oracle import Oracle
from zermelo.runtime.stack import deep_recursion
from zermelo.scores import Score
from zermelo.search.deepening.deepening_driver import ASKED, DEEPEST, Deepener, RootRow
from zermelo.search.plan import endless_error, lost_payoff
from zermelo.search.reference_search import actions_of, checked, estimate, mover_in

if TYPE_CHECKING:
    from zermelo.search.deepening.deepening import Deepening

__all__ = ["ReferenceDeepener"]

DEFAULT_MEMORY = 64 << 20  # bytes
ENTRY = 1 << 9  # bytes of a pair of entries
LOOK = 8  # nodes between two looks at the limits
SHIFT = 1100  # bits of a payoff behind the point: every float is exact
LARGEST = 1 << 2140  # of all scores that are no end
HUGE = 1 << 2200
MARGIN = Fraction(1, 1 << 38)  # of the largest payoff: estimates stay so far inside, so that none passes for a proven win
FRAMES = 4  # of Python for a ply


class ObjectTable:
    """A table of Python objects, each made when it is first asked for."""

    def __init__(self, memory: int) -> None:
        self.entries = memory // ENTRY

    def next_generation(self) -> int:
        return 1

    def records(self, kind: Any) -> Any:
        return kind.array(2 * self.entries)

    def enlarge_pages(self) -> None:
        """Python sees to its own memory."""


class ReferenceDeepener(Deepener):
    """One search of a state in Python."""

    def __init__(
        self,
        request: "Deepening",
        game: Game,
        state: State,
        legal: Sequence[Action],
        history: Sequence[State],
        limits: Limits | None,
        oracle: Oracle | None = None,
        sure: bool = True,  # does what the oracle says hold on every line?
    ) -> None:
        self.oracle = oracle
        self.payoffs: dict[int, Any] = {}  # by how a score holds them
        self.scores: dict[Any, int] = {}  # the other way round
        super().__init__(
            ReferenceGame(game, self.words(), ASKED),  # type: ignore[arg-type]
            game,
            state,
            legal,
            history=history,
            lost=(lost_payoff(game, 0), lost_payoff(game, 1)),
            settings=request.settings(),
            table=ObjectTable(DEFAULT_MEMORY if request.memory is None else request.memory),
            every=not request.textbook,
            limits=limits,
            sure=sure,
        )

    def words(self) -> dict[str, Any]:
        """What takes the place of the kernel's own."""
        own = (self.terminal, self.player, self.actions, self.score_at_end, self.estimate, self.known_finding, self.repeated)
        numbers = {"HUGE": HUGE, "NOT_ALLOWED": -2 * HUGE, "mixed": lambda data: 0, "number_of": self.number_of}
        return {word.__name__: word for word in own} | numbers

    # --- arrays

    def zeros(self, count: int) -> Any:
        return [0] * count

    def row(self, state: State) -> list[Any]:
        return [state]

    def read_roots(self) -> list[RootRow]:
        roots = (self.roots[0][number] for number in range(len(self.legal)))
        return [(root.action, root.found, root.depth, root.kind, root.tried) for root in roots]

    def write_roots(self, rows: list[RootRow]) -> None:
        for number, row in enumerate(rows):
            root = self.roots[0][number]
            root.action, root.found, root.depth, root.kind, root.tried = row

    def prepare(self, head: Any) -> None:
        super().prepare(head)
        head.oracle = self.oracle is not None

    # --- the search

    def run_crew(self) -> bool:
        """On the calling thread, where a debugger can follow."""
        with deep_recursion(FRAMES * DEEPEST):
            return self.run_head(0)

    def mend(self) -> None:
        if self.heads[0].fault == self.kernel.ENDLESS:
            raise endless_error(self.game, None)
        super().mend()

    def miscompiled(self, states: Sequence[State]) -> bool:
        return False

    def terminal(self, state: State) -> bool:
        nodes = self.nodes
        if nodes % LOOK == 0:
            self.watch.look(nodes)
        return bool(self.game.terminal(state))

    def player(self, state: State) -> int:
        return mover_in(self.game, state, "deepening")

    def actions(self, state: State) -> Iterator[int]:
        return map(self.compiled.word, actions_of(self.game, state))

    def number_of(self, key: Any, head: Any) -> int:
        """The number of a pair of entries, for a key that is a number."""
        return int(key[0] * 0x9E3779B97F4A7C15 % (1 << 64) * head.entries >> 64)

    def known_finding(self, state: State, scratch: int, missing: int, head: Any, work: Any) -> int:
        """The finding of a state that the oracle knows."""
        assert self.oracle is not None
        told = self.oracle.score(state)
        if told is None:
            return missing
        return self.fixed(told.value) + told.soon << 2 | (self.kernel.PROVEN if self.sure else 0)

    def repeated(self, before: Any, above: Any, head: Any) -> int:
        """The finding of a state that was on the line `before`; an action in `above` came back to it."""
        head.reach = min(head.reach, before.ply)
        if self.game.repetition == "forbidden":
            return -2 * HUGE
        payoff = endless_value(self.game)
        return self.fixed(self.lost[above.player] if payoff is None else payoff) << 2 | int(self.kernel.PROVEN)

    # --- scores

    def scale(self) -> tuple[int, int, int, tuple[int, int]]:
        if self.game.payoffs is None:
            return SHIFT, -LARGEST, LARGEST, (-(LARGEST >> 20), LARGEST >> 20)
        low, high = self.game.payoffs
        lowest, highest = self.fixed(low) + (low < self.draw), self.fixed(high) - (high > self.draw)
        margin = MARGIN * max(abs(Fraction(low) - self.draw), abs(Fraction(high) - self.draw))
        return SHIFT, lowest, highest, (self.fixed(low + margin) >> 20, self.fixed(high - margin) >> 20)

    def score_at_end(self, state: State, head: Any) -> int:
        return self.fixed(checked(self.game, simple_payoff(self.game, state)))

    def estimate(self, state: State, head: Any) -> int:
        fixed = self.fixed(checked(self.game, estimate(self.game, state))) >> 20
        low, high = self.estimates
        return min(max(fixed, low), high) << 20

    def fixed(self, payoff: Any) -> int:
        known = self.scores.get(payoff)
        if known is None:
            whole = math.floor((Fraction(payoff) - Fraction(self.draw)) * (1 << SHIFT))
            self.payoffs[whole] = payoff
            known = self.scores[payoff] = whole << 20
        return known

    def payoff(self, fixed: int) -> Any:
        return self.payoffs.get(fixed, fixed / (1 << SHIFT) + self.draw)

    def score(self, packed: int) -> Score:
        return Score(math.inf if packed > 0 else -math.inf, 0) if abs(packed) >= LARGEST else super().score(packed)
