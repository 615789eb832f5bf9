"""Sliding puzzles: their estimates, what can be solved, and what `check` finds out about them."""

from itertools import permutations
from random import Random

import pytest
from puzzles import arrangements, costs_to_go, korf

from zermelo.check import check
from zermelo.errors import ZermeloError
from zermelo.games.eightpuzzle import EightPuzzle, Tiles
from zermelo.games.fifteenpuzzle import FifteenPuzzle
from zermelo.runtime.backend import choose
from zermelo.search.classic.perft import perft

SIZES = [EightPuzzle(rows=2, columns=3), EightPuzzle(), FifteenPuzzle(), EightPuzzle(rows=5, columns=3, gap_first=True)]


@pytest.mark.parametrize("game", [*SIZES, EightPuzzle(rows=2, columns=7), EightPuzzle(rows=7, columns=7)], ids=str)
@pytest.mark.parametrize("conflicts", [False, True])
def test_the_estimate_is_kept_up_to_date_slide_by_slide(game: EightPuzzle, conflicts: bool) -> None:
    game = EightPuzzle(game.rows, game.columns, gap_first=game.gap_first, conflicts=conflicts)
    state, random = game.start(), Random(5)
    for _ in range(300):
        if game.terminal(state):
            state = game.start()
        state = game.result(state, random.choice(list(game.actions(state))))
        assert state == game.arranged(game.unpacked(state.cells))


@pytest.mark.parametrize("conflicts", [False, True])
@pytest.mark.parametrize("gap_first", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2)])
def test_the_estimate_never_exceeds_the_fewest_slides(rows: int, columns: int, gap_first: bool, conflicts: bool) -> None:
    game = EightPuzzle(rows, columns, gap_first=gap_first, conflicts=conflicts)
    states = list(arrangements(game))
    costs = costs_to_go(game, states)
    assert len(costs) == len(states)  # whatever is said to be solvable can be solved
    assert all(game.heuristic(state) <= costs[state] for state in states)
    for state in states:  # consistent: an action never changes it by more than it costs
        assert all(abs(game.heuristic(state) - game.heuristic(game.result(state, action))) <= 1 for action in game.actions(state))


def test_whatever_is_said_to_be_unsolvable_never_meets_what_is_not() -> None:
    game = EightPuzzle(rows=2, columns=2)
    for cells in permutations(range(4)):
        state = game.arranged(cells)
        assert all(game.solvable(game.result(state, action)) == game.solvable(state) for action in game.actions(state))
    assert sum(game.solvable(game.arranged(cells)) for cells in permutations(range(4))) == 12


CONFLICTS = [
    # tiles of 3 × 3, Manhattan distance, with conflicts
    ((1, 2, 3, 4, 5, 6, 7, 8, 0), 0, 0),
    ((2, 1, 3, 4, 5, 6, 8, 7, 0), 4, 8),  # 2 and 1 want to pass each other, and so do 8 and 7
    ((3, 2, 1, 4, 5, 6, 7, 0, 8), 5, 9),  # two of 3, 2 and 1 must leave the row
    ((7, 2, 3, 4, 5, 6, 1, 8, 0), 4, 8),  # in the first column 7, 4 and 1 are in falling order: two must leave
]


@pytest.mark.parametrize(("tiles", "manhattan", "conflicts"), CONFLICTS)
def test_linear_conflicts(tiles: tuple[int, ...], manhattan: int, conflicts: int) -> None:
    assert EightPuzzle(conflicts=False).arranged(tiles).distance == manhattan
    assert EightPuzzle().arranged(tiles).distance == conflicts


def test_korfs_arrangements_are_all_solvable_and_as_long_as_their_estimates_allow() -> None:
    game = FifteenPuzzle(tiles=(1, 0, *range(2, 16)), gap_first=True)
    instances = korf()
    assert [instance.number for instance in instances] == list(range(1, 101))
    for instance in instances:
        state = game.arranged(instance.tiles)
        assert game.solvable(state)
        assert game.heuristic(state) <= instance.slides
        assert (instance.slides - game.heuristic(state)) % 2 == 0  # every slide changes the parity


@pytest.mark.parametrize("game", [*SIZES[:2], EightPuzzle(rows=5, columns=5)], ids=str)
def test_puzzles_compile(game: EightPuzzle) -> None:
    assert choose(game).compiled is not None


def test_a_board_beyond_256_bits_is_compiled_too() -> None:
    compiled, reference = (perft(EightPuzzle(rows=7, columns=7), 4, backend=backend) for backend in ("compiled", "reference"))  # type: ignore[arg-type]
    assert compiled.leaves == reference.leaves > 1


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"rows": 1}, "two rows and two columns"),
        ({"tiles": (1, 2, 3)}, "the numbers 0 to 8, each once"),
        ({"tiles": (1, 2, 3, 4, 5, 6, 8, 7, 0)}, "can never be put in order"),
    ],
)
def test_parameters_are_checked(parameters: dict[str, object], words: str) -> None:
    with pytest.raises(ZermeloError, match=words):
        EightPuzzle(**parameters)  # type: ignore[arg-type]
    with pytest.raises(ZermeloError, match="is not an arrangement"):
        EightPuzzle().read("1 2 3")


class TooFar(EightPuzzle):
    """Counts every tile that is out of place twice."""

    def heuristic(self, tiles: Tiles) -> int:
        return 2 * tiles.distance


class GivesUp(EightPuzzle):
    """Takes every second solvable arrangement for an unsolvable one."""

    def solvable(self, tiles: Tiles) -> bool:
        return tiles.gap % 2 == 1


@pytest.mark.parametrize(
    ("game", "promise", "happened"),
    [
        (TooFar(rows=2, columns=2), "heuristic", "there is a way to the end that costs"),
        (GivesUp(rows=2, columns=2), "solvable", "it is False"),
    ],
)
def test_check_finds_what_is_promised_falsely(game: EightPuzzle, promise: str, happened: str) -> None:
    report = check(game, states=200, backend="reference")
    found = {finding.promise.name: finding.happened for finding in report.findings}
    assert list(found) == [promise]
    assert happened in found[promise]


@pytest.mark.parametrize("game", [EightPuzzle(rows=2, columns=2), EightPuzzle(rows=2, columns=2, gap_first=True, conflicts=False)], ids=str)
def test_puzzles_are_lawful(game: EightPuzzle) -> None:
    report = check(game, states=200, backend="reference")
    assert report.lawful, report.text()
    assert {"heuristic", "solvable"} <= {promise.name for promise in report.tested}
