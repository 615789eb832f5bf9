"""Random games: how long they are, how wide, and who wins them."""

import math
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from zermelo.rules import Game, State, draw_value, legal_actions, simple_payoff

__all__ = ["RandomGames", "random_games"]

LONGEST = 10_000  # moves of a random game
SURE = 1.96  # standard errors of a 95 % interval


@dataclass(frozen=True)
class RandomGames:
    """What was seen in games of which every move is as likely as another."""

    games: int
    seed: int
    lengths: tuple[tuple[int, int], ...]  # (moves, games of this length)
    widths: tuple[float, ...]  # [ply] actions there, on average over the games that came so far
    branching: float  # actions of a position, on average over all moves that were made
    wins: float  # share of games that Max wins
    losses: float

    @property
    def length(self) -> float:
        """Moves of a game, on average."""
        return sum(moves * games for moves, games in self.lengths) / self.games

    @property
    def advantage(self) -> float:
        """Of the first player: the share of wins less that of losses."""
        return self.wins - self.losses

    @property
    def margin(self) -> float:
        """Half the width of the advantage's 95 % interval."""
        spread = self.wins + self.losses - self.advantage**2
        return SURE * math.sqrt(max(0.0, spread) / self.games)

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
            "seed": self.seed,
        }


def random_games(game: Game, root: State, games: int, seed: int) -> RandomGames:
    """So many random games from a state on; one without an end in sight counts as a draw."""
    random, draw = Random(seed), draw_value(game)
    lengths: Counter[int] = Counter()
    actions_at: Counter[int] = Counter()  # [ply] actions of all games together
    wins = losses = 0
    for _ in range(games):
        state, length = root, 0
        while not game.terminal(state) and length < LONGEST:
            actions = legal_actions(game, state)
            actions_at[length] += len(actions)
            state = game.result(state, random.choice(actions))
            length += 1
        lengths[length] += 1
        lead = simple_payoff(game, state) - draw if game.terminal(state) else 0
        wins, losses = wins + (lead > 0), losses + (lead < 0)
    longest = max(lengths)
    reached = [sum(count for length, count in lengths.items() if length > ply) for ply in range(longest)]
    moves = sum(length * count for length, count in lengths.items())
    return RandomGames(
        games=games,
        seed=seed,
        lengths=tuple(sorted(lengths.items())),
        widths=tuple(actions_at[ply] / reached[ply] for ply in range(longest)),
        branching=sum(actions_at.values()) / max(1, moves),
        wins=wins / games,
        losses=losses / games,
    )
