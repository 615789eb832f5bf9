"""`zermelo web --weights FILE`: the game that the file is for judges by it."""

from pathlib import Path
from typing import Any

import pytest

from zermelo.errors import ZermeloError
from zermelo.games.tictactoe import TicTacToe
from zermelo.play.setup import open_position
from zermelo.web.bounds import Bounds
from zermelo.web.offers import Offers
from zermelo.web.seating import seat_player
from zermelo.weights import Weights, feature_names, identity_of, write_weights


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    game, file = TicTacToe(), tmp_path / "tictactoe.weights"
    names = feature_names(game)
    write_weights(Weights("tictactoe", identity_of(game), names, tuple(0.25 for _ in names)), file)
    return file


def test_a_game_on_offer_judges_by_the_weights(weights: Path) -> None:
    offers = Offers(bounds=Bounds(games=1))
    offers.adopt([weights])
    board = open_position(TicTacToe(), "048").state
    plain: Any = TicTacToe()
    judging: Any = offers.open("tictactoe")
    assert judging.evaluate(board) != plain.evaluate(board)
    offers.open("nim")
    assert offers.open("tictactoe") is judging  # it is not closed when others are opened
    assert offers.open("tictactoe(early=True)") != judging


def test_a_file_without_weights_is_told_at_the_start(tmp_path: Path) -> None:
    file = tmp_path / "none.weights"
    file.write_text("nothing", encoding="utf-8")
    with pytest.raises(ZermeloError, match="not a file of weights"):
        Offers().adopt([file])


def test_a_browser_cannot_name_a_file_of_weights() -> None:
    with pytest.raises(ZermeloError, match="weights cannot be set in the browser"):
        seat_player("deepening(weights='secret')", Bounds())
