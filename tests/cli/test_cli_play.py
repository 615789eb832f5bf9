"""`zermelo play`: lines are fed in as a person would type them; one match runs in a real terminal."""

import json
import os
import re
import select
import signal
import sys
import time
from pathlib import Path

import pytest
from command_line import Run


def test_without_a_terminal_engines_play_each_other(process: Run) -> None:
    done = process("play", "tictactoe")
    assert done.code == 0, done.err
    assert done.out.startswith("tictactoe: X is deepening, O is deepening.\n")
    assert len(re.findall(r"^[XO] \(deepening\) plays \d \(\d+\.\d+ s, [\d,]+ nodes?, exact\)\.$", done.out, re.MULTILINE)) == 9
    assert re.search(r"^Draw\. Moves: \d{9}$", done.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("game", "ending"),
    [
        ("kuhn", "for Opener. Moves: "),
        ("rps", "Moves: "),
        ("pig(goal=10)", "wins. Moves: "),
        ("threenim", "Player 1 gets 1, Player 2 gets 4, Player 3 gets −1. Moves: b1 c2 a1 b1 c1"),
        ("kqj", "−1 for Max. Moves: CHECK CHECK"),
        ("ponghauki", "Draw. Moves: "),
        ("eightpuzzle(rows=2,columns=2)", "Cost 4. Moves: 2312"),
    ],
)
def test_every_kind_of_game_is_played_to_an_end(run: Run, game: str, ending: str) -> None:
    done = run("play", game, "--seed", "2", "--backend", "reference")
    assert done.code == 0
    assert ending in done.out


def test_the_same_seed_is_the_same_match(run: Run) -> None:
    one, two, other = (run("play", "connect4", "--seats", "random,random", "--seed", seed).out for seed in ("7", "7", "8"))
    assert one == two
    assert one != other


def test_a_person_wins_with_a_kind_word_for_bad_moves(run: Run) -> None:
    done = run("play", "tictactoe", "--seats", "human,random", "--seed", "1", "--position", "0314", input="4\nnine\n\n2\n")
    assert done.code == 0
    assert "X is you, O is random. Type help" in done.out
    assert "X X 2\nO O 5\n6 7 8" in done.out  # free cells carry their number
    assert "Sorry, 4 is not possible here. Please choose from 2, 5, 6, 7, 8" in done.out
    assert "Sorry, nine is not possible here." in done.out
    assert "X X X\nO O 5\n6 7 8" in done.out
    assert "X wins. Moves: 2" in done.out


def test_undo_hint_save_load_help_and_quit(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    lines = [
        "undo",
        "4",
        "undo",
        "0",
        f"save {file}",
        "undo",
        f"load {file}",
        "hint",
        "help",
        "HELP",
        ":help",
        "save",
        "load nowhere.json",
        "quit",
    ]
    done = run("play", "tictactoe", "--seats", "human,alphabeta(depth=9)", input="\n".join(lines) + "\n")
    assert done.code == 0
    assert "There is no move of yours to take back." in done.out
    assert done.out.count("Took back 2 moves.") == 2
    assert json.loads(file.read_text()) == {"zermelo": "match", "game": "tictactoe", "position": None, "moves": ["0", "4"]}
    assert f"Loaded {file}: 2 moves." in done.out
    assert re.search(r"Hint: \d \(draw, exact\)\.", done.out)
    assert done.out.count("takes back your last move") == 3
    assert "Save where?" in done.out
    assert "There is no file nowhere.json." in done.out
    assert "Goodbye. Moves: 04" in done.out


NUMBERED = [
    # game, position, a person's first board: free cells carry the names of the moves
    ("tictactoe", "4", "0 1 2\n3 X 5\n6 7 8"),
    ("connect4(width=4,height=2)", "22", ". O . .\n. X . .\n1 2 3 4"),
    ("mnk(m=3,n=2,k=3)", "1", "0 X 2\n3 4 5"),
    ("mnk(m=4,n=3,k=3)", "b1", "a1  X c1 d1\na2 b2 c2 d2\na3 b3 c3 d3"),
    ("othello(size=4)", None, " . b1  .  .\na2  O  X  .\n .  X  O d3\n .  . c4  ."),
    ("nim", "1-2", "1 4 5 | Min to move"),
]


@pytest.mark.parametrize(("game", "position", "board"), NUMBERED)
def test_free_cells_carry_the_names_of_the_moves(run: Run, game: str, position: str | None, board: str) -> None:
    done = run("play", game, "--seats", "human,human", *(["--position", position] if position else []), input="quit\n")
    assert f"\n\n{board}\n\n" in done.out


def test_the_end_of_the_input_is_a_goodbye(run: Run) -> None:
    done = run("play", "tictactoe", "--seats", "human,human", input="4\n")
    assert done.code == 0
    assert "Goodbye. Moves: 4" in done.out


def test_a_person_sees_only_their_own_side(run: Run) -> None:
    done = run("play", "kuhn", "--seats", "human,random", "--seed", "3", input="hint\nquit\n")
    assert "What you know: J" in done.out
    assert "Chance has moved." in done.out
    assert "plays" not in done.out
    assert "No hint here" in done.out
    assert "K" not in done.out
    secret = run("play", "rps", "--seats", "random,human", "--seed", "3", input="quit\n")
    assert "Left (random) has moved." in secret.out
    assert not re.search("rock (?!, )|Moves", secret.out.replace("(rock, paper, scissors)", ""))


def test_limits_go_to_engines_that_have_none(run: Run) -> None:
    done = run(
        "play", "connect4", "--seats", "alphabeta(depth=1),minimax", "--depth", "2", "--backend", "reference", "--position", "1122334"
    )
    assert "The game is over" not in done.err
    assert done.code == 0
    done = run("play", "connect4", "--seats", "alphabeta(depth=1),minimax", "--depth", "2", "--backend", "reference", "--position", "11")
    assert "depth=1" in done.out.splitlines()[0]
    assert "minimax(depth=2" in done.out.splitlines()[0]
    assert re.search(r"Yellow \(minimax\(depth=2.*depth 2\)", done.out)
    assert re.search(r"Red \(alphabeta\(depth=1.*depth 1\)", done.out)


def test_a_position_in_which_the_game_is_over(run: Run) -> None:
    done = run("play", "tictactoe", "--position", "03142")
    assert done.code == 0
    assert "X wins. No move was made." in done.out


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pty; there the same lines are fed in above")
def test_a_match_in_a_real_terminal() -> None:
    import pty

    pid, terminal = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a run in the background ignores Ctrl-C, and its children would too
        os.execv(sys.executable, [sys.executable, "-m", "zermelo", "play", "tictactoe", "--backend", "reference", "--depth", "3"])
    seen = ""

    def until(text: str, nudge: bytes = b"") -> None:
        """Reads until the text has come; what is to nudge the other side is sent every second, for it may come before it listens."""
        nonlocal seen
        deadline = time.monotonic() + 120
        while text not in seen:
            assert time.monotonic() < deadline, seen
            if not select.select([terminal], [], [], 1)[0]:
                os.write(terminal, nudge)
                continue
            try:
                seen += os.read(terminal, 4096).decode(errors="replace")
            except OSError:  # the other side has gone
                break
        assert text in seen, seen
        seen = seen.partition(text)[2]

    until("X is you, O is deepening(depth=3")
    until("X, your move (0, 1, 2, 3, 4, 5, 6, 7, 8): ")
    os.write(terminal, b"4\n")
    until("O (deepening(depth=3")
    until("plays")
    until("X, your move")
    os.write(terminal, b"4\n")
    until("Sorry, 4 is not possible here.")
    until("X, your move")
    until("Interrupted. Moves: 4", nudge=b"\x03")
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 130
