"""Whole games against figures that others have published or that were counted in other ways; each row is a game."""

from dataclasses import replace
from pathlib import Path

import pytest

from zermelo.games.awari import Awari
from zermelo.games.breakthrough import Breakthrough
from zermelo.games.dotsandboxes import DotsAndBoxes
from zermelo.games.hex import Hex
from zermelo.games.kalah import Kalah, Seeds
from zermelo.games.mnk import MNK
from zermelo.rules import MAX, Game, legal_actions
from zermelo.search.proof.prove import Prove
from zermelo.solve.database import Database
from zermelo.solve.strong import StrongSolver

# Kalah(m, n), the first player's lead: holes → for 1, 2, … seeds a hole; G. Irving, J. Donkers and J. Uiterwijk, Solving Kalah (2000), and
# solved independently. `bare`: a last seed in an own empty hole is captured also where nothing lies opposite.
KALAH = {
    1: (0, -2, 6, -2, 2, 0),
    2: (2, -2, -2, -12, 6, 8),
    3: (0, 4, 2, 2, 6, -10),
    4: (2, 6, 8, 2, 2),
    5: (0, 0, 8, 12),
    6: (2, 10, 2),
}
KALAH_NOT_BARE = {
    1: (0, -2, 6, -2, 2, 0),
    2: (2, -2, -2, -10, 6, 8),
    3: (0, 4, 2, 2, 6, -8),
    4: (2, 6, 6, 2, 4),
    5: (0, 2, 6, 10),
    6: (2, 6, 2),
}
SMALL_KALAH = {1: 6, 2: 6, 3: 2, 4: 1}  # holes → seeds up to which plain Python is quick
WHOLE_KALAH = [(Kalah(3, 5), 6), (Kalah(4, 3, bare=False), 6)]  # every position, compiled


@pytest.mark.parametrize(("bare", "rows"), [(True, KALAH), (False, KALAH_NOT_BARE)], ids=["bare", "not bare"])
def test_small_kalah(bare: bool, rows: dict[int, tuple[int, ...]]) -> None:
    for holes, most in SMALL_KALAH.items():
        found = [StrongSolver(backend="reference").solve(Kalah(holes, seeds, bare=bare)).value for seeds in range(1, most + 1)]
        assert found == list(rows[holes][:most]), holes


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lead"), WHOLE_KALAH, ids=repr)
def test_every_position_of_kalah(game: Game, lead: int) -> None:
    assert StrongSolver().solve(game).value == lead


@pytest.mark.slow
@pytest.mark.parametrize("holes", [3, 4, 5, 6])
@pytest.mark.parametrize(("bare", "rows"), [(True, KALAH), (False, KALAH_NOT_BARE)], ids=["bare", "not bare"])
def test_all_of_kalah_by_proof(bare: bool, rows: dict[int, tuple[int, ...]], holes: int) -> None:
    """A board with fewer seeds is a position of the game with the most: so the rules are compiled once."""
    leads = rows[holes]
    game = Kalah(holes, len(leads), bare=bare)
    starts = [Seeds((seeds,) * (2 * holes), 0, MAX) for seeds in range(1, len(leads) + 1)]
    assert [Prove(textbook=True, distance=False).search(game, start).value for start in starts] == list(leads)


# Dots and Boxes, the first player's boxes less the second's: J. Barker and R. Korf (2012), and solved independently
DOTS = [((1, 1), -1), ((1, 2), 0), ((1, 3), -1), ((2, 2), 2)]
LARGER_DOTS = [((1, 4), 0), ((1, 5), -1), ((2, 3), -2)]


@pytest.mark.parametrize(("board", "lead"), [*DOTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in LARGER_DOTS)])
def test_dots_and_boxes(board: tuple[int, int], lead: int) -> None:
    plan = StrongSolver(backend="reference" if (board, lead) in DOTS else "compiled")
    assert plan.solve(DotsAndBoxes(*board)).value == lead


@pytest.mark.slow
def test_four_by_four_with_three_in_a_row() -> None:
    """Uiterwijk and van den Herik (2000): the first player wins."""
    assert StrongSolver().solve(MNK(4, 4, 3)).value == 1


# Boards with too many positions to solve whole, so they are proven. (m,n,k): Uiterwijk and van den Herik (2000); Dots and Boxes: Barker and
# Korf (2012); Breakthrough: nobody's but solved independently, as were all others.
PROVEN: list[tuple[Game, int]] = [
    *((MNK(*board), 0) for board in ((4, 4, 4), (3, 5, 4), (4, 5, 4), (5, 5, 4), (4, 6, 4), (4, 7, 4))),
    (MNK(5, 6, 4), 1),
    *((Breakthrough(rows=rows, columns=columns), -1) for rows, columns in ((4, 5), (5, 3), (5, 4), (7, 3))),
    (Breakthrough(rows=6, columns=3), 1),
    (DotsAndBoxes(1, 6), 0),
    (DotsAndBoxes(1, 7), -1),
    (DotsAndBoxes(2, 4), 2),
    (DotsAndBoxes(2, 5), -2),
    (DotsAndBoxes(3, 3), -3),
    (DotsAndBoxes(3, 4), 0),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "value"), PROVEN, ids=repr)
def test_larger_boards_by_proof(game: Game, value: int) -> None:
    found = Prove(textbook=True, distance=False).search(game)
    assert (found.value, found.exact) == (value, True)


OPENINGS = [(2, 2), (3, 5), pytest.param(4, 4, marks=pytest.mark.slow)]  # Hex: board, first stones that win; counted independently


@pytest.mark.parametrize(("side", "winning"), OPENINGS)
def test_openings_of_hex_that_win(side: int, winning: int, tmp_path: Path) -> None:
    game = Hex(side, side)
    StrongSolver(backend="reference" if side < 4 else "compiled").solve(game, out=tmp_path / "hex.zdb")
    with Database(tmp_path / "hex.zdb", game) as database:
        values = [database.probe(game.result(game.start(), action)).value for action in legal_actions(game, game.start())]
    assert values.count(1) == winning


# Games without published counts: positions, and how many are won by Max, won by Min, ties, and draws without end; plain Python and all
# ways of the compiled solver agree on them.
COUNTED = [
    (Awari(2, 2), (501, 112, 109, 142, 138)),
    (Awari(3, 1), (1_084, 189, 189, 465, 241)),
    (Hex(3, 3), (2_781, 1_728, 1_053, 0, 0)),
    (Breakthrough(rows=4, columns=2), (326, 171, 155, 0, 0)),
]
LARGER_COUNTED = [
    (Breakthrough(rows=4, columns=3), (27_797, 15_217, 12_580, 0, 0)),
    (Breakthrough(rows=4, columns=4), (1_606_370, 877_289, 729_081, 0, 0)),
]


def counts(plan: StrongSolver, game: Game) -> tuple[int, ...]:
    result = plan.solve(game)
    return result.positions, result.wins, result.losses, result.ties, result.draws


@pytest.mark.parametrize(("game", "expected"), COUNTED, ids=repr)
def test_counts_by_plain_python(game: Game, expected: tuple[int, ...]) -> None:
    assert counts(StrongSolver(backend="reference"), game) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("game", "expected"), [*COUNTED, *LARGER_COUNTED], ids=repr)
def test_counts_by_every_way_of_the_compiled_solver(game: Game, expected: tuple[int, ...]) -> None:
    plan = StrongSolver(backend="compiled")
    for way in (plan, replace(plan, resident=False), replace(plan, resident=False, dense=False)):
        assert counts(way, game) == expected
