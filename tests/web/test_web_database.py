"""The workbench answers from databases of the data folder: whole ones, and those in which its search ends."""

import threading
from pathlib import Path

import pytest

from zermelo.formats.position import Position
from zermelo.games.connect4 import ConnectFour
from zermelo.play.match import Match
from zermelo.solve.strong import StrongSolver
from zermelo.web.bounds import Bounds
from zermelo.web.judging import judge, judging_engine

GAME = ConnectFour(4, 3)


@pytest.mark.slow
def test_moves_are_valued_from_a_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    later = GAME.result(GAME.result(GAME.start(), 0), 0)
    StrongSolver().solve(GAME, later, out=tmp_path / "late.zdb")
    match, heard = Match(GAME, Position(GAME.start())), []
    assert judging_engine(GAME) == "deepening"
    searched = judge(match, "deepening", 60.0, Bounds(), threading.Event(), heard.append)
    StrongSolver().solve(GAME, out=tmp_path / "whole.zdb")
    assert judging_engine(GAME) == "database"
    known = judge(match, "database", 60.0, Bounds(), threading.Event(), heard.append)
    assert known.done
    assert all(worth.exact for worth in (*searched.worths.values(), *known.worths.values()))
    assert {action: worth.value for action, worth in searched.worths.items()} == {
        action: worth.value for action, worth in known.worths.items()
    }
