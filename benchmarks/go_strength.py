"""Go on 9 × 9 points: games against GNU Go over the Go Text Protocol.

    python benchmarks/go_strength.py [--games 4] [--time 5] [--level 10]

GNU Go is Debian's package of that name. It passes while dead stones are on the board, so it also counts: the area without them.
"""

import argparse
import shutil
import subprocess
import sys


class Program:
    """A program that speaks the Go Text Protocol."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, line: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = ""
        while not (answer and (text := self.process.stdout.readline()) == "\n"):
            answer += self.process.stdout.readline() if not answer else text
        if not answer.startswith("="):
            sys.exit(f"{line}: {answer.strip()}")
        return answer[1:].strip()


def play(ours: Program, theirs: Program, we_begin: bool) -> float:
    """One game; 1 where we win."""
    for program in (ours, theirs):
        for line in ("boardsize 9", "clear_board", "komi 7.5"):
            program.ask(line)
    passes, moves = 0, 0
    while passes < 2 and moves < 200:
        colour = "bw"[moves % 2]
        mover, other = (ours, theirs) if (colour == "b") == we_begin else (theirs, ours)
        move = mover.ask(f"genmove {colour}")
        moves += 1
        if move.lower() == "resign":
            return float(mover is theirs)
        passes = passes + 1 if move.lower() == "pass" else 0
        other.ask(f"play {colour} {move}")
    score = theirs.ask("final_score")
    return float((score.startswith("B") and we_begin) or (score.startswith("W") and not we_begin))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--time", type=float, default=5.0)
    parser.add_argument("--level", type=int, default=10)
    given = parser.parse_args()
    program = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
    if program is None:
        sys.exit("There is no program gnugo: install the package gnugo.")
    ours = Program(sys.executable, "-m", "zermelo", "gtp", "--time", str(given.time))
    theirs = Program(program, "--mode", "gtp", "--level", str(given.level), "--chinese-rules")
    wins = 0.0
    for number in range(given.games):
        wins += play(ours, theirs, number % 2 == 0)
        print(f"{wins:g} of {number + 1} games won against gnugo at level {given.level}, {given.time:g} s a move", flush=True)
    ours.ask("quit")
    theirs.ask("quit")


if __name__ == "__main__":
    main()
