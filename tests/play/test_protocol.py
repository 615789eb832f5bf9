"""The engine protocol: with the package `chess` as the other side, as UGI in a process of its own, and word by word."""

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import chess.engine
import pytest

import zermelo
from zermelo import Chance, Max, Min, Tree, ZermeloError
from zermelo.play.protocol import Conversation, default_algorithm, score_words
from zermelo.registry import find
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.solve.strong import StrongSolver

COMMAND = [sys.executable, "-m", "zermelo", "uci"]
MORPHY = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"  # mate in two moves: a1a6
PATIENCE = 60  # seconds: how long a test waits for an answer that must come; nothing is measured


# --- UCI, with a client that others wrote


@pytest.fixture(scope="module")
def engine() -> Iterator[chess.engine.SimpleEngine]:
    running = chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=PATIENCE)
    yield running
    running.quit()


def test_a_chess_program_plays_with_it(engine: chess.engine.SimpleEngine) -> None:
    assert engine.id["name"].startswith("Zermelo")
    board = chess.Board()
    for _ in range(6):
        board.push(engine.play(board, chess.engine.Limit(depth=1)).move)
    assert len(board.move_stack) == 6


def test_a_chess_program_gets_an_analysis(engine: chess.engine.SimpleEngine) -> None:
    info: Any = engine.analyse(chess.Board(MORPHY), chess.engine.Limit(depth=3))
    assert info["pv"][0].uci() == "a1a6"
    assert info["depth"] == 3
    assert info["nodes"] > 100
    assert info["score"].white().score(mate_score=10_000) == 10_000


def test_limits_of_all_kinds_are_answered(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board(MORPHY)
    limits = [
        chess.engine.Limit(time=0.05),
        chess.engine.Limit(nodes=50),
        chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.1, black_inc=0.1),
        chess.engine.Limit(mate=2),
    ]
    for limit in limits:
        assert engine.play(board, limit).move in board.legal_moves


def test_options_are_set_and_a_wrong_engine_is_refused_by_the_client(engine: chess.engine.SimpleEngine) -> None:
    assert {"Engine", "Hash", "Threads"} <= set(engine.options)
    engine.configure({"Engine": "minimax", "Hash": 8})
    assert engine.play(chess.Board(MORPHY), chess.engine.Limit(depth=2)).move is not None
    engine.configure({"Engine": "alphabeta"})
    with pytest.raises(chess.engine.EngineError):
        engine.configure({"Engine": "no such engine"})


def test_stop_ends_an_endless_analysis() -> None:
    async def analyse() -> Any:
        transport, protocol = await chess.engine.popen_uci(COMMAND)
        board = chess.Board()
        with await protocol.analysis(board) as analysis:
            async for info in analysis:
                if info.get("depth", 0) >= 2:
                    break
            analysis.stop()
            best = await asyncio.wait_for(analysis.wait(), PATIENCE)
        again = await protocol.play(board, chess.engine.Limit(depth=1))
        await protocol.quit()
        transport.close()
        return best.move, again.move

    moves = asyncio.run(analyse())
    assert all(move in chess.Board().legal_moves for move in moves)


# --- UGI, as a process


def test_every_other_game_speaks_ugi() -> None:
    program = [*COMMAND, "tictactoe"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        output = process.stdout

        def ask(line: str, until: str) -> list[str]:
            assert process.stdin is not None
            process.stdin.write(line + "\n")
            heard: list[str] = []
            while not heard or not heard[-1].startswith(until):
                text = output.readline()
                assert text, heard
                heard.append(text.rstrip("\n"))
            return heard

        assert ask("ugi", "ugiok")[0] == f"id name Zermelo {zermelo.__version__} (tictactoe)"
        process.stdin.write("setoption name Engine value alphabeta\n")  # whose kernels other tests have compiled
        assert set(ask("isready", "readyok")) <= {"info string The rules of tictactoe are being compiled.", "readyok"}
        process.stdin.write("position startpos moves 0 1\n")
        *infos, best = ask("go depth 9", "bestmove")
        assert re.match(r"info depth \d+ score mate 3 nodes \d+ nps \d+ time \d+ pv \d", infos[-1])
        assert best.split()[1] in "3468"
        process.stdin.write("position startpos moves 0 3 1 4 2\n")
        assert ask("query gameover", "response") == ["response true"]
        assert ask("query result", "response") == ["response p1win"]
        assert ask("go depth 2", "bestmove") == ["info string The game is over.", "bestmove (none)"]
        assert "is not a command" in ask("\x00garbage ¤¤¤", "info")[0]
        process.stdin.write("quit\n")
        assert process.wait(PATIENCE) == 0


def test_the_end_of_the_input_ends_the_program() -> None:
    done = subprocess.run([*COMMAND, "kqj"], input="isready\ngo infinite\n", capture_output=True, text=True, check=False, timeout=PATIENCE)
    said = [line for line in done.stdout.splitlines() if line != "info string The rules of kqj are being compiled."]  # on a busy machine
    assert (done.returncode, said[0], done.stderr) == (0, "readyok", "")


# --- word by word


@pytest.fixture
def talk() -> Iterator[Callable[..., list[str]]]:
    """Says lines to an engine for a small tree; gives what it answers until a word is heard."""
    said: list[str] = []
    conversation = Conversation(find("kqj"), "kqj", said.append)

    def ask(*lines: str, until: str | None = None) -> list[str]:
        said.clear()
        for line in lines:
            assert conversation.hear(line)
        deadline = time.monotonic() + PATIENCE
        while until is not None and not any(line.startswith(until) for line in said):
            assert time.monotonic() < deadline, said
            time.sleep(0.001)
        return list(said)

    yield ask
    conversation.close()


def test_an_answer_names_the_best_move_and_the_reply(talk: Callable[..., list[str]]) -> None:
    *_, best = talk("position startpos", "go depth 4", until="bestmove")
    assert best == "bestmove CHECK ponder CHECK"


def test_infinite_waits_for_stop(talk: Callable[..., list[str]]) -> None:
    heard = talk("go infinite", until="info depth 3")
    assert not [line for line in heard if line.startswith("bestmove")]
    assert talk("isready") == ["readyok"]
    assert talk("stop")[-1].startswith("bestmove CHECK")
    assert talk("stop") == []


def test_ponderhit_starts_the_clock_and_means_nothing_elsewhere(talk: Callable[..., list[str]]) -> None:
    assert talk("ponderhit") == []
    assert talk("go ponder movetime 10", "isready")[-1] == "readyok"
    assert talk("ponderhit", until="bestmove")[-1].startswith("bestmove CHECK")


def test_a_question_during_a_search_is_refused(talk: Callable[..., list[str]]) -> None:
    talk("go infinite")
    for line in ("go depth 1", "position startpos", "ucinewgame"):
        assert "a search is under way: say stop first" in "".join(talk(line))
    assert talk("stop", until="bestmove")


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("hello", "'hello' is ignored: hello is not a command"),
        ("isredy", "did you mean isready?"),
        ("position", "a position is startpos or fen"),
        ("position startpos moves CHECK NOTHING", "move 2, NOTHING, is not possible"),
        ("position fen", "a position is startpos or fen"),
        ("position fen something", "boards of kqj cannot be read"),
        ("setoption name Engine value alphabta", "there is no engine alphabta: did you mean alphabeta?"),
        ("setoption name Threads value none", "'none' is not a number of threads"),
        ("setoption name Threads value 0", "it must be at least 1"),
        ("setoption name Colour value red", "there is no option colour"),
        ("go depth", "'nothing' is not a number for depth"),
        ("go depth 0", "it must be at least 1"),
        ("go nodes many", "is not a number for nodes"),
        ("query weather", "a query is gameover, p1turn or result"),
    ],
)
def test_garbage_is_ignored_with_an_info_string(talk: Callable[..., list[str]], line: str, part: str) -> None:
    (heard,) = talk(line)
    assert heard.startswith("info string ")
    assert part in heard
    assert talk("isready") == ["readyok"]


def test_unknown_words_after_go_are_told_and_left_out(talk: Callable[..., list[str]]) -> None:
    heard = talk("go searchmoves depth 2", until="bestmove")
    assert heard[0] == "info string searchmoves is not known after go, and is ignored."
    assert heard[-1].startswith("bestmove CHECK")


def test_empty_lines_and_debug_are_no_matter(talk: Callable[..., list[str]]) -> None:
    assert talk("", "   ", "debug on") == []


def test_what_an_engine_cannot_use_is_told(talk: Callable[..., list[str]]) -> None:
    assert talk("setoption name Engine value graph", "setoption name Hash value 16") == ["info string The engine graph has no table."]


def test_a_game_with_chance_waits_for_it() -> None:
    said: list[str] = []
    tree = Tree.of(Chance({"heads": (1, Max({"a": 4, "b": 3})), "tails": (2, Min({"c": 0, "d": 1}))}))
    conversation = Conversation(tree, "coin", said.append)
    conversation.hear("go depth 2")
    assert said == ["info string Chance moves: say what it did.", "bestmove (none)"]
    conversation.hear("position startpos moves heads")
    conversation.hear("query p1turn")
    assert said[-1] == "response true"


def test_a_game_that_hides_something_has_no_engine() -> None:
    with pytest.raises(ZermeloError, match="hides something"):
        default_algorithm(find("kuhn"))


def test_scores_are_seen_from_whoever_moves() -> None:
    game: Any = find("tictactoe")
    won = AlphaBeta(backend="reference").search(game, game.read("X O 2 3 4 5 6 7 8"))
    lost = AlphaBeta(backend="reference").search(game, game.result(won.state, won.action))
    assert (score_words(won), score_words(lost)) == ("mate 3", "mate -2")
    chess_game: Any = find("chess")
    ahead = AlphaBeta(depth=1).search(chess_game, chess_game.read("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"))
    assert int(score_words(ahead).removeprefix("cp ")) > 900


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("wtime 60000 btime 1000", 2.0),
        ("wtime 60000 btime 1000 winc 1000", 2.75),
        ("wtime 1000 movestogo 1", 0.95),
        ("p1time 30000 p2time 9", 1.0),
        ("wtime -50", 0.01),
        ("movetime 500", 0.5),
        ("depth 3", None),
    ],
)
def test_a_clock_is_shared_out(words: str, seconds: float | None) -> None:
    request = Conversation(find("kqj"), "kqj", lambda line: None).requested(words.split())
    assert request.seconds == (None if seconds is None else pytest.approx(seconds))


def test_a_database_of_the_data_folder_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("tictactoe")
    StrongSolver(backend="reference").solve(game, out=tmp_path / "all.zdb")
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    said: list[str] = []
    conversation = Conversation(game, "tictactoe", said.append)
    conversation.hear("go depth 9")
    assert conversation.thought is not None
    assert conversation.thought.done.wait(PATIENCE)
    assert default_algorithm(game) == "deepening"
    assert int(re.findall(r"nodes (\d+)", "\n".join(said))[-1]) == 9  # the nine moves, each known


def test_go_is_answered_although_quit_follows() -> None:
    said: list[str] = []
    conversation = Conversation(find("tictactoe"), "tictactoe", said.append)
    conversation.hear("go movetime 200")
    assert not conversation.hear("quit")
    assert said[-1].startswith("bestmove ")
