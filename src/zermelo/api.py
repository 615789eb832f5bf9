"""The words of the command line as functions: `game`, `best`, `solve`, `tree`, `equilibrium`, `match`, `check`, `perft`, `stats`.

A game is a `Game`, or its name as on the command line: `"connect4(width=5, height=4)"`, `"mygame.py"`, `"tree.efg"`. A position is a
text (moves from the start, or a board as the game shows it), or any other state of the game. Results are frozen values.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from zermelo.errors import ZermeloError
from zermelo.formats.position import Position
from zermelo.limits import Limits, Observer
from zermelo.play.algorithms import Budget, make_algorithm, think
from zermelo.play.choosing import default_algorithm
from zermelo.play.setup import open_game, open_record, open_rules
from zermelo.play.small_games import MOST_PROVEN, WHOLE_SECONDS, solved_graph, solved_hidden
from zermelo.registry.spelling import parse
from zermelo.results import EquilibriumResult, PerftResult, SearchResult
from zermelo.rules import Game, State
from zermelo.search.plan import Backend

if TYPE_CHECKING:
    from zermelo.check import Report
    from zermelo.play.arena import Outcome
    from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree
    from zermelo.solve.game_statistics import GameStatistics
    from zermelo.solve.work import StrongResult
    from zermelo.trees.trace import Trace
    from zermelo.trees.tree import Tree

__all__ = ["best", "check", "equilibrium", "game", "match", "perft", "solve", "stats", "tree"]


def game(name: str, /, **parameters: Any) -> Game:
    """Open a game by its name.

    Parameters
    ----------
    name : str
        A registered game (`"connect4"`), a file of rules (`"mygame.py"` or `"mygame.py:MyGame"`), a tree (`.json`, `.efg`) or a matrix
        game (`.nfg`).
    **parameters
        The game's own parameters; they may also be written in the name.

    Returns
    -------
    Game

    Examples
    --------
    >>> from zermelo import game
    >>> game("connect4", width=5, height=4) == game("connect4(width=5, height=4)")
    True
    """
    return open_game(name, **parameters)


def best(
    game: Game | str,
    position: State | str | None = None,
    *,
    algorithm: Any = None,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    memory: int | None = None,
    threads: int | None = None,
    seed: int | None = None,
    observer: Observer | None = None,
    **parameters: Any,
) -> SearchResult:
    """Find the best move, every move's score, the line, and how sure that is.

    Without a limit the search goes to the end of the game. With `time` or `nodes` it looks deeper and deeper until that is spent.
    A small game with hidden information, or whose positions return, is solved whole; where positions return in a large one, the search
    stops after ten seconds.

    Parameters
    ----------
    game : Game or str
        The game or its name.
    position : str or state, optional
        Where to search from; the start by default.
    algorithm : str or algorithm, optional
        A name (`"alphabeta"`), a name with parameters (`"mcts(playouts=1000)"`) or an algorithm; the one that fits the game by default.
    time, nodes, depth, memory, threads, seed : optional
        See `Limits`.
    observer : Observer, optional
        Hears of progress, records the trace, can stop the search.
    **parameters
        The algorithm's own parameters, such as `textbook=True`.

    Returns
    -------
    SearchResult

    Examples
    --------
    >>> from zermelo import best
    >>> answer = best("tictactoe", "0142", backend="reference")
    >>> answer.value, answer.action, answer.exact
    (1, 8, True)
    """
    rules, watcher = opened(game), observer or Observer()
    place = placed(rules, position)
    limited = time is not None or nodes is not None
    wanted = parameters | Limits(time, nodes, depth, memory, threads, seed).parameters()
    if algorithm is None and not parameters and (nodes, depth, memory, threads, watcher.trace) == (None,) * 5:
        solved = solved_hidden(rules, place) or solved_graph(rules, place, time or WHOLE_SECONDS, watcher)
        if isinstance(solved, SearchResult):
            return solved
        if solved is not None:  # too large, and a search to the end of it may never end
            time, limited = time or WHOLE_SECONDS, True
    if algorithm is None:
        see_all = bool(parameters.get("perfect_information"))
        algorithm = default_algorithm(rules, limited=limited or (threads or 1) > 1, to_depth=depth is not None, perfect_information=see_all)
    searcher = named(algorithm, wanted)
    if not limited:
        found: SearchResult = searcher.search(rules, place.state, history=place.history, observer=watcher)
        return found
    if watcher.trace is not None:
        raise ZermeloError("A trace is of one search: give a depth instead of a time or a number of nodes.")
    return think(searcher, rules, place.state, Budget(depth, time, nodes), place.history, watcher.progress, watcher.stop)


@overload
def solve(game: Game | str, position: State | str | None = None, *, all: Literal[False] = False, **options: Any) -> SearchResult: ...


@overload
def solve(game: Game | str, position: State | str | None = None, *, all: Literal[True], **options: Any) -> "StrongResult": ...


def solve(
    game: Game | str,
    position: State | str | None = None,
    *,
    all: bool = False,
    out: str | Path | None = None,
    time: float | None = None,
    nodes: int | None = None,
    observer: Observer | None = None,
    **parameters: Any,
) -> "SearchResult | StrongResult":
    """Prove who wins and how soon; with `all`, from every position.

    Parameters
    ----------
    game : Game or str
        The game or its name.
    position : str or state, optional
        Where to solve from; the start by default.
    all : bool, default False
        Solve every position that can be reached, and count them.
    out : path, optional
        With `all`: write the database to this file. An interrupted solve goes on from there.
    time, nodes : optional
        Limits of the proof of one position; what is proven by then is the answer.
    observer : Observer, optional
        Hears of progress, records the trace, can stop the search.
    **parameters
        Those of `Prove` (`weak`, `distance`, `textbook`, `method`, `threads`, `memory`, …) or, with `all`, of `StrongSolver`
        (`memory`, `threads`, `symmetry`, `positions`, …).

    Returns
    -------
    SearchResult or StrongResult

    Examples
    --------
    >>> from zermelo import solve
    >>> proof = solve("nim(heaps=(1, 2))", backend="reference")
    >>> proof.value, proof.distance
    (1, 3)
    >>> solve("nim(heaps=(1, 2))", all=True, backend="reference").positions
    8
    """
    rules, watcher = opened(game), observer or Observer()
    place, limits = placed(rules, position), Limits(time, nodes)
    if all:
        from zermelo.solve.strong import StrongSolver

        return StrongSolver(**parameters).search(rules, place.state, limits=limits, observer=watcher, out=out)
    if out is not None:
        raise ZermeloError("A database holds every position: solve with `all=True` to write one.")
    if not parameters and nodes is None and watcher.trace is None:
        found = solved_graph(rules, place, time, watcher, MOST_PROVEN)
        if isinstance(found, SearchResult):
            return found
    from zermelo.search.proof.prove import Prove

    return Prove(**parameters).search(rules, place.state, history=place.history, limits=limits, observer=watcher)


def tree(
    game: Game | str,
    position: State | str | None = None,
    *,
    algorithm: str | None = None,
    depth: int | None = None,
    textbook: bool = True,
    perfect_information: bool = False,
    playouts: int | None = None,
    seed: int | None = None,
) -> "Trace | Tree | MonteCarloTree":
    """Record a search as a tree, to be drawn and explained.

    Parameters
    ----------
    game : Game or str
        The game or its name.
    position : str or state, optional
        The root; the start by default.
    algorithm : str, optional
        Whose search to record: minimax by default, backward induction where that does not fit. A game with hidden information is
        unfolded without being solved.
    depth : int, optional
        Actions below the root; as many as can be shown by default.
    textbook : bool, default True
        The textbook search, or the default one with distances.
    perfect_information : bool, default False
        Search as if everybody saw everything.
    playouts, seed : int, optional
        For Monte Carlo tree search.

    Returns
    -------
    Trace, Tree or MonteCarloTree
        It shows itself in a notebook; `zermelo.draw` makes text, SVG, DOT, TikZ and explanations of it.

    Examples
    --------
    >>> from zermelo import draw, tree
    >>> len(tree("nim(heaps=(1, 1))", depth=1).visits)
    3
    """
    from zermelo.play.explaining import natural_algorithm, watch

    rules = opened(game)
    chosen = algorithm or natural_algorithm(rules) or ("backward" if perfect_information else None)
    return watch(rules, placed(rules, position), chosen, depth, textbook, perfect_information, playouts, seed).subject


def equilibrium(
    game: Game | str,
    *,
    method: str = "auto",
    time: float | None = None,
    iterations: int | None = None,
    target: float | None = None,
    observer: Observer | None = None,
    **parameters: Any,
) -> EquilibriumResult:
    """Find strategies of all players, the value, and how far from an equilibrium they are.

    Parameters
    ----------
    game : Game or str
        The game or its name; hidden information, chance and matrix games are welcome.
    method : str, default "auto"
        `"lp"`, `"cfr"`, `"cfr+"`, `"dcfr"`, `"mccfr"`, …; `"auto"` takes the one that fits.
    time : float, optional
        Seconds.
    iterations : int, optional
        Iterations of a regret minimizer.
    target : float, optional
        Stop at this exploitability.
    observer : Observer, optional
        Hears of progress and can stop the work; `progress` gets a `Progress` with iterations and exploitability.
    **parameters
        Those of `zermelo.equilibrium.extensive.solver.EquilibriumSolver`, such as `certify=True`, `threads` and `seed`.

    Returns
    -------
    EquilibriumResult
        For a card game over ranges, such as `holdem`, a `public_result.RangeResult`; its parameters are those of
        `zermelo.equilibrium.extensive.public.public_solver.PublicSolver`.

    Examples
    --------
    >>> from zermelo import equilibrium
    >>> found = equilibrium("kuhn")
    >>> round(found.value[0], 6), found.exploitability < 1e-6
    (-0.055556, True)
    """
    from zermelo.equilibrium.extensive.public.public_solver import PUBLIC_METHODS, PublicSolver, has_public_form
    from zermelo.equilibrium.extensive.solver import EquilibriumSolver

    rules = opened(game)
    given = {"method": method, "iterations": iterations, **parameters}
    if has_public_form(rules) and method in PUBLIC_METHODS and not parameters.get("certify"):
        percent = None if target is None else 100 * target / rules.public().pot  # type: ignore[attr-defined]  # it has a public form
        return PublicSolver(target=percent, **given).search(rules, limits=Limits(time), observer=observer)  # type: ignore[return-value]
    return EquilibriumSolver(target=target, **given).search(rules, limits=Limits(time), observer=observer)


def match(
    game: Game | str,
    *players: str,
    games: int = 100,
    plies: int = 4,
    openings: str | Path | None = None,
    workers: int = 1,
    seed: int = 0,
    out: str | Path | None = None,
) -> "Outcome":
    """Let players meet: every two play pairs of games from the same opening, with sides swapped.

    Parameters
    ----------
    game : Game or str
        The game or its name.
    *players : str
        Two or more players with their parameters, such as `"alphabeta(depth=4)"`, `"mcts"`, `"random"`.
    games : int, default 100
        Games of every two players; an even number.
    plies : int, default 4
        Random moves of an opening.
    openings : path, optional
        A file of openings instead, one position a line.
    workers : int, default 1
        Processes that play.
    seed : int, default 0
        Of the openings and of the players.
    out : path, optional
        Keep every game in this SQLite file, and go on with it if it is there.

    Returns
    -------
    Outcome
        Elo differences with their intervals, standings and every game.

    Examples
    --------
    >>> from zermelo import match
    >>> match("tictactoe", "alphabeta(depth=9, backend='reference')", "random", games=2, plies=0)
    Outcome(tictactoe: alphabeta(depth=9, backend='reference') 2, random 0; 2 games)
    """
    from zermelo.play.arena import Store, Tournament
    from zermelo.play.arena.contest import enter_unsaved
    from zermelo.play.strategies import game_text

    text = game if isinstance(game, str) else game_text(game)
    if text is None and (workers > 1 or out is not None):
        raise ZermeloError(
            f"{type(game).__name__} is in no file that another process can open: save its rules, or play without workers and out."
        )
    store = Store(None if out is None else Path(out))
    try:
        tournament = Tournament(
            text or enter_unsaved(opened(game)), players, games, plies, None if openings is None else Path(openings), seed
        )
        return tournament.run(store, workers=workers)
    finally:
        store.close()


def check(
    game: Game | str, *, states: int = 4000, games: int = 40, seed: int = 0, backend: Backend = "auto", time: float | None = None
) -> "Report":
    """Look for promises that the rules of a game break.

    Parameters
    ----------
    game : Game or str
        The game or its name, such as `"mygame.py"`.
    states : int, default 4000
        States to look at, the nearest first.
    games : int, default 40
        Random games beyond them.
    seed : int, default 0
        Of the random games.
    backend : {"auto", "compiled", "reference"}, default "auto"
        "reference" leaves out the comparison with compiled rules.
    time : float, optional
        Seconds after which no further states are looked at.

    Returns
    -------
    Report
        `.lawful`, `.findings` with the shortest way to each, `.text()`.

    Examples
    --------
    >>> from zermelo import check
    >>> check("nim", states=100, backend="reference").lawful
    True
    """
    from zermelo.check import check as examine

    return examine(
        open_rules(game) if isinstance(game, str) else game, states=states, games=games, seed=seed, backend=backend, seconds=time
    )


def perft(
    game: Game | str, depth: int, position: State | str | None = None, backend: Backend = "auto", *, turns: bool = False
) -> PerftResult:
    """Count the lines of exactly `depth` actions: the usual check that rules make the right tree.

    Parameters
    ----------
    game : Game or str
        The game or its name.
    depth : int
        Length of the lines.
    position : str or state, optional
        Where they begin; the start by default.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        Who counts.
    turns : bool, default False
        Let `depth` count completed turns: a player who moves again goes on with the turn.

    Returns
    -------
    PerftResult

    Examples
    --------
    >>> from zermelo import perft
    >>> perft("tictactoe", 3, backend="reference").leaves
    504
    """
    from zermelo.search.classic.perft import perft as count

    rules = opened(game)
    return count(rules, depth, placed(rules, position).state, backend, turns=turns)


def stats(
    game: Game | str,
    position: State | str | None = None,
    *,
    database: str | Path | Literal[False] | None = None,
    games: int = 1000,
    seed: int = 1913,
    positions: int | None = None,
    observer: Observer | None = None,
) -> "GameStatistics":
    """Describe a game in figures: positions of every ply, width and length, who is better off, what is hard.

    Parameters
    ----------
    game : Game or str
        The game or its name.
    position : str or state, optional
        Where to begin; the start by default.
    database : path or False, optional
        A database of all positions. Without one, the data folder is asked, then the game is solved; False asks no folder.
    games : int, default 1000
        Random games to play.
    seed : int, default 1913
        Of the random games.
    positions : int, optional
        Solve a game of at most so many positions; a larger one is only sampled.
    observer : Observer, optional
        Hears of progress, records the trace, can stop the search.

    Returns
    -------
    GameStatistics

    Examples
    --------
    >>> from zermelo import stats
    >>> stats("tictactoe", games=10).positions
    5478
    """
    from zermelo.solve.game_statistics import MOST_POSITIONS, game_statistics, plain_database_of

    rules, most = opened(game), MOST_POSITIONS if positions is None else positions
    file = plain_database_of(rules, most) if database is None else Path(database) if database else None
    told: Any = None if observer is None else observer.progress
    return game_statistics(rules, placed(rules, position).state, file, games, seed, most, told)


def opened(game: Game | str) -> Game:
    """The game itself."""
    return open_game(game) if isinstance(game, str) else game


def placed(game: Game, position: State | str | None) -> Position:
    """The position with its history, as far as that is known."""
    if isinstance(position, Position):
        return position
    return open_record(game, position) if position is None or isinstance(position, str) else Position(position)


def named(algorithm: Any, wanted: dict[str, Any]) -> Any:
    """The algorithm that a text such as `mcts(playouts=1000)` names, with further parameters; an algorithm is taken as it is."""
    if not isinstance(algorithm, str):
        from dataclasses import replace

        return replace(algorithm, **wanted) if wanted else algorithm
    spelling = parse(algorithm)
    if spelling.name is None or spelling.arguments.positional:
        raise ZermeloError(f"{algorithm!r} is not an algorithm: write a name with named parameters, such as mcts(playouts=1000).")
    return make_algorithm(spelling.name, **{**spelling.arguments.named, **wanted})
