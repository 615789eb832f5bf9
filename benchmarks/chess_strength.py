"""Chess in figures: move counts and their speed beside python-chess, nodes a second of a search, and matches against other programs.

    python benchmarks/chess_strength.py perft [--seconds 60]   every line of the suite, as deep as the time allows; beside python-chess
    python benchmarks/chess_strength.py search [--nodes 1000000]
    python benchmarks/chess_strength.py devices [--depth 7]                what each device of the search spares
    python benchmarks/chess_strength.py match stockfish:2000 gnuchess phalanx [--games 10] [--time 1.0] [--pgn games.pgn]

The package `chess` referees the matches, so every move of ours is checked by other rules. Opponents are Debian's packages of these names;
fairymax cannot be one, because it does not know xboard's command `setboard`.
"""

import argparse
import math
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn

from zermelo.limits import Limits
from zermelo.registry import find
from zermelo.search.classic.perft import perft
from zermelo.search.deepening.deepening import Deepening

SUITE = Path(__file__).resolve().parent.parent / "tests" / "data" / "chess" / "perftsuite.epd"
LAWLESS = "chess(repetitions=0, clock=0, insufficient=False)"  # published counts know no draws
OPENINGS = (  # four moves each, nobody ahead
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6",
    "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3 d7d5",
    "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6 c1g5 f8e7",
)
POSITIONS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)


def count_moves(seconds: float) -> None:
    """Every line of the suite to the depth that its share of the time allows; a wrong count ends the benchmark."""
    game: Any = find(LAWLESS)
    lines = SUITE.read_text(encoding="ascii").splitlines()
    perft(game, 2)  # compiles
    rate, leaves, spent, deepest = 5e6, 0, 0.0, 0
    for line in lines:
        fen, *counts = (part.strip() for part in line.split(";"))
        for text in counts:
            depth, expected = int(text.split()[0][1:]), int(text.split()[1])
            if expected / rate > seconds / len(lines):
                break
            found = perft(game, depth, game.read(fen))
            if found.leaves != expected:
                sys.exit(f"{fen} has {found.leaves:,} lines of {depth} moves, not {expected:,}")
            leaves, spent, deepest = leaves + found.leaves, spent + found.seconds, max(deepest, depth)
    print(f"{len(lines)} positions, up to depth {deepest}: {leaves:,} lines in {spent:.1f} s, {leaves / spent / 1e6:.1f} million a second")
    ours = perft(game, 5)
    begun = time.perf_counter()
    theirs = count(chess.Board(), 3)
    speed = theirs / (time.perf_counter() - begun)
    own = ours.leaves / ours.seconds
    print(f"python-chess: {speed / 1e3:.0f} thousand a second; ours {own / 1e6:.1f} million, {own / speed:.0f} times as many")


def count(board: chess.Board, depth: int) -> int:
    """Lines of so many moves, each made on the board."""
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


def search(nodes: int) -> None:
    """Nodes a second of processor time, and the depth they reach."""
    game: Any = find("chess")
    for fen in POSITIONS:
        state = game.read(fen)
        Deepening(depth=2, textbook=True, backend="compiled").search(game, state)  # compiles
        begun = time.process_time()
        found = Deepening(textbook=True, backend="compiled").search(game, state, limits=Limits(nodes=nodes))
        seconds = time.process_time() - begun
        print(f"{found.nodes / seconds / 1e3:7.0f} thousand nodes a second, depth {found.depth}: {found.line_names()[0]}  {fen}")


def devices(depth: int) -> None:
    """Nodes to a depth without one device of the search, in relation to those with all."""
    game: Any = find("chess")
    states = [game.read(fen) for fen in POSITIONS]

    def nodes(**switches: bool) -> int:
        return sum(Deepening(depth=depth, textbook=True, **switches).search(game, state).nodes for state in states)

    everything = nodes()
    print(f"to depth {depth} in {len(states)} positions: {everything:,} nodes")
    for name in ("futility", "null_move", "reductions", "foresight"):
        print(f"without {name}: {nodes(**{name: False}) / everything:.2f} times as many")


def opponent(text: str) -> chess.engine.SimpleEngine:
    """Another program: stockfish with an Elo, or one that speaks xboard."""
    name, _, elo = text.partition(":")
    program = shutil.which(name) or shutil.which(name, path="/usr/games")
    if program is None:
        sys.exit(f"There is no program {name}: install the package {name}.")
    if name == "stockfish":
        engine = chess.engine.SimpleEngine.popen_uci(program)
        engine.configure({"UCI_LimitStrength": True, "UCI_Elo": int(elo)} if elo else {})
        return engine
    if name == "gnuchess":
        return chess.engine.SimpleEngine.popen_uci([program, "--uci"])
    return chess.engine.SimpleEngine.popen_xboard(program)


def match(text: str, games: int, seconds: float, file: Path | None) -> None:
    """Pairs of games from the same opening; wins, draws, losses and Elo with a 95 % interval."""
    scores = []
    command = [sys.executable, "-m", "zermelo", "uci", "chess"]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=60) as ours, opponent(text) as theirs:
        for number in range(games):
            board = chess.Board()
            for word in OPENINGS[number // 2 % len(OPENINGS)].split():
                board.push_uci(word)
            white = number % 2 == 0
            while not board.is_game_over(claim_draw=True) and board.ply() < 400:
                mover = ours if (board.turn == chess.WHITE) == white else theirs
                played = mover.play(board, chess.engine.Limit(time=seconds))
                assert played.move is not None
                board.push(played.move)
            result = board.result(claim_draw=True)
            won = {"1-0": 1.0, "0-1": 0.0}.get(result, 0.5)
            scores.append(won if white else 1 - won)
            if file is not None:
                record = chess.pgn.Game.from_board(board)
                record.headers["White"], record.headers["Black"] = ("zermelo", text) if white else (text, "zermelo")
                with file.open("a", encoding="utf-8") as out:
                    print(record, file=out, end="\n\n")
    print(f"{text} at {seconds:g} s a move: {verdict(scores)}", flush=True)


def verdict(scores: list[float]) -> str:
    mean = sum(scores) / len(scores)
    error = 1.96 * math.sqrt(max(sum((score - mean) ** 2 for score in scores) / len(scores), 0.25 / len(scores)) / len(scores))
    low, middle, high = (
        400 * math.log10(share / (1 - share)) for share in (min(max(s, 0.01), 0.99) for s in (mean - error, mean, mean + error))
    )
    counts = f"won {scores.count(1.0)}, drawn {scores.count(0.5)}, lost {scores.count(0.0)}"
    return f"{counts}: {middle:+.0f} Elo (95 %: {low:+.0f} … {high:+.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["perft", "search", "devices", "match"])
    parser.add_argument("opponents", nargs="*")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--depth", type=int, default=7)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--time", type=float, default=1.0)
    parser.add_argument("--pgn", type=Path)
    given = parser.parse_args()
    if given.what == "perft":
        count_moves(given.seconds)
    elif given.what == "search":
        search(given.nodes)
    elif given.what == "devices":
        devices(given.depth)
    else:
        for text in given.opponents:
            match(text, given.games, given.time, given.pgn)


if __name__ == "__main__":
    main()
