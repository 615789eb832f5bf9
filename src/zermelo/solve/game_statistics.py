"""A game in figures, for game designers: positions of every ply, how wide and long the game is, who is better off, what is hard.

Every position is solved first, so that all figures but those of random games are exact. A game that is too large for that, or cannot be
solved whole for another reason, has the figures of random games alone.
"""

import glob
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.compiler.faults import resilient
from zermelo.errors import RulesError, ZermeloError
from zermelo.limits import Watch
from zermelo.rules import MAX, Game, State, action_name, legal_actions
from zermelo.runtime.backend import choose
from zermelo.solve.data_folder import databases_of
from zermelo.solve.database import Bulk, Database
from zermelo.solve.database_format import Entry
from zermelo.solve.distinct import TooManyCodesError
from zermelo.solve.estimate import Estimate
from zermelo.solve.job import UNASKED, Job, chunks, kernel_of
from zermelo.solve.limit import TooManyPositionsError
from zermelo.solve.lookup import Reading
from zermelo.solve.numbering import MOST_BITS, Positions, TooWideError, UnnumberedError, first_numbering
from zermelo.solve.random_games import RandomGames, random_games
from zermelo.solve.retrograde_kernel import END
from zermelo.solve.strong import DEFAULT_MEMORY, StrongSolver, check_game
from zermelo.solve.work_folder import is_dead

__all__ = ["MOST_POSITIONS", "GameStatistics", "Hard", "Ply", "game_statistics", "plain_database_of"]

MOST_POSITIONS = 5_000_000  # a larger game is not solved
POSITION_BYTES = 1024  # of memory for each of them: so many are held together
LEAST_MEMORY = 16 << 20
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
    following: tuple[str, ...]  # best play from there, the move first
    only_moves: int  # of these: moves of the winner without an alternative that wins too


@dataclass(frozen=True)
class GameStatistics:
    """All figures. Where the game was not solved, `positions` is 0, `plies` is empty, and `reason` says why."""

    game: Game
    positions: int
    value: Any  # None where it is not solved
    distance: int | None
    kind: str
    plies: tuple[Ply, ...]
    branching: float  # actions of a position that is not an end, on average
    best_line: tuple[str, ...]  # best play from the start
    only_moves: int  # of the best line: moves without an alternative of the same value
    hardest: tuple[Hard, ...]
    distances: tuple[tuple[int, int, int], ...]  # (actions to the end, positions that Max wins in as many, that Min wins)
    random: RandomGames
    estimated: int | None = None  # positions of a game that was not solved, as far as anybody has looked
    least: bool = False  # there are more than estimated
    reason: str = ""  # why the game was not solved
    symmetric: bool = False  # were positions that are alike counted once?
    database: str | None = None  # where the values are from; None: they were found just now

    def __repr__(self) -> str:
        solved = f"{self.positions:,} positions, value {self.value}" if self.positions else "not solved"
        return f"GameStatistics({type(self.game).__name__}: {solved}; {self.branching:.2f} moves a position)"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        return {
            "positions": self.positions,
            "symmetric": self.symmetric,
            "database": self.database,
            "estimated_positions": self.estimated,
            "estimated_least": self.least,
            "reason": self.reason or None,
            "value": self.value,
            "distance": self.distance,
            "kind": self.kind,
            "branching": self.branching,
            "best_line": list(self.best_line),
            "only_moves": self.only_moves,
            "random": self.random.to_dict(),
            "hardest": [vars(hard) | {"line": list(hard.line), "following": list(hard.following)} for hard in self.hardest],
            "distances": [list(each) for each in self.distances],
            "plies": [vars(ply) for ply in self.plies],
        }


class UnsolvedError(Exception):
    """Not all positions can be looked at; `reason` is a sentence for the user."""

    def __init__(self, reason: str, positions: int | None = None, least: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.positions, self.least = f"{reason.removesuffix('.')}.", positions, least


@resilient
def game_statistics(
    game: Game,
    root: State | None = None,
    file: Path | None = None,
    games: int = 1000,
    seed: int = 1913,
    most: int = MOST_POSITIONS,
    progress: Callable[[str], object] | None = None,
) -> GameStatistics:
    """The figures of a game from a state on (the start by default): from a database, or after solving every position, if these are not
    more than `most`. Where that cannot be, those of random games alone, with the reason."""
    if game.players != 2 or game.total is None:
        raise ZermeloError(f"Statistics are made for two players with a constant sum; {type(game).__name__} is not of this kind.")
    place = game.start() if root is None else root
    try:
        if file is not None:
            with Database(file, game) as database:
                return Survey(database, place).result(games, seed, str(file))
        require_solvable(game)
        with working_folder() as folder:
            solve_within(game, place, folder / "game.zdb", most, progress)
            with Database(folder / "game.zdb", game) as database:
                return Survey(database, place).result(games, seed)
    except UnsolvedError as unsolved:
        return sampled(game, place, games, seed, unsolved)


def plain_database_of(game: Game, most: int = MOST_POSITIONS) -> Path | None:
    """A database in the data folder that gives the figures of solving, only sooner: of the whole game, with at most so many positions, and
    without folding those that are alike."""
    for path, header in databases_of(game):
        plain = header.content == "solution" and header.count <= most and not header.numbering.symmetric
        if plain and header.root == Positions(game, header.numbering).number(game.start()):
            return path
    return None


def require_solvable(game: Game) -> None:
    """Raises where not every position of a game can be solved and walked over, however few there are."""
    try:
        check_game(game)
    except ZermeloError as error:
        raise UnsolvedError(str(error)) from None
    try:
        compiled = choose(game, "compiled", UNASKED).required
        kernel_of(Job(game, first_numbering(game, compiled.program.state, symmetric=False), ""))
    except RulesError as error:
        raise UnsolvedError(f"Looking at every position needs rules that compile: {error}") from None


def solve_within(game: Game, root: State, out: Path, most: int, tell: Callable[[str], object] | None) -> None:
    """Solves the game into a file. Raises where it has more than `most` positions, as soon as that shows."""

    def look(guess: Estimate) -> None:
        if guess.least:
            raise UnsolvedError(f"More than {guess.positions:,} positions, with no end in sight.", guess.positions, least=True)
        if guess.positions > most:
            count = f"{guess.positions:,}" if guess.exact else f"About {guess.positions:,}"
            raise UnsolvedError(f"{count} positions, more than {most:,}.", guess.positions)

    plan = StrongSolver(symmetry=False, memory=min(DEFAULT_MEMORY, max(LEAST_MEMORY, POSITION_BYTES * most)), positions=most)
    try:
        plan.solve(game, root, out=out, progress=tell, announce=look)
    except TooManyPositionsError:
        raise UnsolvedError(f"More than {most:,} positions.", most, least=True) from None
    except TooWideError:
        raise UnsolvedError(f"The positions of {type(game).__name__} do not fit {MOST_BITS} bits.") from None
    except (UnnumberedError, RulesError, TooManyCodesError) as error:  # what a database does not hold
        raise UnsolvedError(str(error)) from None


@contextmanager
def working_folder() -> Iterator[Path]:
    """A folder that goes afterwards. Those that killed runs on this machine left behind go before."""
    mark = f"zermelo-stats-{platform.node()}-"
    for left in Path(tempfile.gettempdir()).glob(f"{glob.escape(mark)}*"):
        process = left.name.removeprefix(mark).partition("-")[0]
        if process.isdecimal() and is_dead(int(process)):
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f"{mark}{os.getpid()}-") as folder:
        yield Path(folder)


def sampled(game: Game, root: State, games: int, seed: int, unsolved: UnsolvedError) -> GameStatistics:
    """The figures of a game that is not solved."""
    played = random_games(game, root, games, seed)
    return GameStatistics(
        game=game,
        positions=0,
        value=None,
        distance=None,
        kind="",
        plies=(),
        branching=played.branching,
        best_line=(),
        only_moves=0,
        hardest=(),
        distances=(),
        random=played,
        estimated=unsolved.positions,
        least=unsolved.least,
        reason=unsolved.reason,
    )


class Survey:
    """A walk over all positions of a database, in the order of moves."""

    def __init__(self, database: Database, root: State) -> None:
        self.database, self.game, self.root = database, database.game, root
        if database.header.content == "book":
            raise ZermeloError(f"{database.path} is a book, which does not hold every position: statistics need a whole database.")
        self.entry = database.probe(root)
        self.job = Job(self.game, database.header.numbering, "")
        try:
            kernel_of(self.job)
        except RulesError as error:
            raise UnsolvedError(f"Looking at every position needs rules that compile: {error}") from None
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
            narrow += int(((good == 1) & (widths > 1)).sum())
            wins = self.kinds[self.bulk.look(chunk.children)] == np.where(chunk.movers == MAX, "win", "loss")[origin]
            winning = np.bincount(origin, wins, minlength=len(part)).astype(np.int64)
            self.remember(part, self.distances[own], np.flatnonzero((winning == 1) & (widths > 1)))
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
        found = []
        for distance, number in self.hard:
            state, line = self.way(number)
            names, only = self.best_line(state, self.game.player(state))
            found.append(Hard(line, names[0], distance, names, only))
        return tuple(found)

    def best_line(self, state: State, winner: int | None = None) -> tuple[tuple[str, ...], int]:
        """Best play from a state, and how many of its moves have no alternative of the same value; or, where a player wins, how many of the
        winner's moves have none that wins too, by however much."""
        names, only = [], 0
        for action in Reading(self.database, self.game, Watch()).line(state):
            after = [self.entry_of(self.game.result(state, each)) for each in legal_actions(self.game, state)]
            if winner is None:
                good = sum(entry.value == self.entry_of(state).value for entry in after)
            else:
                good = sum(entry.kind == ("win" if winner == MAX else "loss") for entry in after)
            only += winner in (None, self.game.player(state)) and len(after) > 1 and good == 1
            names.append(action_name(self.game, state, action))
            state = self.game.result(state, action)
        return tuple(names), only

    def entry_of(self, state: State) -> Entry:
        return self.database.probe(state)

    def decided(self) -> tuple[tuple[int, int, int], ...]:
        """How many positions are won in how many actions, by Max and by Min; of those that were walked over."""
        codes = self.bulk.codes[self.seen]
        counts = np.bincount(codes.astype(np.int64), minlength=len(self.kinds))
        most = int(self.distances[1:].max(initial=0))
        found = [[0, 0] for _ in range(most + 1)]
        for code in range(1, len(self.kinds)):
            if self.kinds[code] in ("win", "loss"):
                found[self.distances[code]][self.kinds[code] == "loss"] += int(counts[code])
        return tuple((distance, wins, losses) for distance, (wins, losses) in enumerate(found) if wins or losses)

    def result(self, games: int, seed: int, name: str | None = None) -> GameStatistics:
        """All figures; `name` is that of a database which the user has."""
        plies = self.plies()
        line, only = self.best_line(self.root)
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
            distances=self.decided(),
            random=random_games(self.game, self.root, games, seed),
            symmetric=self.database.header.numbering.symmetric,
            database=name,
        )
