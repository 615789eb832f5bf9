"""Opponents by level, 1 to 10, for every game: what a weaker player sees, and which mistakes it makes.

A level is a *skill* between 0 and 1. It sets two things:

    nodes   how far a player looks: little skill overlooks what the opponent can do in two moves
    slip    how well it tells good from bad: it plays a move with a likelihood that falls with what the move gives away
            (quantal response; R. D. McKelvey and T. R. Palfrey, 1995), so small mistakes are common and large ones rare

What a move gives away is measured by what a usual move gives away in the same position; so one scale of slips fits every game. Level 10
makes no mistakes of its own. `zermelo levels GAME` measures the steps, and keeps skills that make them even.
"""

import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from statistics import median

from zermelo.errors import ZermeloError, from_json
from zermelo.play.algorithm_player import PATIENCE, compiles
from zermelo.play.algorithms import Budget, make_algorithm, search, suited, think
from zermelo.play.choice import Choice
from zermelo.play.choosing import default_algorithm
from zermelo.play.match import Match
from zermelo.results import SearchResult
from zermelo.rules import MAX, Action, Game, has
from zermelo.runtime.identity import rules_hash
from zermelo.solve.data_folder import data_folder, database_of

__all__ = ["LEVELS", "LevelPlayer", "Measured", "even_skills", "keep_levels", "kept_levels", "skills_of"]

LEVELS = 10
FEWEST, MOST = 30, 1_000_000  # nodes of one move, without and with all skill
PLAYOUT = 20  # nodes that a playout costs, or more
SLOWER = 30  # times, where the rules are not compiled
WORST_SLIP = 0.9  # of what a usual move gives away
FIRST_LOOK = 20  # nodes a move below which a player looks one action ahead and no further


@dataclass(frozen=True)
class LevelPlayer:
    """An opponent of level 1 (a beginner) to 10 (the strongest)."""

    level: int = LEVELS

    def __post_init__(self) -> None:
        if isinstance(self.level, bool) or not isinstance(self.level, int) or not 1 <= self.level <= LEVELS:
            raise ZermeloError(f"Levels go from 1, a beginner, to {LEVELS}, not {self.level!r}.")

    def choose(self, match: Match, random: Random) -> Choice:
        begun = time.perf_counter()
        skill = skills_of(match.game)[self.level - 1]
        result = look(match, skill, random)
        if result.action is None:
            raise ZermeloError("The player found no move: the game is over.")
        action = erring(result, match.mover, slip_of(skill), random)
        return Choice(action, time.perf_counter() - begun, result)

    def warm_up(self, match: Match, random: Random) -> None:
        """A beginner's look, so that rules that do not suit are told, and compiled, before the first move."""
        LevelPlayer(1).choose(match, random)


def slip_of(skill: float) -> float:
    """How much is given away easily."""
    return float(WORST_SLIP * (1 - skill) ** 1.5)


def look(match: Match, skill: float, random: Random) -> SearchResult:
    """What a player of this skill sees in the position: a score for every action where the algorithm gives one."""
    game, state = match.game, match.state
    if skill >= 1 and database_of(game) is not None:
        return search(make_algorithm("database"), game, state)
    nodes = round(FEWEST * (MOST / FEWEST) ** skill)
    name = engine_for(game)
    if game.players > 1 and not compiles(game, "auto"):
        nodes = max(FEWEST, nodes // SLOWER)
    if name in ("mcts", "ismcts"):
        engine = make_algorithm(name, **suited(name, playouts=max(2, nodes // PLAYOUT), seed=random.getrandbits(32)))
        return search(engine, game, state, match.history)
    engine = make_algorithm(name, **suited(name, textbook=skill >= 1))
    shallow = nodes < FIRST_LOOK * len(match.legal)
    return think(engine, game, state, Budget(1 if shallow else None, PATIENCE, None if shallow else nodes), match.history)


def engine_for(game: Game) -> str:
    """The algorithm that looks: playouts where the rules have no estimate for a search to stop at."""
    name = default_algorithm(game, limited=True)
    return "mcts" if name == "deepening" and not has(game, "evaluate") else "realtime" if name == "idastar" else name


def erring(result: SearchResult, mover: int, slip: float, random: Random) -> Action:
    """The action that is played: with a slip above 0 not always the best, and the rarer the more it gives away."""
    lost = given_away(result, mover)
    usual = median([loss for action, loss in lost.items() if action != result.action] or [0.0])
    usual = usual or max(lost.values(), default=0.0)
    alone = result.game.players == 1 and not has(result.game, "chances")  # a puzzle: a slip may leave no way to the end
    if slip <= 0 or usual <= 0 or alone:
        return result.action
    weights = [math.exp(-loss / (slip * usual)) for loss in lost.values()]
    action: Action = random.choices(list(lost), weights)[0]
    return action


def given_away(result: SearchResult, mover: int) -> dict[Action, float]:
    """By action: how much worse it is for the mover than the best; actions that were not looked at are as bad as the worst."""
    sign = 1 if mover == MAX or result.game.players == 1 else -1
    worth = {action: float(score[mover]) if isinstance(score, tuple) else sign * float(score) for action, score in result.scores.items()}
    if result.action not in worth:
        return {}
    best = max(worth.values())
    return {action: best - value for action, value in worth.items()}


# --- what was measured


@dataclass(frozen=True)
class Measured:
    """The levels of one game as they were measured."""

    skills: tuple[float, ...]  # [level - 1]
    ratings: tuple[float, ...]  # [level - 1] Elo above level 1
    errors: tuple[float, ...]  # [level - 1] half of the 95 % interval
    games: int  # between neighbours


@lru_cache(64)
def skills_of(game: Game) -> tuple[float, ...]:
    """The skill of every level: as measured where it was, otherwise in even steps."""
    known = kept_levels(game)
    return tuple(level / (LEVELS - 1) for level in range(LEVELS)) if known is None else known.skills


def even_skills(skills: Sequence[float], ratings: Sequence[float]) -> tuple[float, ...]:
    """Skills between the lowest and the highest whose ratings are as far apart as can be told from those that were measured."""
    rising = [max(ratings[: level + 1]) for level in range(len(ratings))]
    step = (rising[-1] - rising[0]) / (len(rising) - 1)
    return tuple(interpolated(rising, skills, rising[0] + step * level) for level in range(len(rising)))


def interpolated(ratings: Sequence[float], skills: Sequence[float], wanted: float) -> float:
    """The skill that has a rating, on the straight line between its neighbours."""
    for level in range(1, len(ratings)):
        low, high = ratings[level - 1], ratings[level]
        if wanted <= high:
            share = (wanted - low) / (high - low) if high > low else 0.0
            return skills[level - 1] + share * (skills[level] - skills[level - 1])
    return skills[-1]


def levels_file(game: Game) -> Path:
    return data_folder() / "levels" / f"{rules_hash(game)}.json"


def keep_levels(game: Game, measured: Measured, name: str) -> Path:
    """Writes what was measured to the data folder."""
    path = levels_file(game)
    aside = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_text(json.dumps({"zermelo": "levels", "game": name, **vars(measured)}) + "\n", encoding="utf-8")
        aside.replace(path)
    except OSError as error:
        raise ZermeloError(f"{path} cannot be written: {error.strerror or error}.") from error
    skills_of.cache_clear()
    return path


def kept_levels(game: Game) -> Measured | None:
    """What was measured before; None where nothing was, or the file is damaged."""
    try:
        document = from_json(levels_file(game).read_text(encoding="utf-8"))
        skills, ratings, errors = (tuple(map(float, document[name])) for name in ("skills", "ratings", "errors"))
        measured = Measured(skills, ratings, errors, int(document["games"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    whole = all(len(row) == LEVELS for row in (measured.skills, measured.ratings, measured.errors))
    rising = all(0 <= low <= high <= 1 for low, high in zip(measured.skills, measured.skills[1:], strict=False))
    return measured if whole and rising else None
