"""Proof: the value of a state and how soon it comes, by questions with a null window that close in from both sides.

The compiled prover answers the questions, with one thread or several, for games of two players in which no state can return; who wins
may also be asked of proof-number search. Everything else (a single player, `repetition`, payoffs that are not multiples of a half, rules
that do not compile) goes to alpha-beta with full windows, which proves the same and takes longer.
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from zermelo.algorithm import Algorithm
from zermelo.compiler.faults import resilient
from zermelo.errors import ZermeloError, nearest
from zermelo.limits import Limits, Stopped
from zermelo.replay import confirmed
from zermelo.results import SearchResult
from zermelo.rules import MAX, Action, Game, State, draw_value, has
from zermelo.runtime.oracle import Oracle
from zermelo.scores import unpack
from zermelo.search.classic.alphabeta import AlphaBetaReference
from zermelo.search.plan import Backend, Plan, require_no_chance, require_two_opponents
from zermelo.search.proof.questions import UNKNOWN, Narrowing, Unknown, scores_of
from zermelo.search.puzzles.astar import AStar
from zermelo.search.puzzles.idastar import IDAStar
from zermelo.search.puzzles.problem import PayingEndError
from zermelo.search.reference_search import actions_of, estimate, mover_in
from zermelo.search.root import answer, tidy
from zermelo.search.threads import check_threads, thread_notes

if TYPE_CHECKING:
    from zermelo.compiler.game import CompiledGame
    from zermelo.search.kept_table import Table
    from zermelo.search.proof.prove_driver import Answer, Family, Prover

__all__ = ["Method", "Prove"]

Method = Literal["alphabeta", "pns"]

SPARE = ("order", "candidates", "bounds", "evaluate")  # rules that a proof can do without
NO_TABLE = "The table of a proof is kept for compiled games of two players in which no state can return: leave it out."

DEFAULT_MEMORY = 256 << 20  # bytes; only what is used of it is taken from the system


@dataclass(frozen=True)
class Prove(Algorithm[SearchResult]):
    """Prove the value and distance of a state, and of every legal action.

    The game's `bounds`, `candidates` and `order` make the proof cheaper. One thread repeats the same search. More threads may visit other
    nodes and choose another of equally good actions, but they prove the same.

    Parameters
    ----------
    weak : bool, default False
        Prove only who wins.
    distance : bool, default True
        Prove how soon, too.
    textbook : bool, default False
        Prove only the state's own value, without scores for the other actions.
    method : Method, default "alphabeta"
        Who proves which side wins: alpha-beta, or proof-number search on one thread.
    threads : int, default 1
        Threads that search together.
    memory : int, optional
        Bytes of the transposition table; 0 for none, None for the default.
    ordering : bool, default True
        Try first what `order` recommends.
    knowledge : bool, default True
        Use `bounds` and `candidates`.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    """

    weak: bool = False
    distance: bool = True
    textbook: bool = False
    method: Method = "alphabeta"
    threads: int = 1
    memory: int | None = None
    ordering: bool = True
    knowledge: bool = True
    perfect_information: bool = False
    backend: Backend = "auto"

    @resilient
    def run(
        self,
        game: Game,
        state: State | None = None,
        *,
        history: Sequence[State] = (),
        limits: Limits | None = None,
        oracle: Oracle | None = None,
        table: "Table | None" = None,
    ) -> SearchResult:
        """Proves from `state` (the start by default). `history` are the states before it, for games that know `repetition`.

        `oracle` knows the scores of some states: the proof goes no further than to these. Where the compiled prover cannot do the game,
        the deepening search proves with it. `table` is one that `new_table` made: what it knows is used, and what is proven is kept in it.
        """
        plan = self.plan()
        plan.check()
        check_threads(self.threads)
        check_method(self.method)
        require_two_opponents(game, plan.algorithm, self.perfect_information)
        place = game.start() if state is None else state
        require_no_chance(game, place, plan.algorithm)
        if game.players == 1:
            with suppress(PayingEndError):
                return self.cheapest_way(game, place, limits)
        provers, notes = self.provers(game, place, limits, oracle, table)
        if table is not None and provers is None and not game.terminal(place):
            raise ZermeloError(NO_TABLE)
        if provers is None and oracle is not None and not game.terminal(place):
            return self.deepening(game, place, history, limits, oracle)
        started = time.perf_counter()
        if provers is not None:
            from zermelo.search.proof.prove_driver import Unsuited

            try:
                proof = Proof(self, game, place, provers)
                proof.run()
                result = proof.result(time.perf_counter() - started, [*notes, *thread_notes(self.threads)])
                if proof.stopped != "interrupted":  # then a thread may still be at work
                    provers.release()
                by_the_book = replace(self, backend="reference")
                return confirmed(result, self.backend, lambda: by_the_book.search(game, place, history=history, limits=limits))
            except Unsuited:
                pass
        found = answer(plan, AlphaBetaReference, game, place, history, None, limits)
        if not self.timed:
            found = replace(found, distance=None, distances=dict.fromkeys(found.distances))
        alone = ["This game is searched by one thread: several share the search of compiled games without repetition only."]
        return replace(found, parameters=asdict(self), notes=(*(alone if self.threads > 1 else ()), *found.notes))

    def cheapest_way(self, game: Game, state: State, limits: Limits | None) -> SearchResult:
        """The proof for one player: no way to an end costs less."""
        if has(game, "heuristic"):
            return IDAStar(textbook=self.textbook, perfect_information=self.perfect_information, backend=self.backend).search(
                game, state, limits=limits
            )
        return AStar(textbook=self.textbook, memory=self.memory or None, perfect_information=self.perfect_information).search(
            game, state, limits=limits
        )

    @property
    def timed(self) -> bool:
        """Is it asked how soon?"""
        return self.distance and not self.weak

    def new_table(self, game: Game) -> "Table | None":
        """An empty table for proofs of this game, to be kept between them; None where the compiled prover does not do the game."""
        if self.method == "pns":
            raise ZermeloError("Proof numbers are not kept in a table: leave the table or the method pns out.")
        if self.backend == "reference" or game.players != 2 or game.repetition is not None:
            return None
        from zermelo.runtime.backend import choose
        from zermelo.search.proof.proof_table import new_table

        compiled = choose(game, self.backend, SPARE, "prove").compiled
        return None if compiled is None else new_table(compiled, game, self.bytes, not self.timed)

    @property
    def bytes(self) -> int:
        """Of the table."""
        return DEFAULT_MEMORY if self.memory is None else self.memory

    def plan(self) -> Plan:
        """The general search that proves the same."""
        memory, backend = self.memory, self.backend
        return Plan(
            "prove",
            memory=memory,
            pruning=True,
            ordering=self.ordering,
            knowledge=self.knowledge,
            perfect_information=self.perfect_information,
            backend=backend,
        )

    def deepening(self, game: Game, state: State, history: Sequence[State], limits: Limits | None, oracle: Oracle) -> SearchResult:
        """The search that proves with an oracle in any game."""
        from zermelo.search.deepening.deepening import Deepening

        wanted = Deepening(
            textbook=self.textbook,
            memory=self.memory,
            threads=self.threads,
            ordering=self.ordering,
            knowledge=self.knowledge,
            perfect_information=self.perfect_information,
            backend=self.backend,
        )
        return wanted.search(game, state, history=history, limits=limits, oracle=oracle)

    def provers(
        self, game: Game, state: State, limits: Limits | None, oracle: Oracle | None = None, table: "Table | None" = None
    ) -> "tuple[Provers | None, tuple[str, ...]]":
        """The compiled provers where they can do this, and what the compiler has to say."""
        if self.backend == "reference" or game.players != 2 or game.repetition is not None or game.terminal(state):
            return None, ()
        from zermelo.runtime.backend import choose

        choice = choose(game, self.backend, SPARE, "prove")
        if choice.compiled is None:
            return None, choice.notes
        mover_in(game, state, "prove")  # raises where chance moves
        from zermelo.search.proof.prove_driver import Unsuited

        try:
            provers = Provers(self, choice.compiled, game, limits or Limits(), oracle, table)
        except Unsuited:
            return None, choice.notes
        return provers, (*choice.notes, *provers.notes)


def check_method(method: object) -> None:
    """A method is one of two words."""
    if method not in get_args(Method):
        raise ZermeloError(f"There is no method {method!r} of proof: {nearest(str(method), get_args(Method))}")


class Provers:
    """Answers the questions: null-window search, made when first needed; proof-number search for "who wins?", if asked for."""

    def __init__(
        self,
        request: Prove,
        compiled: "CompiledGame",
        game: Game,
        limits: Limits,
        oracle: Oracle | None = None,
        table: "Table | None" = None,
    ) -> None:
        self.request, self.compiled, self.game, self.limits, self.table = request, compiled, game, limits, table
        if table is not None:
            from zermelo.search.proof.proof_table import require_own

            require_own(table, compiled, game, not request.timed)
        self.oracle, self.oracle_arrays = oracle, None if oracle is None else oracle.arrays()
        self.made: dict[str, Prover] = {}
        self.questions = 0
        self.notes = self.prover("pns" if request.method == "pns" else "prove").notes
        self.started = time.perf_counter()

    def prover(self, family: "Family") -> "Prover":
        """The prover of a kernel family, within what is left of the limits."""
        if family not in self.made:
            from zermelo.search.proof.prove_driver import Prover

            limits = self.limits.after(time.perf_counter() - self.started, self.nodes) if self.made else self.limits
            request = self.request
            self.made[family] = Prover(
                self.compiled,
                self.game,
                request.bytes,
                limits,
                threads=1 if family == "pns" else request.threads,
                knowledge=request.knowledge,
                ordering=request.ordering,
                values=not request.timed,
                family=family,
                oracle_arrays=self.oracle_arrays,
                table=self.table if family == "prove" else None,
            )
        return self.made[family]

    def ask(self, state: State, threshold: int) -> "Answer":
        """Is the state's score at least the threshold? Raises as `Prover.ask` does."""
        self.questions += 1
        return self.prover("pns" if self.request.method == "pns" and threshold in (0, 1) else "prove").ask(state, threshold)

    def settle(self, state: State, known: Narrowing) -> None:
        """Closes in on a score, all the way where one thread works alone; what is known by then is known even if this raises."""
        if self.request.method == "pns":
            return
        prover = self.prover("prove")
        rows = prover.rows([state], known.low, known.high, known.reach)
        try:
            prover.settle(rows, weak=known.weak, patient=known.patient, distance=known.distance)
        finally:
            found = prover.known(rows, 0)
            known.low, known.high, known.reach, known.action = found.low, found.high, found.reach, found.action
            self.questions += found.questions

    def release(self) -> None:
        """After the last question: what a prover needs is left to the next one."""
        for prover in self.made.values():
            prover.release()

    @property
    def nodes(self) -> int:
        """States visited, not more than allowed."""
        visited = sum(prover.nodes for prover in self.made.values())
        return visited if self.limits.nodes is None else min(visited, self.limits.nodes)

    @property
    def table_hits(self) -> int:
        """Questions inside the searches that a table answered."""
        return sum(prover.table_hits for prover in self.made.values())

    @property
    def told(self) -> dict[str, Any]:
        """What the oracle had to do with it."""
        if self.oracle is None or self.oracle_arrays is None:
            return {}
        return {"database": self.oracle.name, "database_hits": sum(prover.oracle_hits for prover in self.made.values())}


@dataclass
class Proof:
    """The proof of one state's score, under way."""

    request: Prove
    game: Game
    state: State
    provers: Provers
    values: dict[Action, int] = field(
        default_factory=dict
    )  # packed scores of the actions that are done, as the mover sees them where it matters how soon
    line: list[Action] = field(default_factory=list)
    action: Action | Unknown = UNKNOWN  # that gives the mover the bound proven on its side
    stopped: str | None = None  # why the proof ended before its time

    def __post_init__(self) -> None:
        from zermelo.search.proof.prove_driver import score_range

        self.draw = draw_value(self.game)
        self.mover = self.game.player(self.state)
        self.legal = actions_of(self.game, self.state)
        self.range = score_range(self.game)
        self.known = self.narrowing(*self.range)

    def narrowing(self, low: int, high: int) -> Narrowing:
        """The questions about one score."""
        payoffs = self.game.payoffs
        patient = self.request.method != "pns" and payoffs is not None and max(abs(payoff - self.draw) for payoff in payoffs) <= 1
        return Narrowing(low, high, self.request.weak, patient, self.request.timed)

    # --- the proof

    def run(self) -> None:
        """Proves until done, or until a limit or Ctrl-C strikes; what is proven by then stands."""
        try:
            self.prove_state()
            if not self.request.textbook:
                self.prove_actions()
            self.follow()
        except Stopped as limit:
            self.stopped = limit.reason
        except KeyboardInterrupt:
            self.stopped = "interrupted"

    def prove_state(self) -> None:
        """Closes in on the state's score."""
        if not self.known.settled:
            try:
                self.provers.settle(self.state, self.known)
            finally:
                self.action = self.known.action
        self.finish()

    def finish(self) -> None:
        """Asks one question after the other until the score is known."""
        while not self.known.settled:
            threshold = self.known.question()
            found = self.ask(self.state, threshold)
            self.known.learn(threshold, found.score)
            if (found.score >= threshold) == (self.mover == MAX) and found.action is not UNKNOWN:
                self.action = found.action
        if self.action is UNKNOWN:  # the worst that can be: every action is as good
            self.action = self.legal[0]

    def ask(self, state: State, threshold: int) -> "Answer":
        return self.provers.ask(state, threshold)

    def prove_actions(self) -> None:
        """The score of every action; none is better for the mover than the state's."""
        for action in self.legal:
            low, high = self.range
            if self.mover == MAX:
                high = lowered(self.known.high)
            else:
                low = lowered(self.known.low)
            score = self.score_of(self.game.result(self.state, action), low, high)
            self.values[action] = lifted(score) if self.request.timed else score
        self.action = self.chosen()

    def score_of(self, state: State, low: int, high: int) -> int:
        """A state's score, known to be between these; where less is asked, a bound that says so much."""
        if self.game.terminal(state):
            from zermelo.search.proof.prove_driver import end_score

            return end_score(self.game, state)
        known = self.narrowing(max(low, self.range[0]), min(high, self.range[1]))
        if not known.settled:
            self.provers.settle(state, known)
        while not known.settled:
            threshold = known.question()
            known.learn(threshold, self.ask(state, threshold).score)
        return known.low if known.low > 0 else known.high

    def chosen(self) -> Action:
        """Among the best actions the shortest win, the longest loss, else the first."""
        best = max(self.values.values()) if self.mover == MAX else min(self.values.values())
        if not self.request.timed:
            return next(action for action, value in self.values.items() if self.payoff(value) == self.payoff(best))
        return next(action for action, value in self.values.items() if value == best)

    def follow(self) -> None:
        """The line of best play: at each state an action that keeps the score, or the value where only that is asked for."""
        assert self.action is not UNKNOWN
        self.line = [self.action]
        if self.request.weak:
            return
        value, state = lowered(self.known.low), self.game.result(self.state, self.action)
        while not self.game.terminal(state):
            lowest, highest = (value, value) if self.request.timed else scores_of(value)
            mine = self.game.player(state) == MAX
            found = self.ask(state, lowest if mine else highest + 1)
            assert found.action is not UNKNOWN  # the value is exact, so one action keeps it
            self.line.append(found.action)
            value, state = lowered(value) if self.request.timed else value, self.game.result(state, found.action)

    # --- scores

    def payoff(self, packed: int) -> Any:
        """Max's payoff in a packed score."""
        return tidy(unpack(packed, self.draw).value)

    def distance(self, packed: int) -> int | None:
        """Actions to the end; None for draws and where it was not asked how soon."""
        return None if packed == 0 or not self.request.timed else unpack(packed, self.draw).distance()

    # --- the result

    def result(self, seconds: float, notes: list[str]) -> SearchResult:
        """The answer, frozen."""
        bounds = self.payoff(self.known.low), self.payoff(self.known.high)
        exact = bounds[0] == bounds[1]
        declared = self.game.payoffs is not None
        value = bounds[0] if exact else self.between(*bounds)
        action = self.legal[0] if self.action is UNKNOWN else self.action
        return SearchResult(
            game=self.game,
            state=self.state,
            algorithm="prove",
            value=value,
            action=action,
            actions=self.best_actions(action),
            scores={each: self.payoff(packed) for each, packed in self.values.items()},
            distances={each: self.distance(packed) for each, packed in self.values.items()},
            distance=self.distance(self.known.low) if self.known.low == self.known.high else None,
            line=tuple(self.line or [action]),
            exact=exact,
            bounds=None if exact or not declared else bounds,
            nodes=self.provers.nodes,
            seconds=seconds,
            table_hits=self.provers.table_hits,
            backend=self.provers.compiled.backend,
            stopped=self.stopped or "",
            parameters=asdict(self.request),
            notes=(*notes, *self.stop_notes(exact)),
            extra={"questions": self.provers.questions, "weak": self.request.weak, "threads": self.request.threads, **self.provers.told},
        )

    def between(self, low: Any, high: Any) -> Any:
        """An estimate that contradicts nothing that is proven."""
        if self.stopped is None:  # only who wins was asked: the proven bound
            return low if self.known.low > 0 else high
        return min(max(tidy(estimate(self.game, self.state)), low), high)

    def best_actions(self, action: Action) -> tuple[Action, ...]:
        """Every action of best value, as far as they were scored."""
        if len(self.values) < len(self.legal):
            return (action,)
        best = self.payoff(self.values[action])
        return tuple(each for each, packed in self.values.items() if self.payoff(packed) == best)

    def stop_notes(self, exact: bool) -> list[str]:
        if self.stopped is None:
            return []
        done = "the value is proven, the rest is not" if exact else "the value is not proven"
        return [f"The search was not finished ({self.stopped}): {done}."]


def lifted(packed: int) -> int:
    """A packed score, one action towards the root."""
    return packed - (packed > 0) + (packed < 0)


def lowered(packed: int) -> int:
    """The inverse of `lifted`: a packed score as the state after an action sees it."""
    return packed + (packed > 0) - (packed < 0)
