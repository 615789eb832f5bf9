"""Databases of endgames: as many positions as are published, the values of plain Python, and searches that end in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from zermelo import Game, ZermeloError
from zermelo.games.draughts import Draughts
from zermelo.games.ninemensmorris import NineMensMorris
from zermelo.games.tictactoe import TicTacToe
from zermelo.limits import Limits
from zermelo.rules import State, ask, legal_actions
from zermelo.scores import Score
from zermelo.search.deepening.deepening import Deepening
from zermelo.solve.database import Database
from zermelo.solve.database_oracle import DatabaseOracle
from zermelo.solve.endgames import solve_endgames
from zermelo.solve.lookup import score_of
from zermelo.solve.strong import StrongSolver
from zermelo.solve.strong_reference import solve_by_sweeps
from zermelo.solve.verification import verify

# Boards of English draughts with 1, 2, 3 pieces, both movers: J. Schaeffer and others, Checkers is solved (2007), by number of pieces.
BOARDS = (120, 6_972, 261_224)


class Heap(NamedTuple):
    left: int
    turn: int


@dataclass(frozen=True)
class Take(Game):
    """Take one or two counters; who takes the last one wins. Its endgames are those of a heap two counters larger."""

    counters: int = 12
    numbered: int = 9
    payoffs = (-1, 1)

    def start(self) -> Heap:
        return Heap(self.counters, 0)

    def player(self, heap: Heap) -> int:
        return heap.turn

    def actions(self, heap: Heap) -> Iterator[int]:
        for taken in (1, 2):
            if taken <= heap.left:
                yield taken

    def result(self, heap: Heap, taken: int) -> Heap:
        return Heap(heap.left - taken, 1 - heap.turn)

    def terminal(self, heap: Heap) -> bool:
        return heap.left == 0

    def utility(self, heap: Heap) -> int:
        return -1 if heap.turn == 0 else 1

    def rank(self, heap: Heap) -> int:
        return 2 * heap.left + heap.turn if heap.left <= self.numbered else -1

    def unrank(self, number: int) -> Heap:
        return Heap(number // 2, number % 2)

    def size(self) -> int:
        return 2 * (self.numbered + 1)

    def endgames(self, counters: int) -> "Take":
        return Take(counters + 2, counters + 2)

    def settled(self) -> int:
        return 2 * (self.counters - 1)


def plainly(game: Game, pieces: int) -> dict[State, tuple[Score, bool]]:
    """Score, and whether play is endless, of all positions of the set-up game, by sweeps in plain Python."""
    setup = ask(game, "endgames", pieces)
    solution = solve_by_sweeps(setup, setup.start(), False)
    return {state: (score, state in solution.endless) for state, score in solution.scores.items()}


def test_endgames_of_a_small_game(tmp_path: Path) -> None:
    game = Take()
    done = solve_endgames(StrongSolver(), game, 5, tmp_path / "take.zdb", "take")
    assert (done.positions, done.value, done.kind) == (12, None, "")
    assert (done.wins + done.losses, done.longest) == (12, 3)
    with Database(tmp_path / "take.zdb", game) as database:
        assert database.header.content == "endgames"
        assert verify(database).fault is None
        found = {state: score_of(entry) for state, entry in database.entries()}
        assert database.get(game.start()) is None
    expected = {state: score for state, (score, _) in plainly(game, 5).items() if state.left <= 5}
    assert found == expected
    assert not list(tmp_path.glob("*.setup*"))
    told = Deepening(backend="reference").search(game, oracle=DatabaseOracle(tmp_path / "take.zdb", game))
    alone = Deepening(backend="reference").search(game)
    assert (told.value, told.distances) == (alone.value, alone.distances)
    assert told.extra["database_hits"] > 0


def test_what_has_no_endgames_or_no_number(tmp_path: Path) -> None:
    with pytest.raises(ZermeloError, match="does not say how its endgames are set up"):
        solve_endgames(StrongSolver(), TicTacToe(), 3, tmp_path / "x.zdb")
    with pytest.raises(ZermeloError, match="solve from a position that has one"):
        StrongSolver().solve(Take(), out=tmp_path / "x.zdb")
    with pytest.raises(ZermeloError, match=r"Endgames of 1 to 2 pieces .* not of 3: draughts\(limit=0,numbered=3\)"):
        Draughts(0, 2).endgames(3)
    with pytest.raises(ZermeloError, match="Endgames of 3 to 8 men"):
        NineMensMorris().endgames(2)


@pytest.mark.parametrize("game", [Draughts(0, 3), Draughts(80, 2), Draughts(0, 3).endgames(2)], ids=repr)
def test_numbers_of_draughts_lead_back(game: Draughts) -> None:
    random = Random(3)
    for number in (0, game.size() - 1, *(random.randrange(game.size()) for _ in range(300))):
        assert game.rank(game.unrank(number)) == number
    state = game.start()
    for _ in range(300):
        number = game.rank(state)
        assert number == -1 or game.unrank(number) == state
        actions = legal_actions(game, state)
        state = game.result(state, random.choice(actions)) if actions else game.start()


@pytest.fixture(scope="module")
def draughts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Databases of 2 and 3 pieces, under the same rules."""
    folder = tmp_path_factory.mktemp("draughts")
    for pieces in (2, 3):
        solve_endgames(StrongSolver(), Draughts(0, 3), pieces, folder / f"{pieces}.zdb", "draughts(limit=0,numbered=3)")
    return folder


@pytest.mark.slow
def test_draughts_has_as_many_boards_as_published_and_the_values_of_sweeps(draughts: Path) -> None:
    game = Draughts(0, 3)
    with Database(draughts / "3.zdb", game) as three, Database(draughts / "2.zdb", game) as two:
        assert verify(three).fault is None
        counts = [0] * 4
        for state, _ in three.entries():
            counts[(state.mine | state.theirs).bit_count()] += state.jumper == 0
        assert counts[1:] == [2 * boards for boards in BOARDS]  # either side may be to move
        expected = {state: found for state, found in plainly(game, 2).items() if state.calm == 0}
        assert {state: (score_of(entry), entry.kind == "draw") for state, entry in two.entries()} == expected
        assert all(three.get(state) == entry for state, entry in two.entries())
        kinds = {
            kind: sum(n for entry, n in zip(three.header.scores, three.header.counts, strict=True) if entry.kind == kind) for kind in KINDS
        }
    assert kinds == KINDS


KINDS = {"win": 257_645, "loss": 257_645, "tie": 0, "draw": 21_694}  # colours are alike, so as many wins as losses


@pytest.mark.slow
def test_a_search_of_three_pieces_ends_in_two(draughts: Path) -> None:
    """Values that are proven through the small database are those of the large one."""
    game, random, proven = Draughts(0, 3), Random(5), 0
    oracle = DatabaseOracle(draughts / "2.zdb", game)
    with Database(draughts / "3.zdb", game) as database:
        for _ in range(60):
            state = game.unrank(random.randrange(game.firsts[3], game.size()))
            entry = database.get(state)
            if entry is None or game.terminal(state):
                continue
            found = Deepening().search(game, state, oracle=oracle, limits=Limits(nodes=100_000))
            assert found.extra["database"].endswith("2.zdb")
            if found.exact:
                proven += 1
                assert found.value == entry.value
                assert found.distance in (None, entry.distance)
    assert proven >= 6
