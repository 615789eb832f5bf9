"""Where games begin: openings by chance, the same for every run with the same seed, or a list in a file.

Two players who always answer the same would play one game again and again, so every pair of games has an opening of its own, and each
player has both sides of it.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from zermelo.errors import ZermeloError, require_file
from zermelo.formats.position import Position, format_moves, parse_position
from zermelo.play.match import Match, roll
from zermelo.rules import CHANCE, Game

__all__ = ["random_openings", "read_openings"]

TRIES = 50  # for an opening that was not there before


def random_openings(game: Game, plies: int, seed: int) -> Iterator[str]:
    """Positions after `plies` random moves, without end; different ones as long as there are some. Games that are over do not count."""
    seen: set[str] = set()
    number = 0
    while True:
        for attempt in range(TRIES):
            opening = random_opening(game, plies, Random(f"{seed} {number} {attempt}"))
            if opening not in seen:
                break
        seen.add(opening)
        number += 1
        yield opening


def random_opening(game: Game, plies: int, random: Random) -> str:
    """One of them, as text; shorter where the game would be over."""
    match = Match(game, Position(game.start()))
    for _ in range(plies):
        match.play(roll(game, match.state, random) if match.mover == CHANCE else random.choice(match.legal))
        if match.over:
            match.undo(game.player(match.states[-2]))
            break
    return format_moves(game, game.start(), match.actions)


def read_openings(game: Game, path: Path) -> list[str]:
    """The positions in a file, one per line; empty lines and lines that begin with # are left out."""
    try:
        require_file(path)
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise ZermeloError(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ZermeloError(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}.") from None
    openings = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            place = parse_position(game, text)
        except ZermeloError as error:
            raise ZermeloError(f"{path}, line {number}: {error}") from None
        if game.terminal(place.state):
            raise ZermeloError(f"{path}, line {number}: the game is over in this position.")
        openings.append(text)
    if not openings:
        raise ZermeloError(f"{path} has no openings: give one position a line.")
    return openings
