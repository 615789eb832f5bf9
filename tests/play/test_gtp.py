"""Go: known counts, records in SGF, and the Go Text Protocol, word by word and in a process of its own."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from zermelo import ZermeloError
from zermelo.formats.sgf import position_of, read_sgf, write_sgf
from zermelo.games.go import Go
from zermelo.play.gtp import GoConversation
from zermelo.play.setup import open_record
from zermelo.registry import find


def boards(size: int) -> set[str]:
    """All boards that can be reached; simple ko, so that a state does not carry its past."""
    game = Go(size=size, ko="simple")
    seen, queue = {game.start()}, [game.start()]
    for state in queue:  # grows while it is read
        for action in game.actions(state):
            child = game.result(state, action)
            if child not in seen:
                seen.add(child)
                queue.append(child)
    return {state.cells for state in queue}


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 57), pytest.param(3, 12675, marks=pytest.mark.slow)])
def test_legal_positions_are_as_many_as_known(size: int, count: int) -> None:
    """J. Tromp and G. Farnebäck, Combinatorics of Go (2006)."""
    assert len(boards(size)) == count


def played(words: str, **parameters: Any) -> tuple[Go, Any]:
    game = Go(**parameters)
    state = game.start()
    for word in words.split():
        action = game.passing if word == "pass" else game.square_of(word)
        assert action in game.actions(state), word
        state = game.result(state, action)
    return game, state


def test_a_group_without_a_free_point_is_taken() -> None:
    game, state = played("b2 a2 a1 pass a3", size=5)
    assert state.cells[game.square_of("a2")] == "."
    assert state.cells.count("O") == 0


@pytest.mark.parametrize("ko", ["positional", "simple"])
def test_a_ko_is_not_retaken_at_once(ko: str) -> None:
    game, state = played("b3 c3 a2 d2 b1 c1 c2 b2", size=5, ko=ko)
    assert game.square_of("c2") not in game.actions(state)
    away = game.result(game.result(state, game.square_of("e5")), game.square_of("e4"))
    assert game.square_of("c2") in game.actions(away) or ko == "positional"


def test_suicide_is_forbidden() -> None:
    game, state = played("b2 a2 e5 b1", size=5)
    assert game.square_of("a1") not in game.actions(state)


@pytest.mark.parametrize(("komi", "value"), [(0, 1), (25, 0), (25.5, -1)])
def test_two_passes_end_the_game_and_the_area_counts(komi: float, value: int) -> None:
    game, state = played("c3 pass pass", size=5, komi=komi)
    assert game.terminal(state)
    assert game.area(state.cells) == 25
    assert game.utility(state) == value


# --- SGF

RECORD = """(;GM[1]FF[4]SZ[5]KM[2.5]PB[One]C[a \\] bracket]
;B[cc];W[cb](;B[bb];W[bc])(;B[dd])(;B[ee]))"""


def test_a_komi_that_is_no_number_of_points_is_refused_and_one_that_makes_draws_is_said() -> None:
    for komi in (float("nan"), float("inf")):
        with pytest.raises(ZermeloError, match=f"Komi is a number of points, not {komi}"):
            Go(komi=komi)
    assert answers("komi nan") == ["? Komi is a number of points, not nan.\n"]
    told: list[object] = []
    open_record(Go(size=5, komi=7), None, told.append)
    assert told == ["A komi of 7 makes draws possible: 7.5 leaves none."]
    assert [Go(komi=komi).caution for komi in (7, 7.5)] == ["A komi of 7 makes draws possible: 7.5 leaves none.", ""]


def test_the_main_line_of_a_record_is_read() -> None:
    record = read_sgf(RECORD)
    assert (record.size, record.komi, record.variations) == (5, 2.5, 2)
    assert [place for _, place in record.moves] == [(2, 2), (2, 1), (1, 1), (1, 2)]
    assert position_of(Go(size=5), record).state == played("c3 c4 b4 b3", size=5)[1]


def test_a_record_is_read_as_it_was_written() -> None:
    game, state = played("c3 d4 pass e5", size=5)
    actions = [game.square_of("c3"), game.square_of("d4"), game.passing, game.square_of("e5")]
    text = write_sgf(game, game.start(), actions, "B+3")
    record = read_sgf(text)
    assert record.result == "B+3"
    assert position_of(game, record).state == state
    assert position_of(game, record).actions == tuple(actions)


def test_stones_may_be_set_up() -> None:
    place = position_of(Go(size=9), read_sgf("(;SZ[9]HA[2]AB[cg][gc];W[ee])"))
    assert place.state.cells.count("X") == 2
    assert place.state.turn == 0


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("no record", "This is not SGF"),
        ("(;SZ[9];B[zz])", "Move 1 of the record is on 'zz'"),
        ("(;GM[2])", "another game than Go"),
        ("(;SZ[9:12])", "size 9:12"),
        ("(;SZ[9];B[ee]", "a bracket is missing"),
        ("(;SZ[9]KM[much])", "'much', which is not a number"),
        ("(;SZ[9];B[ee];W[ee])", "Move 2 of the record, e5, is not possible here"),
        ("(;SZ[19])", "name the game as go(size=19)"),
    ],
)
def test_a_wrong_record_gets_a_sentence(text: str, part: str) -> None:
    with pytest.raises(ZermeloError) as caught:
        position_of(Go(), read_sgf(text))
    assert part in str(caught.value)


def test_a_position_may_be_a_record(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text(RECORD)
    assert open_record(Go(size=5), str(tmp_path / "game.sgf")).state.cells.count("X") == 2
    (tmp_path / "game.pgn").write_text('[Event "?"]\n\n1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 3. Bb5 *\n')
    game: Any = find("chess")
    told: list[object] = []
    assert game.fen(open_record(game, str(tmp_path / "game.pgn"), told.append).state).startswith("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3")
    assert told == [f"{tmp_path / 'game.pgn'} has variations: its main line was taken, and 1 left out."]
    (tmp_path / "wrong.pgn").write_text("1. e4 e5 2. Ke3 *\n")
    with pytest.raises(ZermeloError, match=r"Move 2\. Ke3 of the record is not possible"):
        open_record(game, str(tmp_path / "wrong.pgn"))


# --- GTP


def answers(*lines: str) -> list[str | None]:
    conversation = GoConversation(Go(), "random", seed=1)
    return [conversation.hear(line) for line in lines]


def test_moves_are_made_and_taken_back() -> None:
    said = answers("1 boardsize 5", "2 play B C3", "play w c3", "play w d4", "undo", "undo", "undo", "final_score")
    assert said == ["=1\n", "=2\n", "? illegal move\n", "=\n", "=\n", "=\n", "? cannot undo\n", "= W+7.5\n"]


def test_an_engine_moves() -> None:
    said = answers("boardsize 9", "genmove b", "genmove w", "showboard")
    assert all(answer is not None and answer.startswith("= ") for answer in said[1:3])
    assert "X" in str(said[3])


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("dance", "? unknown command\n"),
        ("boardsize 99", "? unacceptable size\n"),
        ("play", "? syntax error\n"),
        ("play green c3", "? syntax error\n"),
        ("komi much", "? syntax error\n"),
        ("loadsgf nowhere.sgf", "? cannot load file\n"),
        ("# a comment", ""),
        ("known_command genmove", "= true\n"),
        ("7 protocol_version", "=7 2\n"),
    ],
)
def test_every_line_gets_an_answer(line: str, answer: str) -> None:
    assert answers(line) == [answer]


def test_a_record_is_loaded_and_printed(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text(RECORD)
    said = answers(f"loadsgf {tmp_path / 'game.sgf'} 3", "genmove b", f"loadsgf {tmp_path / 'game.sgf'}", "printsgf")
    assert said[0] == "=\n"
    assert str(said[3]).startswith("= (;GM[1]FF[4]")


def test_it_speaks_in_a_process_of_its_own() -> None:
    words = "name\nboardsize 5\ngenmove b\nquit\n"
    done = subprocess.run(
        [sys.executable, "-m", "zermelo", "gtp", "--player", "random", "--seed", "1"],
        input=words,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("= Zermelo\n\n=\n\n= ")
    assert done.stdout.endswith("=\n\n")


def test_another_game_is_refused_with_a_sentence() -> None:
    done = subprocess.run([sys.executable, "-m", "zermelo", "gtp", "nim"], input="", capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "GTP is the protocol of Go" in done.stderr
