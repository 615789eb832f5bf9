"""Statistics and Grundy values of games that are unlike others: Min begins, there is no end, no numbers, rules are broken."""

import dataclasses
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from zermelo.errors import RulesError, ZermeloError
from zermelo.games.kayles import Kayles
from zermelo.games.nim import Nim
from zermelo.games.tictactoe import TicTacToe
from zermelo.rules import Game, State
from zermelo.solve.estimate import Estimate, estimate
from zermelo.solve.game_statistics import GameStatistics, game_statistics, plain_database_of, working_folder
from zermelo.solve.grundy import Impartial, grundy, grundy_sequence, same_rules
from zermelo.solve.random_games import HOPELESS, LONGEST, random_games
from zermelo.solve.strong import StrongSolver
from zermelo.words import replace


class Counters(NamedTuple):
    left: int
    turn: int


@dataclass(frozen=True)
class Take(Game):
    """Take one to three counters; the last one wins."""

    counters: int = 7
    first: int = 0
    last: float = 1.0
    payoffs = (-1, 1)

    def start(self) -> Counters:
        return Counters(self.counters, self.first)

    def player(self, state: Counters) -> int:
        return state.turn

    def actions(self, state: Counters) -> Iterator[int]:
        yield from range(1, min(state.left, 3) + 1)

    def result(self, state: Counters, action: int) -> Counters:
        return Counters(state.left - action, 1 - state.turn)

    def terminal(self, state: Counters) -> bool:
        return state.left == 0

    def utility(self, state: Counters) -> float:
        return self.last if state.turn == 1 else -self.last


class Endless(Take):
    def result(self, state: Counters, action: int) -> Counters:
        return Counters(state.left + action, 1 - state.turn)


class Stuck(Take):
    def actions(self, state: Counters) -> Iterator[int]:
        if state.left != 3:
            yield from range(1, min(state.left, 3) + 1)


class NobodyMoves(Take):
    def player(self, state: Counters) -> int:
        return 5 * state.turn


class Asynchronous(Take):
    """Coroutines do not compile."""

    def utility(self, state: Counters) -> float:
        async def score() -> float:
            return self.last if state.turn == 1 else -self.last

        try:
            score().send(None)
        except StopIteration as end:
            return float(end.value)
        raise AssertionError


class Round(Take):
    """Counters are put back."""

    def result(self, state: Counters, action: int) -> Counters:
        return Counters((state.left + action) % 8, 1 - state.turn)


class Forbidden(Round):
    repetition = "forbidden"


class Lost(Round):
    repetition = "loss"


class Cells(NamedTuple):
    cells: tuple[int, ...]
    turn: int


@dataclass(frozen=True)
class Wide(Game):
    """Marks on two of 70 cells: few positions, and 140 bits each."""

    def start(self) -> Cells:
        return Cells((0,) * 70, 0)

    def player(self, state: Cells) -> int:
        return state.turn

    def actions(self, state: Cells) -> Iterator[int]:
        yield from range(70)

    def result(self, state: Cells, action: int) -> Cells:
        return Cells(replace(state.cells, action, 3), 1 - state.turn)

    def terminal(self, state: Cells) -> bool:
        return sum(state.cells) >= 6

    def utility(self, state: Cells) -> float:
        return 1 if state.cells[0] else -1


@pytest.mark.parametrize("first", [0, 1])
def test_the_advantage_is_that_of_who_begins(first: int) -> None:
    """One counter: whoever begins takes it."""
    game = Take(1, first)
    played = random_games(game, game.start(), 10, 1)
    assert (played.advantage, played.margin) == (1, 0)
    assert (played.wins, played.losses) == ((1, 0) if first == 0 else (0, 1))


def test_nobody_begins_a_game_that_is_over() -> None:
    played = random_games(Take(0), Counters(0, 1), 10, 1)
    assert (played.wins, played.advantage, played.margin) == (1, 0, 0)


def test_random_games_without_an_end_are_few() -> None:
    played = random_games(Endless(), Endless().start(), 1000, 1)
    assert (played.games, played.unended, played.lengths) == (HOPELESS, HOPELESS, ((LONGEST, HOPELESS),))


@pytest.mark.parametrize(("game", "words"), [(Stuck(), "is not terminal and has no actions"), (NobodyMoves(), "players are 0 to 1")])
def test_random_games_name_a_broken_rule(game: Game, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        random_games(game, game.start(), 50, 1)


def test_random_games_keep_to_what_is_said_about_states_that_return() -> None:
    for game in (Lost(), Forbidden()):
        played = random_games(game, game.start(), 100, 1)
        assert played.unended == 0
        assert played.lengths[-1][0] <= 16


# --- what cannot be solved whole


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Asynchronous(), "needs rules that compile"),
        (Take(last=0.3), "not a multiple of a half"),
        (Wide(), "do not fit 63 bits"),
        (Lost(), "depends on how it came about"),
    ],
)
def test_the_true_reason_is_told_beside_random_games(game: Game, words: str) -> None:
    found = game_statistics(game, games=20)
    assert words in found.reason
    assert found.reason.endswith(".")
    assert (found.plies, found.random.games, found.to_dict()["reason"]) == ((), 20, found.reason)


def test_too_many_different_scores_leave_random_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solve.distinct.MOST_CODES", 3)
    found = game_statistics(Take(), games=1)
    assert found.reason == "This game has more than 3 different pairs of value and distance: a database holds no more."
    assert (found.plies, found.random.games) == ((), 1)


def test_other_numbers_of_players_are_refused() -> None:
    class Alone(Take):
        players = 1

    with pytest.raises(ZermeloError, match="two players"):
        game_statistics(Alone())


# --- the limit of positions


def test_a_game_without_an_end_is_not_solved() -> None:
    found = game_statistics(Endless(), games=1, most=1_000)
    assert (found.plies, found.least) == ((), True)
    assert "no end in sight" in found.reason


def too_low(*arguments: Any) -> Estimate:
    return dataclasses.replace(estimate(*arguments), positions=2, fewest=2, most=2, exact=False, least=False)


@pytest.mark.parametrize("told_every", [0, 1e12], ids=["told always", "told never"])
def test_the_limit_holds_whatever_a_solve_tells(told_every: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The estimate is too low here; a solve that went on would find broken rules."""
    monkeypatch.setattr("zermelo.solve.workers.LOOK", told_every)
    monkeypatch.setattr("zermelo.solve.workers.Progress.words", lambda progress, elapsed: "at work")
    monkeypatch.setattr("zermelo.solve.estimate.COUNTED", 8)
    monkeypatch.setattr("zermelo.solve.work.estimate", too_low)
    told: list[str] = []
    found = game_statistics(Stuck(3_000), games=1, most=90, progress=told.append)
    assert (found.plies, found.reason, found.estimated, found.least) == ((), "More than 90 positions.", 90, True)
    assert set(told) == ({"at work"} if told_every == 0 else set())


# --- databases


def figures(found: GameStatistics) -> dict[str, object]:
    return {key: value for key, value in found.to_dict().items() if key != "database"}


def test_figures_do_not_depend_on_a_database_that_lies_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = TicTacToe()
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    StrongSolver().solve(game, out=tmp_path / "a.zdb")
    assert plain_database_of(game) is None  # states that are alike are one position there
    StrongSolver(symmetry=False).solve(game, out=tmp_path / "b.zdb")
    assert plain_database_of(game) == tmp_path / "b.zdb"
    assert plain_database_of(game, most=5_000) is None  # without it the game would not be solved
    alone, read = game_statistics(game, games=20), game_statistics(game, file=plain_database_of(game), games=20)
    assert figures(alone) == figures(read)
    assert (alone.database, read.database) == (None, str(tmp_path / "b.zdb"))
    folded = game_statistics(game, file=tmp_path / "a.zdb", games=20)
    assert (folded.positions, folded.symmetric, folded.to_dict()["symmetric"], alone.symmetric) == (765, True, True, False)


# --- folders


def test_folders_of_killed_runs_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    mark = f"zermelo-stats-{platform.node()}-"
    for name in (f"{mark}{dead.pid}-x", f"{mark}{os.getppid()}-x", f"{mark}other", f"zermelo-stats-elsewhere-{dead.pid}-x"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.zdb").touch()
    with working_folder() as folder:
        assert folder.is_dir()
        left = {each.name for each in tmp_path.iterdir()}
    gone = f"{mark}{dead.pid}-x"
    assert (gone in left) == (os.name != "posix")
    assert len(left - {gone}) == 4
    assert not folder.exists()


# --- Grundy values


class Slow(Take):
    """Rounds without an end are many positions on one line of play."""

    def actions(self, state: Counters) -> Iterator[int]:
        yield 1


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Endless(), "more than 1,000 positions"),
        (Slow(1_001), "more than 1,000 positions"),
        (Round(), "can go round forever"),
        (Stuck(), "is not terminal and has no actions"),
    ],
)
def test_grundy_refuses_what_has_no_values(game: Game, words: str) -> None:
    with pytest.raises(ZermeloError, match=words):
        Impartial(game, most=1_000).value(game.start())


def test_positions_on_the_way_are_counted_once() -> None:
    assert Impartial(Slow(999), most=1_000).value(Slow(999).start()) == 1


def test_a_line_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solve.grundy.LONGEST", 100)
    with pytest.raises(ZermeloError, match="more than 100 moves"):
        grundy(Endless())


@dataclass(frozen=True)
class Share(Take):
    """As many as the rules allow, which depend on the size."""

    def most_taken(self) -> int:
        return self.counters // 2

    def actions(self, state: Counters) -> Iterator[int]:
        yield from range(1, min(state.left, max(1, self.most_taken())) + 1)


@dataclass(frozen=True)
class HandedOn(Take):
    def actions(self, state: Counters) -> Iterator[int]:
        yield from range(1, min(state.left, largest(self)) + 1)


@dataclass(frozen=True)
class Strides(Take):
    def actions(self, state: Counters) -> Iterator[int]:
        for taken in range(1, min(state.left, 3) + 1):
            yield self.counters * taken

    def result(self, state: Counters, action: int) -> Counters:
        return Counters(state.left - action // self.counters, 1 - state.turn)


def largest(game: Take) -> int:
    return max(1, game.counters // 2)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Kayles((3,)), Kayles((5,)), True),
        (Take(3), Take(5), True),
        (Take(3), Take(5, last=0.5), False),
        (Share(4), Share(6), False),
        (HandedOn(4), HandedOn(6), False),
        (Nim((3,)), Nim((5,)), True),
        (Strides(3), Strides(5), False),  # an action is a number that depends on the size
        (Take(3), Share(3), False),
    ],
    ids=repr,
)
def test_rules_that_do_not_depend_on_the_size(one: Game, other: Game, same: bool) -> None:
    assert same_rules(one, other) == same


@pytest.mark.parametrize("kind", [Take, Share, HandedOn, Strides])
def test_a_sequence_is_what_its_games_are_worth_alone(kind: type[Take]) -> None:
    games = [kind(size) for size in range(1, 20)]
    assert grundy_sequence(games) == [grundy(game).value for game in games]


def test_rows_are_looked_at_once_in_a_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[State] = []
    monkeypatch.setattr(Impartial, "check_fair", lambda self, state, actions, results: checked.append(state))
    assert grundy_sequence([Kayles((size,)) for size in range(1, 41)])[:12] == [1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]
    assert len(checked) == 40


@pytest.mark.parametrize("kind", [Nim, Kayles])
def test_a_sequence_meets_as_many_positions_as_its_largest_game(kind: type[Nim], monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[State] = []
    opened = Impartial.opened

    def counted(self: Impartial, state: State) -> Any:
        met.append(state)
        return opened(self, state)

    monkeypatch.setattr(Impartial, "opened", counted)
    games = [kind((size,)) for size in range(1, 31)]
    assert len(grundy_sequence(games)) == 30
    together = len(met)
    met.clear()
    assert together <= grundy(games[-1]).positions == len(met)


def test_a_sequence_of_heaps_is_their_sizes() -> None:
    assert grundy_sequence([Nim((size,)) for size in range(1, 200)]) == list(range(1, 200))
