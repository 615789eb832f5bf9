"""A ladder: every level of a game plays the next, and all are rated together."""

from collections.abc import Callable
from pathlib import Path

from zermelo.play.arena.rating import standings
from zermelo.play.arena.tournament import Tournament
from zermelo.play.levels import LEVELS, LevelPlayer, Measured, even_skills, keep_levels, skills_of
from zermelo.play.players import player_text
from zermelo.play.setup import open_game

__all__ = ["climb"]

LONGEST = 300  # moves of a game; what lasts longer is drawn


def climb(
    game: str, games: int, seed: int = 0, workers: int = 1, progress: Callable[[str], object] | None = None
) -> tuple[Measured | None, Path | None]:
    """Measures the levels that are in force, keeps skills that make their steps even, and says where; None where it was interrupted."""
    rules = open_game(game)
    skills = skills_of(rules)
    players = [player_text(LevelPlayer(level)) for level in range(1, LEVELS + 1)]
    pairs = {}
    for lower in range(LEVELS - 1):
        if progress is not None:
            progress(f"level {lower + 1} against level {lower + 2}")
        outcome = Tournament(game, players[lower : lower + 2], games, seed=seed + lower, longest=LONGEST).run(workers=workers)
        if outcome.stopped == "interrupted":
            return None, None
        pairs[lower, lower + 1] = outcome.pairs[0, 1]
    rated = {standing.player: standing for standing in standings(players, pairs)}
    lowest = rated[players[0]].rating
    ratings = tuple(rated[player].rating - lowest for player in players)
    errors = tuple(rated[player].error for player in players)
    kept = Measured(even_skills(skills, ratings), ratings, errors, games)
    return Measured(skills, ratings, errors, games), keep_levels(rules, kept, game)
