"""A search that is watched: the trace from which every explanation and picture of a tree is made."""

import inspect
from dataclasses import dataclass, replace

from zermelo.errors import ZermeloError
from zermelo.formats.position import Position
from zermelo.limits import Limits
from zermelo.play.algorithms import algorithm_class, anytime, grows, make_algorithm, search, suited, unfinished
from zermelo.registry.sampled_states import explore
from zermelo.results import SearchResult
from zermelo.rules import Game, hidden_information, legal_actions
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree
from zermelo.trees.trace import Recorder, Trace
from zermelo.trees.tree import Tree
from zermelo.trees.unfolding import unfold

__all__ = ["Watched", "natural_algorithm", "watch"]

WHOLE = 60_000  # nodes of a search that is still recorded to its end when no depth is given
GLANCE = 1_500  # nodes of the tree that is shown instead
SPROUTS = 60  # most visited nodes of a tree of playouts
MOST = 1_000_000  # nodes of any recorded search


@dataclass(frozen=True)
class Watched:
    """A recorded search; or a tree that no algorithm was asked about."""

    subject: Trace | Tree | MonteCarloTree
    result: SearchResult | None
    notes: tuple[str, ...] = ()


def natural_algorithm(game: Game) -> str | None:
    """The algorithm that fits a game: minimax for one player or two opponents, else backward induction; none where something is hidden."""
    if hidden_information(game):
        return None
    suits = game.players == 1 or (game.players == 2 and game.total is not None)
    return "minimax" if suits and not explore(game, limit=1_000).chance else "backward"


def watch(
    game: Game,
    place: Position,
    engine: str | None,
    depth: int | None,
    textbook: bool = True,
    perfect_information: bool = False,
    playouts: int | None = None,
    seed: int | None = None,
    size: int | None = None,
) -> Watched:
    """Records a search from a position. Without a depth the whole tree is searched, or, where that is too large, its first levels.

    A search by playouts shows the `size` most visited nodes of its tree.
    """
    if engine is not None and grows(engine):
        algorithm = make_algorithm(engine, depth=depth, perfect_information=perfect_information, playouts=playouts, seed=seed)
        result, tree = algorithm.grow(game, place.state, place.history, size=SPROUTS if size is None else size)
        return Watched(tree, result, result.notes)
    if playouts is not None or seed is not None:
        raise ZermeloError("Playouts and a seed are for engines that play out games: name one, such as `algorithm='mcts'`.")
    if depth is not None or (engine is not None and anytime(engine)):
        return record(game, place, engine, depth, textbook, perfect_information, MOST)
    try:
        return record(game, place, engine, None, textbook, perfect_information, WHOLE)
    except ZermeloError as error:  # too large, or without end; whatever else is wrong shows itself again
        shallow = fitting_depth(game, place)
        if shallow is None:
            raise
        found = record(game, place, engine, shallow, textbook, perfect_information, MOST)
        done = "drawn" if engine is None else "searched"
        reason = "The whole tree is too large to show" if isinstance(error, TooLargeError) else str(error).rstrip(".")
        return replace(found, notes=(f"{reason}; {done} to depth {shallow}, and `depth=N` chooses another.", *found.notes))


class TooLargeError(ZermeloError):
    """The tree has more nodes than can be shown."""


def record(
    game: Game, place: Position, engine: str | None, depth: int | None, textbook: bool, perfect_information: bool, most: int
) -> Watched:
    """One search with a recorder; backward induction and plain pictures work on the unfolded tree where there is a depth."""
    if engine is None or (engine == "backward" and depth is not None):
        tree = unfolded(game, place, depth, most)
        if engine is None:
            return Watched(tree, None)
        return record(tree, Position(tree.start()), engine, None, textbook, perfect_information, most)
    require_steps(engine)
    recorder = Recorder(game, engine)
    wanted = suited(engine, textbook=textbook, backend="reference", limit=most, memory=None if anytime(engine) else 0)
    algorithm = make_algorithm(engine, depth=depth, perfect_information=perfect_information, **wanted)
    result = search(algorithm, game, place.state, place.history, Limits(nodes=most), recorder)
    if unfinished(result) or result.nodes >= most:
        raise TooLargeError(f"The search has more than {most:,} nodes: give a smaller `depth=`.")
    return Watched(recorder.trace(), result, result.notes)


def require_steps(engine: str) -> None:
    """Raises where an engine does not go from state to state, so that there is no tree of its steps."""
    if "recorder" not in inspect.signature(algorithm_class(engine).run).parameters:
        raise ZermeloError(f"{engine} does not search a tree, so that there is none to draw; choose another `algorithm=`, or leave it out.")


def unfolded(game: Game, place: Position, depth: int | None, most: int) -> Tree:
    """The tree below a position; a tree from its root is what it is."""
    if isinstance(game, Tree) and depth is None and place.state == game.start():
        return game
    if counted(game, place, depth, most) > most:
        raise TooLargeError(f"The tree has more than {most:,} nodes: give a smaller `depth=`.")
    return unfold(game, place.state, depth, limit=most + 1)


def fitting_depth(game: Game, place: Position) -> int | None:
    """The largest depth, at least 1, at which the tree is small enough for a glance; None where all of it is."""
    depth, nodes = 1, counted(game, place, 1, GLANCE)
    while (deeper := counted(game, place, depth + 1, GLANCE)) <= GLANCE:
        if deeper == nodes:
            return None
        depth, nodes = depth + 1, deeper
    return depth


def counted(game: Game, place: Position, depth: int | None, most: int) -> int:
    """Nodes of the tree to a depth, as far as `most`."""
    waiting, nodes = [(place.state, 0)], 0
    while waiting and nodes <= most:
        state, level = waiting.pop()
        nodes += 1
        if level != depth:
            waiting.extend((game.result(state, action), level + 1) for action in legal_actions(game, state))
    return nodes
