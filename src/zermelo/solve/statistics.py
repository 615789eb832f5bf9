"""A game in figures, for whoever designs one: positions of every ply, how wide and long the game is, who is better off, what is hard.

Every position is solved first, so that all figures but those of random games are exact.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from zermelo.engine.limits import Watch
from zermelo.errors import ZermeloError
from zermelo.rules import MAX, Game, State, action_name, draw_value, legal_actions, simple_payoff
from zermelo.solve.database import Bulk, Database
from zermelo.solve.job import Job, chunks, kernel_of
from zermelo.solve.kernels.retrograde import END
from zermelo.solve.layout import Entry
from zermelo.solve.lookup import Reading
from zermelo.solve.strong import Strong

__all__ = ["GameStatistics", "Hard", "Ply", "game_statistics"]

LONGEST_RANDOM = 10_000  # moves of a random game
HARDEST = 5


@dataclass(frozen=True)
class Ply:
    """The positions that are first reached after so many moves."""

    ply: int
    positions: int
    ends: int  # the game is over
    wins: int  # of Max
    losses: int
    ties: int
    draws: int  # play without end
    moves: float  # actions of a position that is not an end, on average
    forced: int  # positions with one action only
    narrow: int  # positions with several actions, of which one alone keeps the value


@dataclass(frozen=True)
class Hard:
    """A position that the mover wins with one action only; the further the end, the harder to see."""

    line: tuple[str, ...]  # how it is reached
    action: str
    distance: int


@dataclass(frozen=True)
class GameStatistics:
    """All figures."""

    game: Game
    positions: int
    value: Any
    distance: int | None
    kind: str
    plies: tuple[Ply, ...]
    branching: float  # actions of a position that is not an end, on average
    best_line: tuple[str, ...]  # best play from the start
    only_moves: int  # of the best line: moves without an alternative of the same value
    hardest: tuple[Hard, ...]
    games: int  # random games
    length: float  # of random games, on average
    shortest: int
    longest: int
    random_wins: float  # share of random games that Max wins
    random_losses: float
    seed: int

    @property
    def advantage(self) -> float:
        """Of the first player in random games: the share of wins less that of losses."""
        return self.random_wins - self.random_losses

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        return {
            "positions": self.positions,
            "value": self.value,
            "distance": self.distance,
            "kind": self.kind,
            "branching": self.branching,
            "best_line": list(self.best_line),
            "only_moves": self.only_moves,
            "random": {
                "games": self.games,
                "length": self.length,
                "shortest": self.shortest,
                "longest": self.longest,
                "wins": self.random_wins,
                "losses": self.random_losses,
                "advantage": self.advantage,
                "seed": self.seed,
            },
            "hardest": [{"line": list(hard.line), "action": hard.action, "distance": hard.distance} for hard in self.hardest],
            "plies": [vars(ply) for ply in self.plies],
        }


def game_statistics(game: Game, root: State | None = None, file: Path | None = None, games: int = 1000, seed: int = 1913) -> GameStatistics:
    """The figures of a game from a state on (the start by default); from a database, or after solving every position."""
    place = game.start() if root is None else root
    if file is not None:
        with Database(file, game) as database:
            return Survey(database, place).result(games, seed)
    with tempfile.TemporaryDirectory(prefix="zermelo-stats-") as folder:
        Strong(symmetry=False).solve(game, place, out=Path(folder) / "game.zdb")
        with Database(Path(folder) / "game.zdb", game) as database:
            return Survey(database, place).result(games, seed)


class Survey:
    """A walk over all positions of a database, in the order of moves."""

    def __init__(self, database: Database, root: State) -> None:
        self.database, self.game, self.root = database, database.game, root
        self.entry = database.probe(root)
        self.job = Job(self.game, database.header.numbering, "")
        try:
            kernel_of(self.job)
        except ZermeloError as error:
            raise ZermeloError(f"Statistics need rules that compile: {error}") from None
        self.bulk: Bulk = database.bulk()
        count = len(self.bulk.codes)
        self.values = np.array([0, *(float(entry.value) for entry in database.header.scores)])  # [code]
        self.kinds = np.array(["", *(entry.kind for entry in database.header.scores)])
        self.distances = np.array([0, *(entry.distance or 0 for entry in database.header.scores)])
        self.parents = np.full(count, -1, np.int64)  # [place] the number of the position that led here first
        self.seen = np.zeros(count, bool)
        self.hard: list[tuple[int, int]] = []  # (distance, number)

    def plies(self) -> list[Ply]:
        """Every round of moves."""
        number = self.database.positions.number(self.root)
        frontier = np.array([number], np.int64)
        self.seen[self.bulk.places(frontier)] = True
        found: list[Ply] = []
        while len(frontier):
            ply, frontier = self.look(len(found), frontier)
            found.append(ply)
        return found

    def look(self, number: int, frontier: Any) -> tuple[Ply, Any]:
        """One round, and the next."""
        codes = self.bulk.look(frontier)
        counts = {kind: int((self.kinds[codes] == kind).sum()) for kind in ("win", "loss", "tie", "draw")}
        ends = edges = forced = narrow = 0
        following = []
        for chunk in chunks(self.job, frontier):
            part = frontier[chunk.begin : chunk.end]
            own = self.bulk.look(part)
            widths = np.diff(chunk.first)
            origin = np.repeat(np.arange(len(part)), widths)
            keeps = self.values[self.bulk.look(chunk.children)] == self.values[own][origin]
            good = np.bincount(origin, keeps, minlength=len(part)).astype(np.int64)
            over = chunk.movers == END
            ends, edges = ends + int(over.sum()), edges + len(chunk.children)
            forced += int((widths == 1).sum())
            only = (good == 1) & (widths > 1)
            narrow += int(only.sum())
            wins = np.where(chunk.movers == MAX, self.kinds[own] == "win", self.kinds[own] == "loss")
            self.remember(part, self.distances[own], np.flatnonzero(only & wins))
            places = self.bulk.places(chunk.children)
            fresh, first = np.unique(np.where(self.seen[places], -1, places), return_index=True)
            first = first[fresh >= 0]
            self.seen[places[first]] = True
            self.parents[places[first]] = part[origin[first]]
            following.append(chunk.children[first].copy())
        moves = edges / max(1, len(frontier) - ends)
        ply = Ply(number, len(frontier), ends, counts["win"], counts["loss"], counts["tie"], counts["draw"], moves, forced, narrow)
        return ply, np.sort(np.concatenate(following))

    def remember(self, numbers: Any, distances: Any, chosen: Any) -> None:
        """Keeps the hardest so far."""
        best = chosen[np.argsort(-distances[chosen], kind="stable")][:HARDEST]
        self.hard += [(int(distances[at]), int(numbers[at])) for at in best]
        self.hard = sorted(self.hard, key=lambda pair: -pair[0])[:HARDEST]

    def way(self, number: int) -> tuple[State, tuple[str, ...]]:
        """A shortest line to a position, and the state it ends in, which may be another one that is alike."""
        numbers = [number]
        while (before := int(self.parents[self.bulk.places(np.array(numbers[-1:], np.int64))[0]])) >= 0:
            numbers.append(before)
        state, names = self.root, []
        for wanted in reversed(numbers[:-1]):
            action = next(
                each for each in legal_actions(self.game, state) if self.database.positions.number(self.game.result(state, each)) == wanted
            )
            names.append(action_name(self.game, state, action))
            state = self.game.result(state, action)
        return state, tuple(names)

    def hardest(self) -> tuple[Hard, ...]:
        """With the way there, and the move."""
        found, reading = [], Reading(self.database, self.game, Watch())
        for distance, number in self.hard:
            state, line = self.way(number)
            action = reading.choice(state)
            assert action is not None
            found.append(Hard(line, action_name(self.game, state, action), distance))
        return tuple(found)

    def best_line(self) -> tuple[tuple[str, ...], int]:
        """Best play, and how many of its moves have no alternative of the same value."""
        state, names, only = self.root, [], 0
        for action in Reading(self.database, self.game, Watch()).line(state):
            actions = legal_actions(self.game, state)
            value = self.value(state)
            only += len(actions) > 1 and sum(self.value(self.game.result(state, each)) == value for each in actions) == 1
            names.append(action_name(self.game, state, action))
            state = self.game.result(state, action)
        return tuple(names), only

    def value(self, state: State) -> Any:
        entry: Entry = self.database.probe(state)
        return entry.value

    def result(self, games: int, seed: int) -> GameStatistics:
        plies = self.plies()
        line, only = self.best_line()
        lengths, leads = random_games(self.game, self.root, games, seed)
        open_positions = sum(ply.positions - ply.ends for ply in plies)
        return GameStatistics(
            game=self.game,
            positions=sum(ply.positions for ply in plies),
            value=self.entry.value,
            distance=self.entry.distance,
            kind=self.entry.kind,
            plies=tuple(plies),
            branching=sum(ply.moves * (ply.positions - ply.ends) for ply in plies) / max(1, open_positions),
            best_line=line,
            only_moves=only,
            hardest=self.hardest(),
            games=games,
            length=sum(lengths) / len(lengths),
            shortest=min(lengths),
            longest=max(lengths),
            random_wins=sum(lead > 0 for lead in leads) / games,
            random_losses=sum(lead < 0 for lead in leads) / games,
            seed=seed,
        )


def random_games(game: Game, root: State, games: int, seed: int) -> tuple[list[int], list[Any]]:
    """Lengths of random games, and Max's payoff less the draw; a game without end in sight counts as a draw."""
    random, draw = Random(seed), draw_value(game)
    lengths, leads = [], []
    for _ in range(games):
        state, length = root, 0
        while not game.terminal(state) and length < LONGEST_RANDOM:
            state = game.result(state, random.choice(legal_actions(game, state)))
            length += 1
        lengths.append(length)
        leads.append(simple_payoff(game, state) - draw if game.terminal(state) else 0)
    return lengths, leads
