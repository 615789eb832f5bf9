"""What every move of a position is worth, as soon as it is known: proven where the search reaches the end, an estimate otherwise.

First the whole position is searched deeper and deeper, which gives every move an estimate; then each move on its own is searched to the end
of the game for a share of the time, so that single moves are proven although the position is not. An estimate is always the search's; only
where the rules have no `evaluate`, so that a search short of the end knows nothing, it is the mean of playouts.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.limits import Flag, Limits
from zermelo.play.algorithms import Budget, make_algorithm, search, suited, think, unfinished
from zermelo.play.match import Match
from zermelo.play.players import AlgorithmPlayer, default_player
from zermelo.play.wording import number
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Action, Game, State, ask, cost_function, draw_value, has, hidden_information, legal_actions
from zermelo.scores import unpack
from zermelo.solve.database_oracle import oracle_of
from zermelo.web.bounds import Bounds
from zermelo.web.measures import lead_of, payoffs_of, random_end, reason, seat_name, shape_of, share_of, short_of, words_of
from zermelo.web.views import board_of, place_of, spoken, token

__all__ = ["Judgement", "Point", "Worth", "follow", "glance", "judge", "judge_quickly", "judging_engine", "plies"]

ALL_AT_ONCE = 0.5  # share of the time for the position as a whole; the rest is for single moves
MOSTLY = 0.75  # where the rules have an evaluation, so that looking deeper tells more
SAMPLED = 0.25  # share of the time for playouts, where values stay estimates
SAMPLE_MEMORY = 32 << 20
AT_ONCE = 0.2  # seconds for the first look, by the interpreter
TO_AN_END = 0.5  # seconds for one that has to see the game end: a puzzle, and random games
TELLING = 5  # random games behind every move that may call one the best
FOR_ALL = 1.2  # seconds until there must be a random game behind every move
MOST_ESTIMATED = 200  # moves whose estimates are asked for at once
INTERPRETED = ("astar",)  # engines that never compile anything
LINE_SECONDS = 0.5  # for the line behind a move that somebody looks at
SHOWN_LINE = 6  # moves of best play that are shown
LEAST_SHARE = 0.05  # seconds a move


@dataclass(frozen=True)
class Worth:
    """One move: its value, and how sure that is."""

    value: Any
    exact: bool
    distance: int | None = None
    interval: tuple[Any, Any] | None = None

    def to_dict(self, game: Game, mover: int) -> dict[str, Any]:
        """Plain data with words: `shape` is win, draw, loss, or estimate, for the player to move."""
        words = words_of(game, self.value, self.exact, self.distance)
        return {
            "value": list(self.value) if isinstance(self.value, tuple) else self.value,
            "lead": lead_of(game, self.value, mover),
            "exact": self.exact,
            "distance": self.distance,
            "shape": shape_of(game, self.value, self.exact, mover),
            "short": short_of(game, self.value, self.exact, self.distance, mover),
            "words": words if self.exact else f"estimate: {words}",
            "interval": None if self.interval is None else [number(self.interval[0]), number(self.interval[1])],
        }


@dataclass(frozen=True)
class Judgement:
    """All moves of one position, as far as they are known now."""

    game: Game
    mover: int
    value: Any  # of the position, Max's
    exact: bool
    best: tuple[Action, ...]
    worths: dict[Action, Worth]
    line: tuple[Action, ...]  # best play from here
    state: State
    depth: int | None
    nodes: int
    seconds: float
    engine: str
    done: bool
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data; moves by their number."""
        known = [worth.distance for action in self.best if (worth := self.worths.get(action)) and worth.distance is not None]
        losing = lead_of(self.game, self.value, self.mover) < 0
        distance = (max(known) if losing else min(known)) if known else None
        moves = {str(token(action)): worth.to_dict(self.game, self.mover) for action, worth in self.worths.items()}
        line = plies(self.game, self.state, self.line)
        names = {action: spoken(self.game, self.state, action) for action in self.worths}
        told = {names[action]: moves[str(token(action))] for action in self.worths}
        return {
            "value": plain_value(self.value),
            "words": words_of(self.game, self.value, self.exact, distance),
            "share": share_of(self.game, self.value, self.exact),
            "short": short_of(
                self.game, self.value, self.exact, distance, 0 if lead_of(self.game, self.value, 0) >= 0 else self.game.players - 1
            ),
            "why": reason(
                self.game, self.mover, told, [ply["name"] for ply in line], [names[action] for action in self.best if action in names]
            ),
            "exact": self.exact,
            "best": [token(action) for action in self.best],
            "moves": moves,
            "line": line,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "engine": self.engine,
            "done": self.done,
            "notes": list(self.notes),
        }


def plies(game: Game, state: State, actions: Sequence[Action], most: int = SHOWN_LINE) -> list[dict[str, Any]]:
    """Moves one after the other, each by its name, its mover, and where on the board it is."""
    made, before = [], board_of(game, state)
    for action in actions[:most]:
        if game.terminal(state):
            break
        mover, after = game.player(state), game.result(state, action)
        board = board_of(game, after)
        place = {} if before is None or mover == CHANCE else place_of(before, board, mover)
        made.append({"name": spoken(game, state, action), "mover": mover, **place})
        state, before = after, board
    return made


def plain_value(value: Any) -> Any:
    """One number for a graph: the first player's payoff."""
    return float(value[0] if isinstance(value, tuple | list) else value)


def judging_engine(game: Game) -> str:
    """The algorithm that values this game's moves; a sentence where there is none."""
    if hidden_information(game):
        raise ZermeloError("Something is hidden in this game, so a move has no value of its own: the equilibrium lab shows how to mix.")
    player = default_player(game)
    if isinstance(player, AlgorithmPlayer):
        return "astar" if player.family == "puzzles" else player.algorithm
    raise ZermeloError("No engine can value the moves of this game.")


def glance(match: Match, engine: str, stop: Flag) -> Judgement | None:
    """A first look at every move, by the interpreter; `done` where it has seen everything. None where that tells nothing."""
    begun = time.perf_counter()
    found = quick_answer(match, engine, stop)
    if found is None or not telling(found):
        return one_move_ahead(match, begun) or by_random_games(match, engine, begun, stop)
    whole = found.exact and all(action in found.distances for action in match.legal)
    made = judgement(found, match.mover, engine, begun, done=whole)
    ahead = one_move_ahead(match, begun) if len(made.worths) < len(match.legal) else None
    if ahead is None or not made.exact:
        return ahead or made  # what is seen of some moves only does not compare with the others
    return replace(made, worths={**ahead.worths, **made.worths})


def judge(
    match: Match, engine: str, seconds: float, bounds: Bounds, stop: Flag, tell: Callable[[Judgement], object], seen: int = 0
) -> Judgement:
    """The worth of every move within the time; `tell` hears every step on the way that looks at least `seen` moves ahead."""
    mover = match.mover
    if match.over or mover == CHANCE:
        raise ZermeloError("Nobody chooses a move here.")
    begun = time.perf_counter()
    algorithm = algorithm_for(engine, bounds)

    def deeper(result: SearchResult) -> None:
        if telling(result) and (result.exact or (result.depth or 0) >= seen):  # what was seen at once may be deeper than the first steps
            tell(judgement(result, mover, engine, begun, False))

    found = first_answer(algorithm, match, seconds, bounds, stop, deeper)
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
        proven = prove_move(algorithm, match, action, Limits(share, bounds.nodes, stop=stop))
        if proven is not None:
            worths[action] = proven
            made = combined(made, worths, begun, done=False)
            tell(made)
    if not stop.is_set() and not has(match.game, "evaluate") and not all(worth.exact for worth in worths.values()):
        sample(match, worths, Limits(max(LEAST_SHARE, seconds * SAMPLED), stop=stop))
    return combined(made, worths, begun, done=True)


def telling(found: SearchResult) -> bool:
    """Does a search that is not finished say something? Means over luck of which a part is not known compare nothing."""
    return found.exact or has(found.game, "evaluate") or not has(found.game, "chances")


def one_move_ahead(match: Match, begun: float) -> Judgement | None:
    """Every move by the rules' own estimate of where it leads; None where they have none."""
    game, state, mover = match.game, match.state, match.mover
    puzzle = game.players == 1 and has(game, "heuristic") and not has(game, "chances")
    opponents = game.players == 2 and game.total is not None and has(game, "evaluate")
    if not (puzzle or opponents) or len(match.legal) > MOST_ESTIMATED:
        return None
    worths = {}
    for action in match.legal:
        child = game.result(state, action)
        if puzzle:
            rest = 0 if game.terminal(child) else ask(game, "heuristic", child)
            worths[action] = Worth(-(cost_function(game)(state, action) + rest), False)
        elif game.terminal(child):
            worths[action] = Worth(game.utility(child), True, 1)
        else:
            worths[action] = Worth(ask(game, "evaluate", child), False)
    best = max(worths, key=lambda action: lead_of(game, worths[action].value, mover))
    seconds = time.perf_counter() - begun
    return Judgement(game, mover, worths[best].value, False, (best,), worths, (best,), state, 1, len(worths), seconds, "evaluate", False)


def by_random_games(match: Match, engine: str, begun: float, stop: Flag) -> Judgement | None:
    """Every move by the mean of random games behind it, none the best after too few; None in a puzzle, and without a game behind each."""
    game, state, mover, random = match.game, match.state, match.mover, Random(0)
    if game.players == 1 and not has(game, "chances"):
        return None
    ends: dict[Action, list[Any]] = {action: [] for action in match.legal}
    now = time.perf_counter()
    enough, latest = now + TO_AN_END, now + FOR_ALL
    while not stop.is_set() and time.perf_counter() < (enough if all(ends.values()) else latest):
        for action, payoffs in ends.items():
            payoff = random_end(game, game.result(state, action), random, latest)
            if payoff is not None:
                payoffs.append(payoff)
    if not all(ends.values()):
        return None
    worths = {action: Worth(mean_of(payoffs), False) for action, payoffs in ends.items()}
    best = max(worths, key=lambda action: lead_of(game, worths[action].value, mover))
    games, seconds = sum(map(len, ends.values())), time.perf_counter() - begun
    if min(map(len, ends.values())) < TELLING:
        value = mean_of([worth.value for worth in worths.values()])
        return Judgement(game, mover, value, False, (), worths, (), state, None, games, seconds, engine, False)
    return Judgement(game, mover, worths[best].value, False, (best,), worths, (best,), state, None, games, seconds, engine, False)


def mean_of(payoffs: Sequence[Any]) -> Any:
    """The mean of payoffs, or of each player's."""
    if isinstance(payoffs[0], tuple | list):
        return tuple(fmean(own) for own in zip(*payoffs, strict=True))
    return fmean(payoffs)


def quick_answer(match: Match, engine: str, stop: Flag) -> SearchResult | None:
    """The first look, by the interpreter: it needs no compiling, so that there is something to see at once."""
    wanted = suited(engine, backend="reference")
    if engine not in INTERPRETED and (
        "backend" not in wanted or "depth" not in getattr(algorithm_class(engine), "__dataclass_fields__", {})
    ):
        return None
    try:
        budget = Budget(None, TO_AN_END if engine in INTERPRETED else AT_ONCE, None)
        found = think(make_algorithm(engine, **wanted), match.game, match.state, budget, match.history, stop=stop)
    except ZermeloError:
        return None
    return found if found.scores else None


def algorithm_class(engine: str) -> type[Any]:
    return type(make_algorithm(engine))


def sample(match: Match, worths: dict[Action, Worth], limits: Limits) -> None:
    """Gives the moves that are not proven their mean over many playouts, with its interval (95 %)."""
    from zermelo.search.montecarlo.mcts import MCTS, MCTSSession

    game = match.game
    session = MCTSSession(MCTS(memory=SAMPLE_MEMORY, seed=1913), game)
    try:
        session.search(match.state, match.history, limits)
    except ZermeloError:  # no playouts in this game
        return
    for move in [] if session.tree is None else session.tree.moves():
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


def judge_quickly(match: Match, engine: str, seconds: float, bounds: Bounds, stop: Flag) -> "Point":
    """The value of a position and whether it is exact, for the graph of a game."""
    if match.over:
        return Point.of(match.game, match.payoffs(), True)
    at_once = quick_answer(match, engine, stop)
    if at_once is not None and at_once.exact:  # nothing has to be compiled
        return Point.of(
            match.game, at_once.value, True, None if at_once.action is None else spoken(match.game, match.state, at_once.action)
        )
    found = first_answer(algorithm_for(engine, bounds), match, seconds, bounds, stop, lambda result: None)
    best = None if found.action is None else spoken(match.game, match.state, found.action)
    return Point.of(match.game, found.value, found.exact, best)


def follow(match: Match, action: Action, engine: str, bounds: Bounds, stop: Flag) -> dict[str, Any]:
    """What follows a move: its name, a sentence on where it leads, and the line of best play behind it."""
    game, state = match.game, match.state
    child = game.result(state, action)
    mover, name = match.mover, spoken(game, state, action)
    rest: tuple[Action, ...] = ()
    if game.terminal(child):
        worth = Worth(game.utility(child), True, 1)
    elif game.player(child) == CHANCE:
        return {"action": token(action), "name": name, "words": "leaves the rest to chance.", "line": plies(game, state, (action,))}
    else:
        after = Match(game, match.beginning, [*match.actions, action], [*match.states, child])
        found = first_answer(algorithm_for(engine, bounds), after, LINE_SECONDS, bounds, stop, lambda result: None)
        worth = Worth(found.value, found.exact, None if not found.exact or found.distance is None else found.distance + 1)
        rest = tuple(found.line)
    line = plies(game, state, (action, *rest))
    shape, told = shape_of(game, worth.value, worth.exact, mover), [ply["name"] for ply in line]
    soon = "" if worth.distance is None else f" in {worth.distance}"
    words = {"win": f"wins{soon}", "loss": f"loses{soon}", "draw": "draws"}.get(
        shape, f"leads to {short_of(game, worth.value, worth.exact, None, mover)}"
    )
    reply = f": {seat_name(game, line[1]['mover'])} replies {told[1]}" if len(line) > 1 else ""
    answer = f", then {told[2]}" if len(line) > 2 else ""
    threats = (
        f"; {seat_name(game, 1 - mover)} has {count} ways to win at once"
        if shape == "loss" and (count := wins_at_once(game, child)) > 1
        else ""
    )
    return {"action": token(action), "name": name, "words": f"{words}{reply}{answer}{threats}.", "line": line}


def wins_at_once(game: Game, state: State) -> int:
    """How many moves end the game with a win for whoever makes them."""
    if game.terminal(state) or game.player(state) == CHANCE:
        return 0
    mover = game.player(state)
    ends = (game.result(state, action) for action in legal_actions(game, state))
    return sum(1 for end in ends if game.terminal(end) and lead_of(game, game.utility(end), mover) > 0)


class Point(NamedTuple):
    """One point of a game's graph."""

    value: float  # Max's
    exact: bool
    share: float  # of the evaluation bar
    best: str | None = None  # the move that should be made here

    @classmethod
    def of(cls, game: Game, value: Any, exact: bool, best: str | None = None) -> "Point":
        single = value[0] if isinstance(value, tuple | list) and game.players == 2 and game.total is not None else value
        return cls(plain_value(value), exact, share_of(game, single, exact), best)


def algorithm_for(engine: str, bounds: Bounds) -> Any:
    return make_algorithm(engine, **suited(engine, memory=bounds.memory))


def first_answer(
    algorithm: Any, match: Match, seconds: float, bounds: Bounds, stop: Flag, tell: Callable[[SearchResult], object]
) -> SearchResult:
    """The whole position, deeper and deeper, with a share of the time."""
    if "depth" in getattr(algorithm, "__dataclass_fields__", {}):
        budget = Budget(None, seconds * (MOSTLY if has(match.game, "evaluate") else ALL_AT_ONCE), bounds.nodes)
        return think(algorithm, match.game, match.state, budget, match.history, stop=stop, tell=tell, oracle=oracle_of(match.game))
    return search(algorithm, match.game, match.state, match.history, Limits(seconds, bounds.nodes, stop=stop))


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
    payoffs = payoffs_of(game)
    worths = {}
    for action, value in found.scores.items():
        distance = found.distances.get(action)
        seen = game.payoffs is None and payoffs is not None and value in payoffs  # without an evaluation, only an end has such a value
        exact = seen or distance is not None or (found.exact and (engine != "deepening" or action in found.actions))
        worths[action] = Worth(value, exact, distance, None if exact else interval_of(game, found.state, action))
    extreme = None if payoffs is None else payoffs[0 if mover == 1 and game.players == 2 else 1]
    won = any(worth.exact and worth.value == extreme for worth in worths.values())
    return Judgement(
        game,
        mover,
        found.value,
        found.exact or won,
        found.actions,
        worths,
        tuple(found.line),
        found.state,
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
    payoffs = payoffs_of(made.game)
    high = None if payoffs is None else payoffs[1 if sign > 0 else 0]
    won = any(worth.exact and worth.value == high for worth in worths.values())
    exact = all(worth.exact for worth in worths.values()) or won
    return Judgement(
        made.game,
        made.mover,
        sign * best,
        exact,
        chosen,
        worths,
        made.line if made.line and made.line[0] in chosen else chosen[:1],
        made.state,
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
