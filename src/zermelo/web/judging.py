"""What every move of a position is worth, as soon as it is known: proven where the search reaches the end, an estimate otherwise.

First the whole position is searched deeper and deeper, which gives every move an estimate; then each move on its own is searched to the end
of the game for a share of the time, so that single moves are proven although the position is not.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zermelo.engine.limits import Flag, Limits
from zermelo.errors import ZermeloError
from zermelo.play.engines import Budget, make_engine, search, suited, think, unfinished
from zermelo.play.match import Match
from zermelo.play.players import BackwardPlayer, DatabasePlayer, Searcher, Wanderer, default_player
from zermelo.play.wording import number, verdict
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Action, Game, State, ask, draw_value, has, hidden_information
from zermelo.scores import unpack
from zermelo.solve.oracle import oracle_of
from zermelo.web.bounds import Bounds

__all__ = ["Judgement", "Worth", "judge", "judge_quickly", "judging_engine"]

ALL_AT_ONCE = 0.5  # share of the time for the position as a whole; the rest is for single moves
SAMPLED = 0.25  # share of the time for playouts, where values stay estimates
SAMPLE_MEMORY = 32 << 20
LEAST_SHARE = 0.05  # seconds a move


@dataclass(frozen=True)
class Worth:
    """One move: its value, and how sure that is."""

    value: Any
    exact: bool
    distance: int | None = None
    interval: tuple[Any, Any] | None = None

    def to_dict(self, game: Game, mover: int) -> dict[str, Any]:
        """Plain data with words: `shape` is win, draw, loss, or estimate, for whoever moves."""
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        lead = lead_of(game, self.value, mover)
        shape = "estimate" if not self.exact or (game.players == 1) else "win" if lead > 0 else "loss" if lead < 0 else "draw"
        short = number(self.value if isinstance(self.value, tuple) or self.exact else round(float(self.value), 2))
        if self.exact and game.players > 1:
            short = shape if self.distance is None else f"{shape} {self.distance}"
            if shape != "draw" and game.payoffs not in ((-1, 1), (0, 1)):
                short = number(self.value)
        elif game.players == 1:
            short = f"cost {number(-self.value)}"
        words = verdict(game, self.value, self.distance, self.exact)
        return {
            "value": value,
            "lead": lead,
            "exact": self.exact,
            "distance": self.distance,
            "shape": shape,
            "short": short,
            "words": words if self.exact else f"estimate: {words}",
            "interval": None if self.interval is None else [number(self.interval[0]), number(self.interval[1])],
        }


def lead_of(game: Game, value: Any, mover: int) -> float:
    """How much better than a draw a value is for the mover."""
    if isinstance(value, tuple | list):
        return float(value[mover]) - float(draw_value(game))
    lead = float(value) - float(draw_value(game))
    return -lead if mover == 1 and game.players == 2 else lead


@dataclass(frozen=True)
class Judgement:
    """All moves of one position, as far as they are known now."""

    game: Game
    mover: int
    value: Any  # of the position, Max's
    exact: bool
    best: tuple[Action, ...]
    worths: dict[Action, Worth]
    line: tuple[str, ...]
    depth: int | None
    nodes: int
    seconds: float
    engine: str
    done: bool
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data; moves by their number."""
        words = Worth(self.value, self.exact).to_dict(self.game, 0)["words"]
        return {
            "value": plain_value(self.value),
            "words": words,
            "exact": self.exact,
            "best": list(self.best),
            "moves": {str(action): worth.to_dict(self.game, self.mover) for action, worth in self.worths.items()},
            "line": list(self.line),
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "engine": self.engine,
            "done": self.done,
            "notes": list(self.notes),
        }


def plain_value(value: Any) -> Any:
    """One number for a graph: the first player's payoff."""
    return float(value[0] if isinstance(value, tuple | list) else value)


def judging_engine(game: Game) -> str:
    """The algorithm that values this game's moves; a sentence where there is none."""
    if hidden_information(game):
        raise ZermeloError("Something is hidden in this game, so a move has no value of its own: the equilibrium lab shows how to mix.")
    player = default_player(game)
    if isinstance(player, DatabasePlayer):
        return "database"
    if isinstance(player, BackwardPlayer):
        return "backward"
    if isinstance(player, Wanderer):
        return "astar"
    if isinstance(player, Searcher):
        return player.engine
    raise ZermeloError("No engine can value the moves of this game.")


def judge(match: Match, engine: str, seconds: float, bounds: Bounds, stop: Flag, tell: Callable[[Judgement], object]) -> Judgement:
    """The worth of every move within the time; `tell` hears every step on the way."""
    mover = match.mover
    if match.over or mover == CHANCE:
        raise ZermeloError("Nobody chooses a move here.")
    begun = time.perf_counter()
    algorithm = algorithm_for(engine, bounds)
    found = first_answer(algorithm, match, seconds, bounds, stop, lambda result: tell(judgement(result, mover, engine, begun, False)))
    made = judgement(found, mover, engine, begun, done=False)
    if all(worth.exact for worth in made.worths.values()) or engine in ("backward", "astar", "database") or stop.is_set():
        return judgement(found, mover, engine, begun, done=True)
    worths = dict(made.worths)
    open_moves = [action for action in match.legal if action not in worths or not worths[action].exact]
    for position, action in enumerate(open_moves):
        left = seconds - (time.perf_counter() - begun)
        if stop.is_set() or left <= 0:
            break
        share = max(LEAST_SHARE, left / (len(open_moves) - position))
        proven = prove_move(algorithm, match, action, Limits(share, bounds.nodes, stop))
        if proven is not None:
            worths[action] = proven
            made = combined(made, worths, begun, done=False)
            tell(made)
    if not stop.is_set() and not all(worth.exact for worth in worths.values()):
        sample(match, worths, Limits(max(LEAST_SHARE, seconds * SAMPLED), stop=stop))
    return combined(made, worths, begun, done=True)


def sample(match: Match, worths: dict[Action, Worth], limits: Limits) -> None:
    """Gives the moves that are not proven their mean over many playouts, with its interval (95 %)."""
    from zermelo.search.mcts import MCTS, Gardener

    game = match.game
    gardener = Gardener(MCTS(memory=SAMPLE_MEMORY, seed=1913), game)
    try:
        gardener.search(match.state, match.history, limits)
    except ZermeloError:  # no playouts in this game
        return
    for move in [] if gardener.tree is None else gardener.tree.moves():
        known = worths.get(move.action)
        if known is None or known.exact or move.interval is None or isinstance(known.value, tuple):
            continue
        low, high = move.interval
        if match.mover == 1 and game.total is not None:
            low, high = game.total - high, game.total - low
        proven = move.proven and game.players == 2 and game.total is not None
        worths[move.action] = (
            Worth(move.bounds[0], True) if proven else Worth(round(move.means[0], 4), False, None, (round(low, 3), round(high, 3)))
        )


def judge_quickly(match: Match, engine: str, seconds: float, bounds: Bounds, stop: Flag) -> tuple[Any, bool]:
    """The value of a position and whether it is exact, for the graph of a game."""
    if match.over:
        payoffs = match.payoffs()
        return plain_value(payoffs), True
    found = first_answer(algorithm_for(engine, bounds), match, seconds, bounds, stop, lambda result: None)
    return plain_value(found.value), found.exact


def algorithm_for(engine: str, bounds: Bounds) -> Any:
    return make_engine(engine, **suited(engine, memory=bounds.memory))


def first_answer(
    algorithm: Any, match: Match, seconds: float, bounds: Bounds, stop: Flag, tell: Callable[[SearchResult], object]
) -> SearchResult:
    """The whole position, deeper and deeper, with a share of the time."""
    if "depth" in getattr(algorithm, "__dataclass_fields__", {}):
        budget = Budget(None, seconds * ALL_AT_ONCE, bounds.nodes)
        return think(algorithm, match.game, match.state, budget, match.history, stop=stop, tell=tell, oracle=oracle_of(match.game))
    return search(algorithm, match.game, match.state, match.history, Limits(seconds, bounds.nodes, stop))


def prove_move(algorithm: Any, match: Match, action: Action, limits: Limits) -> Worth | None:
    """A single move searched to the end of the game; None where the time was too short."""
    game, child = match.game, match.game.result(match.state, action)
    if game.terminal(child):
        return Worth(game.utility(child), True, 1)
    try:
        found = search(algorithm, game, child, (*match.history, match.state), limits, oracle=oracle_of(game))
    except ZermeloError:  # a game without end, or chance to move where the algorithm wants a player
        return None
    if unfinished(found) or not found.exact:
        return None
    return Worth(found.value, True, None if found.distance is None else found.distance + 1)


def judgement(found: SearchResult, mover: int, engine: str, begun: float, done: bool) -> Judgement:
    """A search's result as a judgement. A distance is only told of what is proven, draws apart; deepening proves the best move first."""
    game = found.game
    worths = {}
    for action, value in found.scores.items():
        distance = found.distances.get(action)
        exact = distance is not None or (found.exact and (engine != "deepening" or action in found.actions))
        worths[action] = Worth(value, exact, distance, None if exact else interval_of(game, found.state, action))
    return Judgement(
        game,
        mover,
        found.value,
        found.exact,
        found.actions,
        worths,
        tuple(found.line_names()),
        found.depth,
        found.nodes,
        time.perf_counter() - begun,
        engine,
        done,
        found.notes,
    )


def combined(made: Judgement, worths: dict[Action, Worth], begun: float, done: bool) -> Judgement:
    """The judgement with what single moves have shown; proven and estimated values are compared as they are."""
    sign = -1 if made.mover == 1 and made.game.players == 2 else 1
    if any(isinstance(worth.value, tuple) for worth in worths.values()) or not worths:
        return made
    best = max(sign * worth.value for worth in worths.values())
    chosen = tuple(action for action, worth in worths.items() if sign * worth.value == best)
    high = None if made.game.payoffs is None else made.game.payoffs[1 if sign > 0 else 0]
    won = any(worth.exact and worth.value == high for worth in worths.values())
    exact = all(worth.exact for worth in worths.values()) or won
    return Judgement(
        made.game,
        made.mover,
        sign * best,
        exact,
        chosen,
        worths,
        made.line,
        made.depth,
        made.nodes,
        time.perf_counter() - begun,
        made.engine,
        done,
        made.notes,
    )


def interval_of(game: Game, state: State, action: Action) -> tuple[Any, Any] | None:
    """Proven bounds on a move's value: the rules' own where they give some, otherwise the payoffs there are."""
    child = game.result(state, action)
    if has(game, "bounds") and not game.terminal(child) and game.players == 2 and game.total is not None:
        low, high = ask(game, "bounds", child)
        draw = draw_value(game)
        return unpack(low, draw).value, unpack(high, draw).value
    return game.payoffs
