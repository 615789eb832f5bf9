"""Iterative deepening, for play and for answers within a limit: deeper and deeper, each depth guided by the table of the one before.

Every device is a switch. Those that only spare work never change a proven value; those that judge (quiescence, extensions, reductions, null
moves) decide which lines are looked at. Beside every score goes what is proven about it, so that an answer is `exact` exactly when the
lines that matter were followed to the end of the game, whatever stood in for it elsewhere.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from zermelo.algorithm import Algorithm
from zermelo.compiler.faults import resilient
from zermelo.errors import ZermeloError
from zermelo.limits import Limits, Stopped
from zermelo.replay import confirmed, same
from zermelo.results import SearchResult
from zermelo.rules import MAX, MIN, Action, Game, State, draw_value, simple_payoff
from zermelo.runtime.oracle import Oracle, OracleArrays
from zermelo.scores import Score, leaf, lift
from zermelo.search.deepening.findings import MOST_DEPTH, RootFound, Settings
from zermelo.search.measure import ByScore
from zermelo.search.plan import Backend, check_backend, check_depth, lost_payoff, require_no_chance, require_two_opponents
from zermelo.search.reference_search import actions_of, checked, estimate, mover_in, permitted
from zermelo.search.root import tidy
from zermelo.search.threads import check_threads, thread_notes

if TYPE_CHECKING:
    from zermelo.compiler.game import CompiledGame
    from zermelo.search.deepening.deepening_driver import Deepener
    from zermelo.search.kept_table import Table

__all__ = ["Deepening"]

DEFAULT_MEMORY = 64 << 20  # bytes
LONGEST_LINE = 200  # actions of a line that is read out of the table
SPARE = ("order", "candidates", "bounds")  # rules that the search can do without; not `evaluate`, which stands in for the end
FORCED = 2_000  # nodes: a depth that took fewer, below FORCED_DEPTH, is followed by more than one more
FORCED_DEPTH = 16

Tell = Callable[[SearchResult], object]


@dataclass(frozen=True)
class Deepening(Algorithm[SearchResult]):
    """Iterative deepening: alpha-beta to depth 1, 2, 3, … until the value is proven or a limit is reached.

    The answer is the best so far. One thread repeats the same search; more threads may visit other nodes each time.

    Parameters
    ----------
    depth : int, optional
        Actions to look ahead; None searches until the value is proven.
    textbook : bool, default False
        Search for the best action only, without a score for the others; this looks deeper.
    memory : int, optional
        Bytes of the transposition table; 0 for none, None for the default.
    threads : int, default 1
        Threads that search together.
    ordering : bool, default True
        Try first what `order` and the table recommend.
    knowledge : bool, default True
        Use `bounds` and `candidates`.
    symmetry : bool, default True
        Look states up by `canonical`.
    windows : bool, default True
        Null windows after the first action (principal variation search).
    aspiration : bool, default False
        Start each depth with a narrow window around the last value.
    foresight : bool, default True
        Ask the table about all children before the first is searched (enhanced transposition cut-offs).
    killers : int, default 0
        Killer actions: 1 breaks ties of `order`, 2 comes before it, 0 is off.
    history : int, default 1
        History heuristic: 1 breaks ties of `order`, 2 comes before it, 0 is off.
    quiescence : int, default 8
        Actions beyond the depth until `quiet` says that a state may be judged.
    extensions : bool, default True
        A forced action costs no depth, nor does the answer to a threat: where a state is not `quiet` and `passed` does not apply.
    reductions : bool, default True
        Look at late actions less deeply first (late move reductions).
    null_move : bool, default True
        Null-move pruning: cut if passing already fails high; for games that have `passed`.
    futility : bool, default True
        Near the horizon trust an estimate that is far outside the window; for games that have `evaluate`, `order` and `quiet`.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    """

    depth: int | None = None
    textbook: bool = False
    memory: int | None = None
    threads: int = 1
    ordering: bool = True
    knowledge: bool = True
    symmetry: bool = True
    windows: bool = True
    aspiration: bool = False
    foresight: bool = True
    killers: int = 0
    history: int = 1
    quiescence: int = 8
    extensions: bool = True
    reductions: bool = True
    null_move: bool = True
    futility: bool = True
    perfect_information: bool = False
    backend: Backend = "auto"

    anytime: ClassVar[bool] = True  # stops at any limit by itself

    @resilient
    def run(
        self,
        game: Game,
        state: State | None = None,
        *,
        history: Sequence[State] = (),
        limits: Limits | None = None,
        table: "Table | None" = None,
        tell: Tell | None = None,
        oracle: Oracle | None = None,
    ) -> SearchResult:
        """Searches from `state` (the start by default). `history` are the states before it, for games that know `repetition`.

        `table` is one that `new_table` made: what it knows is used, and what is found is kept in it. `tell` is told the answer of every
        depth that was finished. `oracle` knows some states: where the search meets one, it goes no further and takes its score as proven.
        Where a state of the history is known, scores may depend on it (`repetition`): then they guide the search, and prove nothing.
        """
        self.check()
        require_two_opponents(game, "deepening", self.perfect_information)
        if game.players != 2:
            raise ZermeloError(f"deepening is for two opponents, but {type(game).__name__} is for one: astar and idastar fit.")
        place = game.start() if state is None else state
        if game.terminal(place):
            return over(self, game, place)
        mover_in(game, place, "deepening")
        if self.depth is None:
            require_no_chance(game, place, "deepening")
        legal = permitted(game, place, actions_of(game, place), {*history, place})
        if not legal:
            return over(self, game, place, lost_payoff(game, game.player(place)))
        notes: list[str] = thread_notes(self.threads)
        sure = oracle is None or game.repetition is None or all(oracle.score(each) is None for each in history)
        deepener = self.compiled_deepener(game, place, legal, history, limits, table, notes, oracle, sure)
        if deepener is not None:
            from zermelo.search.proof.prove_driver import Unsuited

            try:
                found = Deepened(self, game, place, legal, deepener, notes, tell, oracle).run()
                by_the_book = replace(self, backend="reference")
                return confirmed(found, self.backend, lambda: by_the_book.run(game, place, history=history, limits=limits, oracle=oracle))
            except Unsuited:
                notes.append("The reference backend searched: the compiled one cannot hold the payoffs or lines of this game.")
        if table is not None:
            notes.append("The table was not used: only compiled games keep one.")
        deepener = self.reference_deepener(game, place, legal, history, limits, oracle, sure)
        return Deepened(self, game, place, legal, deepener, notes, tell, oracle).run()

    # --- backends

    def check(self) -> None:
        """Raises where the parameters make no sense."""
        check_depth(self.depth)
        if self.depth == 0:
            raise ZermeloError("Deepening looks at least one action ahead: give a depth of at least 1, or none.")
        check_backend(self.backend)
        check_threads(self.threads)
        for name, most in (("memory", None), ("killers", 2), ("history", 2), ("quiescence", 64)):
            value = getattr(self, name)
            if value is None and name == "memory":
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 0 or (most is not None and value > most):
                upto = "" if most is None else f" and at most {most}"
                raise ZermeloError(f"The {name} of a search is a whole number of at least 0{upto}, not {value!r}.")

    def settings(self) -> Settings:
        """The switches as the compiled backend takes them."""
        return Settings(**{name: getattr(self, name) for name in Settings.__dataclass_fields__})

    def new_table(self, game: Game, oracle: Oracle | None = None) -> "Table | None":
        """An empty table for searches of this game with these switches, to be kept between them; None where the game is not compiled.

        Any search of the game can use it; `oracle` is the one that searches will mostly ask, so that nothing else is compiled.
        """
        from zermelo.runtime.backend import choose
        from zermelo.search.deepening.deepening_driver import new_table

        self.check()
        compiled = choose(game, self.backend, SPARE, "deepening").compiled
        if compiled is None:
            return None
        return new_table(
            self.informed(compiled, game, oracle, [])[0], game, self.settings(), DEFAULT_MEMORY if self.memory is None else self.memory
        )

    def informed(
        self, compiled: "CompiledGame", game: Game, oracle: Oracle | None, notes: list[str]
    ) -> "tuple[CompiledGame, OracleArrays | None]":
        """The compiled game with all that the search asks, and the oracle's arrays where it can use them; the rest goes into the notes."""
        from zermelo.search.deepening.deepening_driver import prepared
        from zermelo.search.proof.prove_driver import Unsuited

        oracle_arrays = None if oracle is None else oracle.arrays()
        if oracle is not None and oracle_arrays is None:
            notes.append(f"{oracle.name} does not fit memory: the search does without it.")
        if oracle is not None and oracle_arrays is not None:
            try:
                ready, more = prepared(compiled, game, oracle_arrays)
                notes.extend(more)
                return ready, oracle_arrays
            except Unsuited:
                notes.append(f"Compiled rules do not number positions as {oracle.name} does: the search does without it.")
        ready, more = prepared(compiled, game)
        notes.extend(more)
        return ready, None

    def compiled_deepener(
        self,
        game: Game,
        state: State,
        legal: Sequence[Action],
        history: Sequence[State],
        limits: Limits | None,
        table: "Table | None",
        notes: list[str],
        oracle: Oracle | None,
        sure: bool,
    ) -> "Deepener | None":
        """The compiled backend where the game allows it; what the compiler has to say goes into the notes."""
        if self.backend == "reference" or not isinstance(game.repetition, str | None):
            return None
        from zermelo.runtime.backend import choose
        from zermelo.search.proof.prove_driver import Unsuited

        choice = choose(game, self.backend, SPARE, "deepening")
        notes.extend(choice.notes)
        if choice.compiled is None:
            return None
        from zermelo.search.deepening.deepening_driver import Deepener, new_table

        compiled, oracle_arrays = self.informed(choice.compiled, game, oracle, notes)
        like = new_table(
            compiled, game, self.settings(), 0 if table is not None else DEFAULT_MEMORY if self.memory is None else self.memory
        )
        if table is not None and (table.game, table.kind) == (like.game, like.kind) and table.owner != like.owner:
            table.begin_again(new_table(compiled, game, self.settings(), table.bytes))
        if table is not None and (table.owner, table.kind) != (like.owner, like.kind):
            raise ZermeloError("The table was made for another game or for other switches: make one with this search's `new_table`.")
        lost = lost_payoff(game, MAX), lost_payoff(game, MIN)
        try:
            return Deepener(
                compiled,
                game,
                state,
                legal,
                history=history,
                lost=lost,
                settings=self.settings(),
                table=like if table is None else table,
                threads=self.threads,
                every=not self.textbook,
                limits=limits,
                oracle_arrays=oracle_arrays,
                sure=sure,
            )
        except Unsuited:
            notes.append("The reference backend searched: the compiled one cannot hold the payoffs of this game.")
            return None

    def reference_deepener(
        self,
        game: Game,
        state: State,
        legal: Sequence[Action],
        history: Sequence[State],
        limits: Limits | None,
        oracle: Oracle | None,
        sure: bool,
    ) -> "Deepener":
        """The reference backend, for any game."""
        from zermelo.search.deepening.reference_driver import ReferenceDeepener

        return ReferenceDeepener(self, game, state, legal, history, limits, oracle, sure)


def over(request: Deepening, game: Game, state: State, payoff: Any = None) -> SearchResult:
    """The answer where there is nothing to search: the game is over, or every action is forbidden."""
    value = checked(game, simple_payoff(game, state) if payoff is None else payoff)
    return SearchResult(
        game=game,
        state=state,
        algorithm="deepening",
        value=tidy(value),
        action=None,
        actions=(),
        scores={},
        distances={},
        distance=ByScore(draw_value(game)).distance(leaf(value)),
        line=(),
        exact=True,
        bounds=None,
        nodes=1,
        seconds=0.0,
        parameters=asdict(request),
    )


@dataclass
class Deepened:
    """One search, under way: its backend is asked for one depth after the other."""

    request: Deepening
    game: Game
    state: State
    legal: list[Action]
    deepener: "Deepener"
    notes: list[str]
    tell: Tell | None
    oracle: Oracle | None = None
    answers: dict[Action, RootFound] = field(default_factory=dict)  # the latest about each action
    chosen: Action | None = None
    depth: int = 0  # finished
    stopped: str | None = None  # why the search ended before its time

    def __post_init__(self) -> None:
        self.draw = draw_value(self.game)
        self.measure = ByScore(self.draw)
        self.mover = self.game.player(self.state)
        self.started = time.perf_counter()

    # --- the search

    def run(self) -> SearchResult:
        """Deeper and deeper, until there is nothing left to find out, or a limit or Ctrl-C strikes."""
        try:
            for depth in self.depths():
                self.deepener.iterate(depth)
                self.take(depth)
                if not self.settled and self.deepener.judged == 0:  # every line has ended: only what is not proven stands in the way
                    self.deepener.iterate(depth, strict=True)
                    self.take(depth)
                    if self.deepener.judged == 0:
                        break
                if self.settled:
                    break
        except Stopped as limit:
            self.stopped = limit.reason
            self.take_unfinished()
        except KeyboardInterrupt:
            self.stopped = "interrupted"
            self.take_unfinished()
        return self.result()

    def depths(self) -> Iterator[int]:
        """1, 2, 3, …; where a depth costs next to nothing, as in a long forced line, further steps."""
        most = MOST_DEPTH if self.request.depth is None else min(self.request.depth, MOST_DEPTH)
        depth = 1
        while depth <= most:
            before = self.deepener.nodes
            yield depth
            quick = depth >= FORCED_DEPTH and self.deepener.nodes - before < FORCED
            depth = most if depth < most < depth + depth // 8 and quick else depth + (max(1, depth // 8) if quick else 1)

    def take(self, depth: int) -> None:
        """A depth is finished."""
        self.depth = depth
        self.answers = {found.action: found for found in self.deepener.found()}
        self.chosen = self.best().action
        if self.request.textbook:
            self.deepener.promote(self.chosen)
        if self.tell is not None:
            self.tell(self.result())

    def take_unfinished(self) -> None:
        """Of the depth that was under way, the actions that are done count, if the best one so far is among them."""
        latest = {found.action: found for found in self.deepener.found() if found.depth > 0}
        if self.chosen is None:
            self.answers = latest
            self.chosen = self.best().action if latest else None
            return
        anew = {action for action, found in latest.items() if found.depth > self.depth}
        if self.chosen not in anew or not latest[self.chosen].exact:
            return
        if self.request.textbook:
            self.answers = latest
            self.chosen = self.best([found for action, found in latest.items() if action in anew]).action
        elif len(anew) == len(self.legal):
            self.answers = latest
            self.chosen = self.best().action

    def best(self, among: Sequence[RootFound] | None = None) -> RootFound:
        """The best action for the mover, of equals the first in the order of the rules; a textbook search knows the others as bounds only.

        A bound beyond all exact scores is of an action that turned out better, just before the search was stopped.
        """
        candidates = list(self.answers.values()) if among is None else list(among)
        if not self.request.textbook:
            candidates = [self.answers[action] for action in self.legal if action in self.answers]
        else:
            candidates.sort(key=lambda found: not found.exact)
        better = max if self.mover == MAX else min
        return better(candidates, key=lambda found: found.score)

    # --- what is proven

    @property
    def low(self) -> Score:
        """A proven lower bound of the score."""
        return self.proven(lower=True)

    @property
    def high(self) -> Score:
        """A proven upper bound of the score."""
        return self.proven(lower=False)

    def proven(self, lower: bool) -> Score:
        """A proven bound: for the side that moves one action is enough, for the other all are needed."""
        worst = self.measure.least if lower else self.measure.most
        bounds = [found.score for found in self.answers.values() if (found.sure_low if lower else found.sure_high)]
        if lower == (self.mover == MAX):
            return (max if lower else min)(bounds, default=worst)
        return (min if lower else max)(bounds) if bounds and len(bounds) == len(self.legal) else worst

    @property
    def settled(self) -> bool:
        """Is there nothing left to find out?"""
        if self.request.textbook:
            return self.low == self.high
        return all(found.sure_low and found.sure_high for found in self.answers.values())

    # --- the result

    def result(self) -> SearchResult:
        """The answer so far, frozen."""
        request, deepener = self.request, self.deepener
        low, high = self.low, self.high
        least, most = self.game.payoffs or (-math.inf, math.inf)
        bottom, top = max(low.value, least), min(high.value, most)  # the largest payoff cannot be bettered, whatever else is unknown
        exact = bool(self.answers) and bottom == top
        action = self.legal[0] if self.chosen is None else self.chosen
        value = bottom if exact else self.answers[action].score.value if action in self.answers else estimate(self.game, self.state)
        distance = self.measure.distance(low) if exact and low == high else 1 if exact and self.won_at_once(action) else None
        answers = {} if request.textbook else {each: self.answers[each] for each in self.legal if each in self.answers}
        return SearchResult(
            game=self.game,
            state=self.state,
            algorithm="deepening",
            value=shown(value, exact),
            action=action,
            actions=self.best_actions(action, answers),
            scores={each: shown(found.score.value, found.sure_low and found.sure_high) for each, found in answers.items()},
            distances={each: self.distance(found) for each, found in answers.items()},
            distance=distance,
            line=self.line(action, value if exact else None, distance),
            exact=exact,
            bounds=None if exact or self.game.payoffs is None else (tidy(bottom), tidy(top)),
            nodes=deepener.nodes,
            seconds=time.perf_counter() - self.started,
            depth=self.depth,
            table_hits=deepener.table_hits,
            backend=deepener.backend,
            stopped=self.stopped or "",
            parameters=asdict(request),
            notes=(*self.notes, *self.stop_notes(exact)),
            extra={"threads": request.threads} | ({} if self.oracle is None else self.told()),
        )

    def distance(self, found: RootFound) -> int | None:
        return self.measure.distance(found.score) if found.sure_low and found.sure_high else None

    def best_actions(self, action: Action, answers: dict[Action, RootFound]) -> tuple[Action, ...]:
        """Every action of best value, as far as they were scored."""
        if len(answers) < len(self.legal):
            return (action,)
        best = shown(answers[action].score.value, False)
        return tuple(each for each, found in answers.items() if shown(found.score.value, False) == best)

    def told(self) -> dict[str, Any]:
        """What the oracle had to do with it."""
        return {} if self.oracle is None else {"database": self.oracle.name, "database_hits": self.deepener.oracle_hits}

    def line(self, action: Action, value: Any, distance: int | None) -> tuple[Action, ...]:
        """The line of best play, as far as the table or the oracle knows it.

        The table may have lost the best reply, or know one from a line that went another way: what ends otherwise than an exact answer
        says is left out, unless the rules are to blame.
        """
        actions, state = [action], self.game.result(self.state, action)
        seen = {self.state: None}  # in order
        longest = min(LONGEST_LINE, max(1, 2 * self.depth)) if self.oracle is None else LONGEST_LINE
        while len(actions) < longest and state not in seen and not self.game.terminal(state):
            reply = self.known_reply(state)
            if reply is None:
                reply = self.deepener.recommended(state) if len(actions) < 2 * self.depth else None
            if reply is None:
                break
            seen[state] = None
            actions.append(reply)
            state = self.game.result(state, reply)
        if value is None or not self.game.terminal(state):
            return tuple(actions)
        told = same(simple_payoff(self.game, state), value) and distance in (None, len(actions))
        return tuple(actions) if told or self.deepener.miscompiled((*seen, state)) else (action,)

    def known_reply(self, state: State) -> Action | None:
        """The best action of a state that the oracle knows with all that follows it, the first of equals; None where it does not."""
        if self.oracle is None or self.oracle.score(state) is None:
            return None
        after = {action: self.after(self.game.result(state, action)) for action in self.game.actions(state)}
        scores = {action: lift(score, self.draw) for action, score in after.items() if score is not None}
        if not scores or len(scores) < len(after):
            return None
        best = (max if self.game.player(state) == MAX else min)(scores.values())
        return next(action for action, score in scores.items() if score == best)

    def after(self, state: State) -> Score | None:
        """The exact score of a state that is over or known."""
        assert self.oracle is not None
        return leaf(checked(self.game, simple_payoff(self.game, state))) if self.game.terminal(state) else self.oracle.score(state)

    def won_at_once(self, action: Action) -> bool:
        """Does the action end the game, as nothing can sooner, with another payoff than a draw's?"""
        after = self.game.result(self.state, action)
        return bool(self.game.terminal(after)) and simple_payoff(self.game, after) != self.draw

    def stop_notes(self, exact: bool) -> list[str]:
        if self.stopped is None:
            return []
        done = "the value is proven, the rest is not" if exact else f"{self.depth} action{'' if self.depth == 1 else 's'} deep, not proven"
        return [f"The search was not finished ({self.stopped}): {done}."]


def shown(value: Any, exact: bool) -> Any:
    """A payoff as it is reported: an estimate without the last digits, which mean nothing."""
    return tidy(value if exact else round(float(value), 9))
