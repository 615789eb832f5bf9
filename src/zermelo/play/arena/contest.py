"""One game between two players: a task that any process can do, and the record of what happened.

A player who fails (an external program that hangs, dies or plays a move that is not possible; a strategy without an answer) forfeits the
game; the match goes on. A task is plain data, so that it can be sent to another process or machine, and doing it twice does no harm.
"""

import time
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.formats.position import parse_position
from zermelo.play.match import Match, find_action, loss_of, roll
from zermelo.play.players import parse_player
from zermelo.play.setup import open_game
from zermelo.rules import CHANCE, Game, draw_value

__all__ = ["Contest", "Record", "play", "prepared", "replayed", "require_sums"]

WIN, DRAW, LOSS = 1.0, 0.5, 0.0


@dataclass(frozen=True)
class Contest:
    """A game that is to be played."""

    number: int  # from 1, in the order of the schedule; 2k - 1 and 2k are a pair
    game: str
    first: str  # the player in seat 0, as `parse_player` reads it
    second: str
    opening: str  # a position
    seed: int
    longest: int  # moves, after which the game is a draw


@dataclass(frozen=True)
class Record:
    """A game that was played."""

    number: int
    first: str
    second: str
    opening: str
    moves: tuple[str, ...]  # after the opening
    payoffs: tuple[Any, ...]
    score: float  # of `first`: 1, 1/2 or 0
    reason: str  # why it ended where the rules did not end it: a forfeit, or too many moves
    seconds: tuple[float, float]  # thinking time of each player


UNSAVED: dict[str, Game] = {}  # games of this process that no file holds, by the name under which they are played


def known_game(text: str) -> Game:
    return UNSAVED[text] if text in UNSAVED else opened_game(text)


@lru_cache(maxsize=8)
def opened_game(text: str) -> Game:
    return open_game(text)


def enter_unsaved(game: Game) -> str:
    """The name under which a game that no file holds is played in this process."""
    text = f"{type(game).__name__} (unsaved, {len(UNSAVED) + 1})"
    UNSAVED[text] = game
    return text


def play(contest: Contest) -> Record:
    """Plays the game."""
    game = known_game(contest.game)
    match = Match(game, parse_position(game, contest.opening))
    # Made afresh, so that the order of games does not matter; nobody in an arena is a person.
    seats: list[Any] = [parse_player(contest.first), parse_player(contest.second)]
    dice, randoms = Random(contest.seed), [Random(f"{contest.seed} {contest.number} {seat}") for seat in (0, 1)]
    seconds = [0.0, 0.0]
    reason, forfeited = "", None
    while not match.over:
        if len(match.actions) >= contest.longest:
            reason = f"a draw after {contest.longest} moves"
            break
        if match.mover == CHANCE:
            match.play(roll(game, match.state, dice))
            continue
        seat, begun = match.mover, time.perf_counter()
        try:
            choice = seats[seat].choose(match, randoms[seat])
            if choice.result is not None and choice.result.stopped == "interrupted":
                raise KeyboardInterrupt  # the search has answered with its best so far; the match is to end
            match.play(choice.action)
        except ZermeloError as error:
            reason, forfeited = f"{(contest.first, contest.second)[seat]} forfeits: {str(error).rstrip('.')}", seat
            break
        finally:
            seconds[seat] += time.perf_counter() - begun
    payoffs = loss_of(game, forfeited) if forfeited is not None else (draw_value(game),) * 2 if reason else match.payoffs()
    score = DRAW if reason and forfeited is None else scored(payoffs)
    return Record(
        contest.number,
        contest.first,
        contest.second,
        contest.opening,
        tuple(match.names()),
        tuple(payoffs),
        score,
        reason,
        (seconds[0], seconds[1]),
    )


def scored(payoffs: tuple[Any, ...]) -> float:
    """The score of the player in seat 0: the player with the larger payoff wins."""
    return WIN if payoffs[0] > payoffs[1] else LOSS if payoffs[0] < payoffs[1] else DRAW


def replayed(game: Game, record: Record) -> Match:
    """The game once more, every move checked by the rules."""
    match = Match(game, parse_position(game, record.opening))
    for number, name in enumerate(record.moves, 1):
        action = find_action(game, match.state, match.legal, name)
        if action is None:
            raise ZermeloError(f"Game {record.number} is damaged: move {number}, {name}, is not possible.")
        match.play(action)
    return match


def require_sums(contest: Contest, record: Record) -> None:
    """Raises where a record is not that of its contest, or its moves, payoffs and score do not go together."""
    game = known_game(contest.game)
    match = replayed(game, record)
    payoffs = [float(payoff) for payoff in match.payoffs()] if match.over else None
    drawn = record.reason and "forfeits" not in record.reason
    wrong = None
    opening = contest.opening or record.opening  # a file that is only shown does not know its openings
    if (record.first, record.second, record.opening) != (contest.first, contest.second, opening):
        wrong = "its players or its opening are not those of the schedule"
    elif not record.reason and payoffs is None:
        wrong = "its moves do not come to an end"
    elif not record.reason and payoffs != [float(payoff) for payoff in record.payoffs]:
        wrong = f"its moves end with {payoffs}, not {list(record.payoffs)}"
    elif len(record.payoffs) != 2 or record.score != (DRAW if drawn else scored(record.payoffs)):
        wrong = f"its score {record.score!r} does not follow from its payoffs {list(record.payoffs)}"
    if wrong is not None:
        raise ZermeloError(f"Game {record.number} in the file of results is damaged: {wrong}; remove the file, or that row.")


def prepared(contest: Contest) -> Contest:
    """The same game, as a trial of one move each: whatever does not suit the game shows itself before the match."""
    return replace(contest, longest=2)
