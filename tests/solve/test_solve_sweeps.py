"""Sweeps over one array of codes: the same bytes as the graph in memory, however small blocks, lists and codes are."""

from pathlib import Path

import pytest
from whole_games import Laps

from zermelo.solve.strong import StrongSolver

SMALL = {  # everything comes in many pieces
    "zermelo.solve.sweeping.LEAST_SHIFT": 2,
    "zermelo.solve.sweeping.COUNTED_SHIFT": 1,
    "zermelo.solve.sweeping.TAKEN": 4,
    "zermelo.solve.sweeping.LIST_SHARE": 1 << 40,
}
SETTINGS = {
    "many blocks": SMALL,
    **{f"codes of two bytes from {most} on": SMALL | {"zermelo.solve.sweeping.LARGEST_SHORT": most} for most in (5, *range(8, 14))},
    "no sweep is worth it": SMALL | {"zermelo.solve.sweeping.NOT_WORTH_IT": -1 << 40},
    "level by level": {"zermelo.solve.retrograde.POSITION_BYTES": 1 << 40},
    "level by level, all in files": {
        "zermelo.solve.retrograde.POSITION_BYTES": 1 << 40,
        "zermelo.solve.external_retrograde.ARRAY_SHARES": 0,
    },
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_same_bytes_in_any_pieces(setting: str, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    StrongSolver().solve(Laps(), out=tmp_path / "right.zdb", name="game")
    right = StrongSolver().solve(Laps())
    for name, value in SETTINGS[setting].items():
        monkeypatch.setattr(name, value)
    for out in (tmp_path / "x.zdb", None):  # without a file nothing is saved on the way
        found = StrongSolver(resident=False, threads=threads).solve(Laps(), out=out, name="game")
        assert (found.positions, found.edges, found.value, found.distance) == (right.positions, right.edges, right.value, right.distance)
    assert (tmp_path / "x.zdb").read_bytes() == (tmp_path / "right.zdb").read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["right.zdb", "x.zdb"]
