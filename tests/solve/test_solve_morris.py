"""Six men's morris, solved whole: the counts on which the route by `rank` and the one by words agree."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from zermelo.games.sixmensmorris import SixMensMorris
from zermelo.solve.database import Database
from zermelo.solve.strong import StrongSolver

COUNTS = (6_017_969, 2_793_099, 2_779_990, 0, 444_880)  # positions up to symmetry, Max wins, Min wins, ties, endless
LONGEST = 122
BY_HAND = [5_024_790, 336_810, 274_228, 191_336, 112_596, 50_836, 20_094, 5_584, 1_426, 228, 36, 4, 1]  # [men in hand] positions


@dataclass(frozen=True)
class ByWords(SixMensMorris):
    """The same without numbers of its own."""

    rank = None  # type: ignore[assignment]


@pytest.mark.slow
@pytest.mark.parametrize("game", [SixMensMorris(), ByWords()], ids=lambda game: type(game).__name__)
def test_six_mens_morris_is_a_draw_by_two_routes(game: SixMensMorris, tmp_path: Path) -> None:
    found = StrongSolver(memory=4 << 30).solve(game, out=tmp_path / "six.zdb")
    assert (found.value, found.kind, found.longest) == (0, "draw", LONGEST)
    assert (found.positions, found.wins, found.losses, found.ties, found.draws) == COUNTS
    with Database(tmp_path / "six.zdb", game) as database:
        numbers = np.concatenate([numbers for numbers, _ in database.blocks()])
    if isinstance(game, ByWords):
        hands = numbers >> 32 & 15  # two words of 16 bits for the men, then those in hand
    else:
        hands = np.searchsorted([game.blocks[hand * (game.men + 1) ** 2] for hand in range(2 * game.men + 1)], numbers, "right") - 1
    assert np.bincount(hands).tolist() == BY_HAND
