"""Games from elsewhere: PGN, SGF and lists of moves, whole, cut off or impossible; and the way back."""

import pytest

from zermelo.errors import ZermeloError
from zermelo.registry import find
from zermelo.web.records import moves_in, written

OPERA = """[Event "Paris"]
[White "Morphy"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {a pin ; that
does not hold} 4. dxe5 Bxf3 (4... dxe5 5. Qxd8+) 5. Qxf3 dxe5 6. Bc4 Nf6 $1 7. Qb3 Qe7 1-0
"""  # Morphy against the Duke of Brunswick and Count Isouard, Paris 1858

ACCEPTED = [
    ("tictactoe", "4 0 8", "408"),
    ("tictactoe", "408", "408"),
    ("connect4", "4, 4, 5", "445"),
    ("mnk(m=7,n=7,k=5)", "(;FF[4]SZ[7];B[dd];W[ee](;B[cc])(;B[aa]))", None),
    ("othello", "d3 c3", None),
    ("mnk(m=7,n=7,k=5)", "(;SZ[7]C[brackets (of both kinds :\\])];C[;B[aa\\]]B[dd])", None),
]


@pytest.mark.parametrize(("name", "text", "plain"), ACCEPTED)
def test_a_game_is_read_and_written_so_that_it_is_read_again(name: str, text: str, plain: str | None) -> None:
    game = find(name)
    actions = moves_in(game, text)
    again, _ = written(game, game.start(), actions, "*")
    assert moves_in(game, again) == actions
    if plain is not None:
        assert again.strip() == plain


def test_pgn_has_comments_variations_and_notes() -> None:
    pytest.importorskip("chess")
    game = find("chess")
    actions = moves_in(game, OPERA)
    assert len(actions) == 14
    text, form = written(game, game.start(), actions, "1-0")
    assert form == "pgn"
    assert "7. Qb3 Qe7" in text
    assert moves_in(game, text) == actions


REFUSED = [
    ("chess", "1. e4 e5\n2. Nf6", "Line 2: Nf6 is not possible as move 3, where White is to move"),
    ("chess", '[White "A"]\n[Black "B"]\n\n1. e4 (1. d4\nd5) e5\n2. Nf6', "Line 6: Nf6 is not possible as move 3"),
    ("chess", "1. e4\ne5 {a comment", "Line 2: the text is cut off after move 2: a comment"),
    ("chess", "1. e4 (1. d4", "Line 1: the text is cut off after move 1: a variation"),
    ("chess", '[White "A', "Line 1: the text is cut off before the first move: a tag"),
    ("chess", "   ", "no move in this text"),
    ("tictactoe", "4 4", "Line 1: 4 is not possible as move 2, where O is to move"),
    ("othello", "(;B[dc]\n", "Line 1: the text is cut off after move 1: its brackets"),
    ("othello", "(;B[dc]\n;W[c", "Line 2: the text is cut off after move 1: its brackets"),
    ("go(size=9)", "(;SZ[19];B[cc])", "Line 1: this game is played on a board of size 19, the one here has 9 rows"),
    ("go(size=9)", "(;SZ[9]\nAB[cc];W[dd])", "Line 2: AB sets up stones"),
    ("othello", "(;B[aa])", "not possible as move 1, where Black is to move"),
    ("othello", "(;FF[4])", "no move in this text"),
]


@pytest.mark.parametrize(("name", "text", "words"), REFUSED)
def test_what_is_cut_or_not_possible_is_named(name: str, text: str, words: str) -> None:
    if name == "chess":
        pytest.importorskip("chess")
    with pytest.raises(ZermeloError, match=words):
        moves_in(find(name), text)
