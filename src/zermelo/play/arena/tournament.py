"""A match of two players or a tournament of several: the schedule, the work in parallel, and what came out of it.

Every two players meet in pairs of games, the same opening with sides swapped. The schedule depends on the settings alone, not on how many
games are played or who plays them, so a match can be interrupted, resumed and extended. Results are judged in the order of the schedule:
with limits on nodes or depth, the same seed gives the same answer on one core and on many.
"""

import itertools
import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.play.arena.contest import Contest, Record, known_game, play, prepared, require_sums
from zermelo.play.arena.openings import random_openings, read_openings
from zermelo.play.arena.rating import Duel, Sequential, Standing, duel, standings
from zermelo.play.arena.store import Store
from zermelo.play.external import require_program
from zermelo.play.players import AlgorithmPlayer, Automatic, ExternalPlayer, parse_player, player_text
from zermelo.rules import Game
from zermelo.runtime.identity import rules_hash
from zermelo.weights import read_weights, weights_text

__all__ = ["Outcome", "Tournament", "outcome_of"]

AHEAD = 3  # tasks a worker, so that nobody waits for the next one
PLIES = 4
Played = Generator[Record, None, None]
LONGEST = 1_000  # moves of a game


@dataclass(frozen=True)
class Outcome:
    """What came out of a match, as far as it was played."""

    game: str
    players: tuple[str, ...]
    records: tuple[Record, ...]  # in the order of the schedule
    pairs: dict[tuple[int, int], tuple[tuple[float, float], ...]]  # by two players: scores of the first, both games of a pair
    sequential: Sequential | None = None
    verdict: str | None = None  # of the sequential test: "high", "low", or None where it is not over
    stopped: str = ""  # "interrupted", "decided", or nothing

    def __repr__(self) -> str:
        rows = self.cross_table()
        points = (f"{player} {sum(score or 0 for score in row):g}" for player, row in zip(self.players, rows, strict=True))
        return f"Outcome({self.game}: {', '.join(points)}; {len(self.records):,} games)"

    @property
    def duel(self) -> Duel | None:
        """Between two players; None where there are more, or no pair is done."""
        found = self.pairs.get((0, 1), ())
        return duel(found) if len(self.players) == 2 and found else None

    def standings(self) -> list[Standing]:
        """Everybody's rating."""
        return standings(self.players, self.pairs)

    def cross_table(self) -> list[list[float | None]]:
        """[player][opponent] points; None for oneself."""
        table: list[list[float | None]] = [[None if i == j else 0.0 for j in range(len(self.players))] for i in range(len(self.players))]
        for (i, j), pairs in self.pairs.items():
            own = sum(map(sum, pairs))
            table[i][j], table[j][i] = own, 2 * len(pairs) - own
        return table

    def forfeits(self) -> list[Record]:
        """Games that a player lost without being beaten."""
        return [record for record in self.records if " forfeits: " in record.reason]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        found = self.duel
        data: dict[str, Any] = {
            "game": self.game,
            "players": list(self.players),
            "games": len(self.records),
            "standings": [vars(standing) for standing in self.standings()] if any(self.pairs.values()) else [],
            "cross_table": self.cross_table(),
            "duel": None if found is None else vars(found),
            "forfeits": [{"game": record.number, "reason": record.reason} for record in self.forfeits()],
            "sprt": None,
            "stopped": self.stopped,
        }
        if self.sequential is not None:
            ratio = self.sequential.ratio(self.pairs.get((0, 1), ()))
            data["sprt"] = vars(self.sequential) | {"ratio": ratio, "bound": self.sequential.bound, "verdict": self.verdict}
        return data


@dataclass
class Tournament:
    """Players, game and openings; `run` plays what is not in the store yet."""

    game: str
    players: Sequence[str]
    games: int = 100  # of every two players
    plies: int = PLIES  # random moves of an opening
    openings: Path | None = None  # a file of positions instead
    seed: int = 0
    longest: int = LONGEST
    sequential: Sequential | None = None

    def __post_init__(self) -> None:
        self.rules: Game = known_game(self.game)
        if self.rules.players != 2:
            raise ZermeloError(f"A match is for two players, and {self.game} is for {self.rules.players}.")
        parsed = [parse_player(text) for text in self.players]
        self.players = tuple(player_text(player) for player in parsed)
        if len(self.players) < 2 or len(set(self.players)) < len(self.players):
            raise ZermeloError("A match needs at least two players, each named once.")
        for text, player in zip(self.players, parsed, strict=True):
            if isinstance(player, ExternalPlayer):
                require_program(player.command)
            if not isinstance(player, Automatic):
                raise ZermeloError(f"{text} cannot play a match: it does not decide by itself.")
        if self.games < 2 or self.games % 2:
            raise ZermeloError(f"Games come in pairs with sides swapped: play an even number of at least 2, not {self.games}.")
        if self.plies < 0 or self.longest < 1:
            raise ZermeloError("Openings have at least 0 moves, and games at least 1.")
        if self.sequential is not None and len(self.players) != 2:
            raise ZermeloError("A sequential test compares two players.")
        self.automatic = dict(zip(self.players, parsed, strict=True))

    def settings(self) -> dict[str, Any]:
        """What makes two runs the same match."""
        learned = {"weights": digests} if (digests := self.weights_digests()) else {}
        return learned | {
            "game": self.game,
            "rules": rules_hash(self.rules),
            "players": list(self.players),
            "openings": {"plies": self.plies} if self.openings is None else read_openings(self.rules, self.openings),
            "seed": self.seed,
            "longest": self.longest,
        }

    def weights_digests(self) -> dict[str, str]:
        """A hash of each file of weights that a player judges by: the same name may hold other weights later."""
        searching = [player for player in self.automatic.values() if isinstance(player, AlgorithmPlayer)]
        files = sorted({file for player in searching if (file := player.setting("weights"))})
        return {file: sha256(weights_text(read_weights(Path(file))).encode()).hexdigest()[:16] for file in files}

    def schedule(self) -> list[Contest]:
        """All games in order: for every opening, every two players, both sides."""
        if self.openings is None:
            openings: Iterator[str] = random_openings(self.rules, self.plies, self.seed)
        else:
            openings = itertools.cycle(read_openings(self.rules, self.openings))
        contests: list[Contest] = []
        for opening, _ in zip(openings, range(self.games // 2), strict=False):
            for i, j in itertools.combinations(range(len(self.players)), 2):
                number = len(contests) + 1
                seed = self.seed * 1_000_003 + number // 2
                first = Contest(number, self.game, self.players[i], self.players[j], opening=opening, seed=seed, longest=self.longest)
                contests += [first, replace(first, number=number + 1, first=self.players[j], second=self.players[i])]
        return contests

    def judge(self, store: Store) -> Outcome:
        """What the games in a store say, without playing any."""
        schedule = self.schedule()
        return outcome_of(self, checked_records(store, schedule), schedule)

    def prepare(self) -> None:
        """Lets every player of ours make a move, so that one who does not suit the game is told before the match."""
        for contest in self.schedule()[: len(self.players) * (len(self.players) - 1)]:
            if not any(isinstance(self.automatic[text], ExternalPlayer) for text in (contest.first, contest.second)):
                record = play(prepared(contest))
                if " forfeits: " in record.reason and "strategy(" not in record.reason.partition(" forfeits: ")[0]:
                    raise ZermeloError(record.reason.partition(" forfeits: ")[2] + ".")

    def run(
        self,
        store: Store | None = None,
        *,
        workers: int = 1,
        executor: Executor | None = None,
        progress: Callable[[Outcome], object] | None = None,
    ) -> Outcome:
        """Plays all games that the store does not have yet, in this process, in several, or on any executor; the store keeps every game."""
        store = Store(None) if store is None else store
        store.begin(self.settings())
        schedule = self.schedule()
        known = checked_records(store, schedule)
        outcome = outcome_of(self, known, schedule)
        missing = [contest for contest in schedule if contest.number not in known]
        if outcome.verdict is not None or not missing:
            return outcome
        self.prepare()
        others = set(multiprocessing.active_children())
        own = process_pool(workers) if executor is None and workers > 1 else None
        pool = own if executor is None else executor
        played = one_by_one(missing) if pool is None else in_parallel(missing, pool, workers)
        stopped = ""
        try:
            for record in played:
                store.add(record)
                known[record.number] = record
                outcome = outcome_of(self, known, schedule)
                if progress is not None:
                    progress(outcome)
                if outcome.verdict is not None:
                    stopped = "decided"
                    break
        except KeyboardInterrupt:
            stopped = "interrupted"
        except BrokenExecutor as error:
            raise ZermeloError(f"A process that played games ended by itself ({error}); the games so far are kept.") from error
        finally:
            played.close()
            if own is not None:
                for process in set(multiprocessing.active_children()) - others if stopped else ():
                    process.terminate()  # their games would be played for nobody
                own.shutdown(cancel_futures=True)
        return outcome_of(self, known, schedule, stopped)


def checked_records(store: Store, schedule: Sequence[Contest]) -> dict[int, Record]:
    """The games in a store, each played through once more: moves, payoffs and scores must go together."""
    known, contests = store.records(), {contest.number: contest for contest in schedule}
    for number, record in known.items():
        if number not in contests:
            raise ZermeloError(f"{store.name} has a game {number}, but the match has {len(contests)}: remove the file, or that row.")
        require_sums(contests[number], record)
    return known


def process_pool(workers: int) -> ProcessPoolExecutor:
    """Processes that end silently at Ctrl-C: what was played by then is kept by this one."""
    spawning = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, spawning, signal.signal, (signal.SIGINT, signal.SIG_DFL))


def one_by_one(contests: Sequence[Contest]) -> Played:
    """Games in this process."""
    for contest in contests:
        yield play(contest)


def in_parallel(contests: Sequence[Contest], executor: Executor, workers: int) -> Played:
    """Games on an executor, as they come; only a few are handed out ahead, because a test may end the match."""
    waiting = iter(contests)
    running: set[Future[Record]] = {executor.submit(play, contest) for contest in itertools.islice(waiting, AHEAD * workers)}
    try:
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                with suppress(StopIteration):
                    running.add(executor.submit(play, next(waiting)))
                yield future.result()
    finally:
        for future in running:
            future.cancel()


def outcome_of(tournament: Tournament, known: dict[int, Record], schedule: Sequence[Contest], stopped: str = "") -> Outcome:
    """What the games say, in the order of the schedule. A sequential test ends at the first pair that decides it."""
    players = tuple(tournament.players)
    numbers = {text: number for number, text in enumerate(players)}
    pairs: dict[tuple[int, int], list[tuple[float, float]]] = {pairing: [] for pairing in itertools.combinations(range(len(players)), 2)}
    verdict: str | None = None
    test, gap = tournament.sequential, False
    for contest, other in zip(schedule[::2], schedule[1::2], strict=True):
        if contest.number not in known or other.number not in known:
            gap = True
            continue
        if test is not None and (gap or verdict is not None):
            break
        found = pairs[numbers[contest.first], numbers[contest.second]]
        found.append((known[contest.number].score, 1 - known[other.number].score))
        verdict = None if test is None else test.verdict(found)
    records = tuple(known[number] for number in sorted(known))
    held = {pairing: tuple(found) for pairing, found in pairs.items()}
    return Outcome(tournament.game, players, records, held, test, verdict, stopped)
