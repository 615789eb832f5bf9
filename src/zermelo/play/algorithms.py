"""Algorithms by name, and how one thinks within limits.

Adding an algorithm is one module and one row here: a frozen dataclass whose fields are its parameters and whose `search(game, state, …)`
returns a `SearchResult`. Modules are imported when they are first asked for.
"""

import importlib
import inspect
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from zermelo.errors import CompiledLimitError, ZermeloError, nearest
from zermelo.limits import Flag, Limits
from zermelo.play.small_trees import FIRST_NODES, FIRST_SECONDS, interpreted_first
from zermelo.registry.spelling import parse
from zermelo.replay import confirmed, contradiction, instead
from zermelo.results import SearchResult
from zermelo.rules import Game, State
from zermelo.runtime.oracle import Oracle
from zermelo.scores import LONGEST
from zermelo.trees.trace import Recorder

__all__ = [
    "ALGORITHMS",
    "Budget",
    "algorithm_class",
    "algorithm_parameters",
    "anytime",
    "deepens",
    "double_checked",
    "family",
    "grows",
    "interrupted",
    "make_algorithm",
    "search",
    "suited",
    "think",
    "unfinished",
]

SMALL = 2_000  # nodes of a search that is repeated without compiled code
AGAIN_SECONDS = 0.5  # for that

ALGORITHMS = {
    "minimax": "zermelo.search.classic.minimax:Minimax",
    "negamax": "zermelo.search.classic.negamax:Negamax",
    "alphabeta": "zermelo.search.classic.alphabeta:AlphaBeta",
    "deepening": "zermelo.search.deepening.deepening:Deepening",
    "backward": "zermelo.trees.backward_induction:BackwardInduction",
    "astar": "zermelo.search.puzzles.astar:AStar",
    "idastar": "zermelo.search.puzzles.idastar:IDAStar",
    "realtime": "zermelo.search.puzzles.realtime:RealTime",
    "lrta": "zermelo.search.puzzles.lrta:LRTA",
    "expectimax": "zermelo.search.chance.opponent:Expectimax",
    "expectiminimax": "zermelo.search.chance.expectiminimax:Expectiminimax",
    "star1": "zermelo.search.chance.star:Star1",
    "star2": "zermelo.search.chance.star:Star2",
    "maxn": "zermelo.search.players.maxn:MaxN",
    "paranoid": "zermelo.search.players.paranoid:Paranoid",
    "coalition": "zermelo.search.players.coalition:Coalition",
    "mcts": "zermelo.search.montecarlo.mcts:MCTS",
    "network": "zermelo.search.montecarlo.network.puct:NetworkSearch",
    "determinized": "zermelo.search.montecarlo.hidden.determinized:Determinized",
    "ismcts": "zermelo.search.montecarlo.hidden.ismcts:ISMCTS",
    "isuct": "zermelo.search.montecarlo.hidden.isuct:ISUCT",
    "smooth": "zermelo.search.montecarlo.hidden.smooth:SmoothUCT",
    "pouct": "zermelo.search.montecarlo.hidden.pouct:POUCT",
    "equilibrium": "zermelo.play.equilibrium_algorithm:Equilibrium",
    "valueiteration": "zermelo.search.chance.value_iteration:ValueIteration",
    "graph": "zermelo.search.classic.position_graph:Graph",
    "layers": "zermelo.search.chance.layers:Layers",
    "database": "zermelo.solve.lookup:Lookup",
}


def algorithm_class(name: str) -> type[Any]:
    """The algorithm's class."""
    if name not in ALGORITHMS:
        raise ZermeloError(f"There is no algorithm {name}: {nearest(name, ALGORITHMS)}")
    module, _, member = ALGORITHMS[name].partition(":")
    kind: type[Any] = getattr(importlib.import_module(module), member)
    return kind


def name_of_algorithm(algorithm: Any) -> str:
    """The name under which people choose an algorithm; its class's, if it has no such name."""
    path = f"{type(algorithm).__module__}:{type(algorithm).__name__}"
    return next((name for name, place in ALGORITHMS.items() if place == path), type(algorithm).__name__)


def family(name: str) -> str:
    """The room that the algorithm lives in, such as `classic` or `montecarlo`; "" outside the rooms of `search`."""
    room = ALGORITHMS[name].split(".")
    return room[2] if room[1] == "search" else ""


def anytime(algorithm: str | Any) -> bool:
    """Does an algorithm, or the one with this name, stop at any limit by itself? Then no search to one depth after the other is needed."""
    return bool(getattr(algorithm_class(algorithm) if isinstance(algorithm, str) else algorithm, "anytime", False))


def deepens(algorithm: str | Any) -> bool:
    """Has an algorithm, or the one with this name, a depth, so that it can be asked to look a little further each time?"""
    return "depth" in {field.name for field in fields(algorithm_class(algorithm) if isinstance(algorithm, str) else algorithm)}


def grows(algorithm: str) -> bool:
    """Does the algorithm with this name grow a tree of playouts, which can be drawn as it is?"""
    return hasattr(algorithm_class(algorithm), "grow")


def suited(name: str, **wanted: Any) -> dict[str, Any]:
    """Those of the parameters that the algorithm has."""
    known = {field.name for field in fields(algorithm_class(name))}
    return {parameter: value for parameter, value in wanted.items() if parameter in known}


def make_algorithm(name: str, **wanted: Any) -> Any:
    """The algorithm with these parameters; what asks for nothing is left out where it does not know it: None, False, and a backend that
    is "auto", or "reference", which every algorithm has."""
    given = suited(name, **wanted)
    for parameter, value in wanted.items():
        if parameter not in given and value not in (None, False, "auto", "reference"):
            raise ZermeloError(f"The algorithm {name} has no parameter {parameter}: leave it out or choose another algorithm.")
    return algorithm_class(name)(**given)


def algorithm_parameters(text: str) -> tuple[str, dict[str, Any]]:
    """Name and parameters of an algorithm that is written as alphabeta(ordering=False)."""
    spelling = parse(text)
    name = spelling.name or text
    known = [field.name for field in fields(algorithm_class(name))]
    if spelling.arguments.positional:
        raise ZermeloError(f"The parameters of {name} are given by name, such as {name}({known[0] if known else 'depth'}=…).")
    for parameter in spelling.arguments.named:
        if parameter not in known:
            raise ZermeloError(f"{name} has no parameter {parameter}: {nearest(parameter, known)}")
    return name, dict(spelling.arguments.named)


def search(
    algorithm: Any,
    game: Game,
    state: State,
    history: tuple[State, ...] = (),
    limits: Limits | None = None,
    recorder: Recorder | None = None,
    tell: Callable[[SearchResult], object] | None = None,
    table: Any = None,
    oracle: Oracle | None = None,
) -> SearchResult:
    """One search; what an algorithm does not take (backward induction needs no history) is not passed on.

    A small tree is searched by the interpreter, before anything is compiled.
    """
    known = inspect.signature(algorithm.run).parameters
    offered = {"history": history, "limits": limits, "recorder": recorder, "tell": tell, "table": table, "memo": table, "oracle": oracle}
    given = {name: value for name, value in offered.items() if name in known}
    if table is None and oracle is None and "limits" in known and interpreted_first(algorithm, game, state):
        first: SearchResult = by_reference(algorithm).run(
            game, state, **given | {"limits": within(limits or Limits(), FIRST_NODES, FIRST_SECONDS)}
        )
        if not unfinished(first):
            return replace(first, parameters=first.parameters | {"backend": algorithm.backend})
    try:
        result: SearchResult = algorithm.run(game, state, **given)
    except Exception as error:
        if not fails_compiled(algorithm, error):
            raise
        result = by_reference(algorithm).run(game, state, **{name: value for name, value in given.items() if name != "table"})
        reason = str(error).rstrip(".") or type(error).__name__
        return replace(result, notes=(f"The reference backend searched, because compiled code could not: {reason}.", *result.notes))
    if "limits" not in known or not hasattr(algorithm, "backend"):
        return result
    afresh = given | dict.fromkeys(given.keys() & {"table", "memo"})
    return confirmed(result, algorithm.backend, lambda: by_reference(algorithm).run(game, state, **afresh))


def within(limits: Limits, nodes: int, seconds: float) -> Limits:
    """The limits, and these as well."""
    return replace(limits, nodes=min(nodes, limits.nodes or nodes), time=seconds if limits.time is None else min(seconds, limits.time))


def by_reference(algorithm: Any) -> Any:
    """The same algorithm without compiled code."""
    return replace(algorithm, backend="reference")


def fails_compiled(algorithm: Any, error: Exception) -> bool:
    """Did compiled code fail where the rules as written may not? Then they are asked, and name their own line where they fail too."""
    if getattr(algorithm, "backend", None) != "auto" or isinstance(error, OSError | MemoryError):
        return False
    return isinstance(error, CompiledLimitError) or not isinstance(error, ZermeloError)


def double_checked(algorithm: Any, result: SearchResult, history: tuple[State, ...] = (), small: int = SMALL) -> SearchResult:
    """An exact answer of compiled code from a small tree, searched once more by the rules as written; theirs counts where they differ."""
    if result.backend != "compiled" or not result.exact or result.nodes > small or not hasattr(algorithm, "backend"):
        return result
    found = search(by_reference(algorithm), result.game, result.state, history, Limits(time=AGAIN_SECONDS))
    fault = contradiction(result, found)
    return result if fault is None else instead(found, result, fault)


def unfinished(result: SearchResult) -> bool:
    """Did a limit or Ctrl-C end the search before its time?"""
    return result.stopped != ""


def interrupted(result: SearchResult) -> bool:
    """Did somebody press Ctrl-C?"""
    return result.stopped == "interrupted"


@dataclass(frozen=True)
class Budget:
    """How long to think."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None

    def part(self, share: float, seconds: float = 0.0, nodes: int = 0) -> "Budget":
        """A share of what is left after so much was spent."""
        return Budget(
            self.depth,
            None if self.seconds is None else max(0.0, self.seconds - seconds) * share,
            None if self.nodes is None else max(1, int((self.nodes - nodes) * share)),
        )

    def within(self, most: "Budget") -> "Budget":
        """The smaller of both, limit by limit."""
        pairs = ((self.depth, most.depth), (self.seconds, most.seconds), (self.nodes, most.nodes))
        depth, seconds, nodes = (min((limit for limit in pair if limit is not None), default=None) for pair in pairs)
        return Budget(None if depth is None else int(depth), seconds, None if nodes is None else int(nodes))

    def spent(self, seconds: float, nodes: int) -> bool:
        return (self.seconds is not None and seconds >= self.seconds) or (self.nodes is not None and nodes >= self.nodes)


def think(
    algorithm: Any,
    game: Game,
    state: State,
    budget: Budget,
    history: tuple[State, ...] = (),
    progress: Callable[[int], object] | None = None,
    stop: Flag | None = None,
    tell: Callable[[SearchResult], object] | None = None,
    table: Any = None,
    oracle: Oracle | None = None,
) -> SearchResult:
    """The algorithm's answer within a budget, or the best so far once `stop` is raised.

    First one action deep, which is quick and lets the compiler do its work before the clock starts; then to the end of the game with a
    quarter of the budget, which settles positions late in a game; then depth 2, 3, … until the value is exact or the budget is spent.
    The answer is that of the last search that was finished, so a limit of nodes gives the same answer on every machine. Its `nodes` and
    `seconds` are those of all searches together. An algorithm that stops at any limit by itself is asked once.

    `progress` is told the nodes now and then, `tell` every search that was finished. `table` is one that the algorithm made, to be kept;
    `oracle` knows some states, for an algorithm that asks one.
    """
    if anytime(algorithm):
        if budget.depth is not None and deepens(algorithm):
            algorithm = replace(algorithm, depth=budget.depth)
        limits = Limits(budget.seconds, budget.nodes, stop=stop, progress=progress)
        return search(algorithm, game, state, history, limits, tell=tell, table=table, oracle=oracle)
    if not deepens(algorithm):
        raise ZermeloError(f"{name_of_algorithm(algorithm)} cannot stop early: leave the limits out or choose another algorithm.")
    begun = time.perf_counter()
    best = search(
        replace(algorithm, depth=1 if budget.depth is None else min(1, budget.depth)), game, state, history, Limits(progress=progress)
    )
    if tell is not None:
        tell(best)
    nodes, clock = best.nodes, time.perf_counter()
    for depth in depths_to_try(budget.depth):
        elapsed = time.perf_counter() - clock
        if best.exact or interrupted(best) or budget.spent(elapsed, nodes) or (stop is not None and stop.is_set()):
            break
        share = budget.part(1 if depth else 1 / 4, elapsed, nodes)
        try:
            limits = Limits(share.seconds, share.nodes, stop=stop, progress=progress)
            found = search(replace(algorithm, depth=depth), game, state, history, limits, table=table)
        except ZermeloError:
            if depth is None:  # a game without end: it can be searched to a depth all the same
                continue
            raise
        nodes += found.nodes
        if interrupted(found):
            best = replace(best, stopped=found.stopped, notes=found.notes)
        elif not unfinished(found):
            best = found
            if tell is not None:
                tell(replace(best, nodes=nodes, seconds=time.perf_counter() - begun))
        elif depth is not None:
            break
    return replace(best, nodes=nodes, seconds=time.perf_counter() - begun)


def depths_to_try(most: int | None) -> Iterator[int | None]:
    """After depth 1: to the end (None) where no depth is set, then deeper and deeper."""
    if most is None:
        yield None
    yield from range(2, 1 + (LONGEST if most is None else most))
