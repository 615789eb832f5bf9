"""Random games: how long they are, how wide, and who wins them."""

import math
from collections import Counter
from dataclasses import dataclass
from random import Random
from statistics import mean, pvariance
from typing import Any

from zermelo.errors import no_actions, no_such_player
from zermelo.rules import CHANCE, MAX, MIN, Action, Game, State, chance_weights, draw_value, simple_payoff

__all__ = ["RandomGames", "random_games"]

LONGEST = 10_000  # moves of a random game
HOPELESS = 20  # where none of so many games comes to an end, no more are played
SURE = 1.96  # standard errors of a 95 % interval


@dataclass(frozen=True)
class RandomGames:
    """What was seen in games of which every move is as likely as another; what chance does follows its weights, and is not a move."""

    games: int
    seed: int
    lengths: tuple[tuple[int, int], ...]  # (moves, games of this length)
    widths: tuple[float, ...]  # [ply] actions there, on average over the games that came so far
    branching: float  # actions of a position, on average over all moves that were made
    wins: float  # share of games that Max wins
    losses: float
    advantage: float  # of the player who begins: the share of wins minus that of losses
    margin: float  # half the width of the advantage's 95 % interval
    unended: int = 0  # games without an end in sight, which count as draws

    @property
    def length(self) -> float:
        """Moves of a game, on average."""
        return sum(moves * games for moves, games in self.lengths) / self.games

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        return {
            "games": self.games,
            "length": self.length,
            "shortest": self.lengths[0][0],
            "longest": self.lengths[-1][0],
            "lengths": [list(pair) for pair in self.lengths],
            "widths": list(self.widths),
            "branching": self.branching,
            "wins": self.wins,
            "losses": self.losses,
            "advantage": self.advantage,
            "margin": self.margin,
            "unended": self.unended,
            "seed": self.seed,
        }


def random_games(game: Game, root: State, games: int, seed: int) -> RandomGames:
    """So many random games of two players from a state on; fewer where none comes to an end."""
    random, played = Random(seed), list[Played]()
    while len(played) < games and not (len(played) == HOPELESS and not any(each.ended for each in played)):
        played.append(one_game(game, root, random))
    lengths = Counter(len(each.widths) for each in played)
    longest = max(lengths)
    reached = [sum(count for length, count in lengths.items() if length > ply) for ply in range(longest)]
    actions_at: Counter[int] = Counter()  # [ply] actions of all games together
    for each in played:
        actions_at.update(dict(enumerate(each.widths)))
    leads = [float(each.lead) for each in played]
    return RandomGames(
        games=len(played),
        seed=seed,
        lengths=tuple(sorted(lengths.items())),
        widths=tuple(actions_at[ply] / reached[ply] for ply in range(longest)),
        branching=sum(actions_at.values()) / max(1, sum(len(each.widths) for each in played)),
        wins=sum(each.winner == MAX for each in played) / len(played),
        losses=sum(each.winner == MIN for each in played) / len(played),
        advantage=mean(leads),
        margin=SURE * math.sqrt(pvariance(leads) / len(played)),
        unended=sum(not each.ended for each in played),
    )


@dataclass(frozen=True)
class Played:
    """One random game."""

    widths: list[int]  # [ply] actions that there were
    first: int | None  # who made the first move; None where there was none
    winner: int | None  # None: a draw
    ended: bool = True

    @property
    def lead(self) -> int:
        """1 where the player who began won, -1 where the other one did."""
        return 0 if self.first is None or self.winner is None else 1 if self.winner == self.first else -1


def one_game(game: Game, root: State, random: Random) -> Played:
    """A random game from a state on; what it means that a state returns is said by the rules."""
    state, widths, first = root, list[int](), None
    before = set[State]()
    for _ in range(LONGEST):
        if game.terminal(state):
            return Played(widths, first, winner_of(game, state))
        mover = mover_of(game, state)
        if game.repetition is not None:
            before.add(state)
        if mover == CHANCE:
            state = game.result(state, rolled(game, state, random))
        else:
            first = mover if first is None else first
            actions = actions_of(game, state, before)
            if not actions:  # all of them are forbidden
                return Played(widths, first, 1 - mover)
            widths.append(len(actions))
            state = game.result(state, random.choice(actions))
        if game.repetition in ("draw", "loss") and state in before:
            return Played(widths, first, 1 - mover if game.repetition == "loss" and mover != CHANCE else None)
    return Played(widths, first, winner_of(game, state) if game.terminal(state) else None, game.terminal(state))


def winner_of(game: Game, end: State) -> int | None:
    """Who has more than a draw is worth; None where nobody has."""
    lead = simple_payoff(game, end) - draw_value(game)
    return MAX if lead > 0 else MIN if lead < 0 else None


def mover_of(game: Game, state: State) -> int:
    player = game.player(state)
    if player not in (MAX, MIN, CHANCE):
        raise no_such_player(game, player, game.players)
    return player


def rolled(game: Game, state: State, random: Random) -> Action:
    """What chance does."""
    weighted = chance_weights(game, state)
    if not weighted:
        raise no_actions(game, state)
    return random.choices([action for action, _ in weighted], [float(weight) for _, weight in weighted])[0]


def actions_of(game: Game, state: State, before: set[State]) -> list[Action]:
    """What a player may do, without what leads back where the rules forbid that."""
    actions = list(game.actions(state))
    if not actions:
        raise no_actions(game, state)
    if game.repetition != "forbidden":
        return actions
    return [action for action in actions if game.result(state, action) not in before]
