"""What is promised under violence: kills, flipped bits, malformed input, load. Nothing wrong served, no traceback, no hang.

    python benchmarks/torture.py                     # a minute or two
    python benchmarks/torture.py --full              # 100 kills, 1,000 flips, 100,000 inputs, 10 minutes of load
    python benchmarks/torture.py --only inputs --seconds 60

The same seed repeats the same run. A run that finds anything prints how to repeat it, and fails.
"""

import argparse
import atexit
import contextlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from zermelo.cli import main as zermelo
from zermelo.errors import ZermeloError
from zermelo.formats.efg import tree_from_efg, tree_to_efg
from zermelo.formats.json import tree_from_json, tree_to_json
from zermelo.formats.nfg import matrix_from_nfg, matrix_to_nfg
from zermelo.registry import find, names

COMMAND = [sys.executable, "-m", "zermelo"]
SOLVED = "connect4(width=4,height=4)"
PATIENCE = 90  # seconds of one input, after which it hangs


@dataclass
class Tally:
    """What one kind of violence came to."""

    kind: str
    tried: int = 0
    ends: Counter[str] = field(default_factory=Counter)  # how it ended, in a word
    faults: list[str] = field(default_factory=list)  # what must not happen

    def add(self, end: str) -> None:
        self.tried += 1
        self.ends[end] += 1

    def row(self) -> str:
        ends = ", ".join(f"{count:,} {end}" for end, count in self.ends.most_common())
        return f"{self.kind:<22}{self.tried:>9,}   {len(self.faults):>6}   {ends}"


class Hangs(BaseException):
    """An input took too long; no `except Exception` catches it."""


@contextlib.contextmanager
def patience(seconds: float = PATIENCE) -> Iterator[None]:
    def ring(number: int, frame: object) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# --- kills


def kills(random: Random, count: int, folder: Path) -> Tally:
    """A solve that is killed at any time and started again writes the same bytes as one that is not."""
    tally = Tally("kills (SIGKILL)")
    whole = folder / "whole.zdb"
    for _ in range(2):  # the second time with compiled code from the cache, as those that are killed
        whole.unlink(missing_ok=True)
        begun = time.monotonic()
        subprocess.run([*COMMAND, "solve", SOLVED, "--all", "--out", whole], check=True, capture_output=True)
        took = time.monotonic() - begun
    for number in range(count):
        out = folder / f"killed-{number}.zdb"
        process = subprocess.Popen([*COMMAND, "solve", SOLVED, "--all", "--out", out], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(random.uniform(0.2, 1.0) * took)
            end = "done before"
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            end = "resumed"
        done = subprocess.run([*COMMAND, "solve", SOLVED, "--all", "--out", out], check=False, capture_output=True, text=True)
        tally.add(end)
        if done.returncode != 0 or out.read_bytes() != whole.read_bytes():
            tally.faults.append(f"kill {number}: {done.stderr.strip()[-300:] or 'other bytes'}")
        out.unlink(missing_ok=True)
    return tally


# --- flips


def flips(random: Random, count: int, folder: Path) -> Tally:
    """One flipped bit in any file that is read back: refused in a sentence, or the same answer."""
    tally = Tally("flipped bits")
    kinds = [(name, file, answer, answer(file)) for name, (file, answer) in kept_files(folder).items()]
    for number in range(count):
        name, file, answer, right = kinds[number % len(kinds)]
        data = bytearray(file.read_bytes())
        place, bit = random.randrange(len(data)), random.randrange(8)
        data[place] ^= 1 << bit
        damaged = folder / f"damaged{file.suffix}"
        damaged.write_bytes(data)
        tally.add(judged(tally, f"{name}: bit {bit} of byte {place}", answer, damaged, right))
    return tally


def judged(tally: Tally, what: str, answer: Callable[[Path], str], damaged: Path, right: str) -> str:
    try:
        with patience():
            found = answer(damaged)
    except ZermeloError:
        return "refused"
    except Hangs:
        tally.faults.append(f"{what}: hangs")
        return "hangs"
    except Exception as error:
        tally.faults.append(f"{what}: {type(error).__name__}: {error}")
        return "traceback"
    if found == right:
        return "no harm"
    tally.faults.append(f"{what}: another answer, {found[:100]}")
    return "wrong"


def kept_files(folder: Path) -> dict[str, tuple[Path, Callable[[Path], str]]]:
    """One file of each kind, and what it answers."""
    from zermelo.play.arena.store import Store
    from zermelo.play.arena.tournament import Tournament
    from zermelo.solve.database import Database
    from zermelo.solve.strong import StrongSolver

    game = find("tictactoe")
    database, results = folder / "ttt.zdb", folder / "match.sqlite"
    StrongSolver().solve(game, out=database)
    tournament = Tournament("tictactoe", ("random", "minimax(depth=1)"), games=4, seed=1)
    store = Store(results)
    tournament.run(store)
    store.close()

    def of_database(file: Path) -> str:
        with Database(file, game) as opened:
            return repr([(number, entry) for number, entry in zip(range(10**6), opened.entries(), strict=False)])

    def of_match(file: Path) -> str:
        kept = Store(file)
        try:
            outcome = tournament.judge(kept)
            return repr([(record.moves, record.payoffs, record.score) for record in outcome.records])
        finally:
            kept.close()

    return {
        "database": (database, of_database),
        "match": (results, of_match),
        "table": (table_file(folder), of_table),
        "strategy": (strategy_file(folder), of_strategy),
        "checkpoint": (checkpoint_file(folder), of_checkpoint),
        **cached_files(folder),
    }


TABLE = ["best", SOLVED, "--engine", "deepening", "--memory", "1M", "--json", "--table"]
CHECKPOINT = ["equilibrium", "kuhn", "--method", "cfr+", "--iterations", "40", "--json", "--checkpoint"]
CACHED = ["best", "nim((3,4,5))", "--backend", "compiled", "--json"]


def answered(words: list[str]) -> str:
    """What a command prints in this process; raises `ZermeloError` where it refuses."""
    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            zermelo(words)
        except SystemExit as left:
            code = left.code
    if code == 2:
        raise ZermeloError(err.getvalue())
    assert code in (0, 1), f"exit code {code}: {err.getvalue()[-200:]}"
    return out.getvalue()


def told(text: str, *names: str) -> str:
    """Those parts of a JSON document that do not depend on the run."""
    document = json.loads(text)
    return repr([document[name] for name in names])


def table_file(folder: Path) -> Path:
    path = folder / "kept.table"
    answered([*TABLE, str(path)])
    return path


def of_table(file: Path) -> str:
    return told(answered([*TABLE, str(file)]), "value", "scores", "exact")


def strategy_file(folder: Path) -> Path:
    path = folder / "ttt.strategy"
    answered(["strategy", "tictactoe", "--out", str(path)])
    return path


def of_strategy(file: Path) -> str:
    """A strategy is judged by the rules alone: damaged, it may fail, but it is never believed."""
    answered(["verify", str(file)])
    return "judged"


def checkpoint_file(folder: Path) -> Path:
    path = folder / "kuhn.npz"
    answered([word if word != "40" else "20" for word in CHECKPOINT] + [str(path)])
    return path


def of_checkpoint(file: Path) -> str:
    aside = file.with_name("resumed.npz")  # a run goes on in the file that it is given
    shutil.copyfile(file, aside)
    return told(answered([*CHECKPOINT, str(aside)]), "value", "exploitability")


def cached_files(folder: Path) -> dict[str, tuple[Path, Callable[[Path], str]]]:
    """Every file of a compile cache that a later process reads, in the order of their sizes; optimised code hides the first one."""
    cache = folder / "cache"
    with_cache(cache)
    files = sorted((file for file in cache.rglob("*") if file.is_file()), key=lambda file: (file.stat().st_size, file.name))
    read = [file for file in files if remade(cache, file)]
    assert read, "nothing was cached"
    return {f"compile cache {number}": (file, partial(of_cache, cache, file)) for number, file in enumerate(read)}


def with_cache(cache: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"ZERMELO_CACHE": str(cache)}
    done = subprocess.run([*COMMAND, *CACHED], check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-200:]
    return done


def copy_of(cache: Path) -> Path:
    damaged = cache.with_name("damaged-cache")
    shutil.rmtree(damaged, ignore_errors=True)
    shutil.copytree(cache, damaged)
    return damaged


def remade(cache: Path, file: Path) -> bool:
    """Is this file made again where it is missing?"""
    damaged = copy_of(cache)
    place = damaged / file.relative_to(cache)
    place.unlink()
    with_cache(damaged)
    return place.is_file()


def of_cache(cache: Path, whole: Path, file: Path) -> str:
    """The answer of a process whose cache has this file in place of a whole one; it makes the entry again."""
    damaged = copy_of(cache)
    place = damaged / whole.relative_to(cache)
    shutil.copyfile(file, place)
    done = with_cache(damaged)
    assert file == whole or place.read_bytes() != file.read_bytes(), "the damaged entry is still there"
    return told(done.stdout, "value", "action", "scores")


# --- malformed input


def inputs(random: Random, count: int, seconds: float | None) -> Tally:
    """Files with pieces cut, doubled and mixed, and commands with values that nobody expects."""
    tally = Tally("malformed inputs")
    seeds = sources()
    begun = time.monotonic()
    while tally.tried < count and (seconds is None or time.monotonic() - begun < seconds):
        if tally.tried % 200 == 199:
            words = strange_command(random)
            tally.add(commanded(tally, words))
            continue
        read, text = random.choice(seeds)
        broken = mangled(random, text)
        try:
            with patience():
                read(broken)
            tally.add("read")
        except ZermeloError:
            tally.add("refused")
        except Hangs:
            tally.add("hangs")
            tally.faults.append(f"hangs: {reader_name(read)} {broken[:300]!r}")
        except Exception as error:
            tally.add("traceback")
            tally.faults.append(f"{type(error).__name__} in {reader_name(read)}: {broken[:300]!r}")
    return tally


def reader_name(read: Any) -> str:
    return str(getattr(getattr(read, "func", read), "__qualname__", read))


def sources() -> list[tuple[Callable[[str], Any], str]]:
    from zermelo.trees.matrix import Matrix
    from zermelo.trees.tree import Tree

    trees = [find(name) for name in ("kqj", "pruning", "twolevel")]
    matrices = [game for name in ("prisonersdilemma", "shapley") if isinstance(game := find(name), Matrix)]
    found: list[tuple[Callable[[str], Any], str]] = []
    for tree in trees:
        if isinstance(tree, Tree):
            found += [(tree_from_efg, tree_to_efg(tree)), (tree_from_json, tree_to_json(tree))]
    found += [(matrix_from_nfg, matrix_to_nfg(matrix)) for matrix in matrices]
    return found + typed_texts()


PGN = '[Event "x"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 {good} Nc6 (2... d6 3. d4) 3. Bb5 $1 a6 4. O-O *\n'
SGF = "(;GM[1]FF[4]SZ[5]KM[6.5]AB[aa][bb];B[cc];W[dd];B[](;W[ee])(;W[ea]))"
SPOT = 'board = "Qs Jh 2h 7c 3d"\npot = 50\nstack = 100\noop = "AA:0.5,KQs,T9s"\nip = "KK,QTs,AhTh"\nbets = "50%,a"\n'
COALITIONS = 'players = ["Ann", "Bob", "Cid"]\n[worth]\n"Ann Bob" = 60\n"Ann Cid" = 72\n"Bob Cid" = "1/3"\n"Ann Bob Cid" = 120\n'
STRATEGY = '{"Opener: J": {"check": 0.5, "bet": 0.5}, "Dealer: Qp": {"check": 1.0, "bet": 0.0}}'


def typed_texts() -> list[tuple[Callable[[str], Any], str]]:
    """What people type or save beside trees: games, positions, records of games, players, spots, strategies."""
    from zermelo.cli.coalitions import read_coalitions
    from zermelo.cli.ranges import open_spot
    from zermelo.equilibrium.extensive.sequences.strategy import Strategy
    from zermelo.equilibrium.extensive.sequences.treeplex import unfold
    from zermelo.formats.pgn import read_pgn
    from zermelo.formats.position import parse_position
    from zermelo.formats.sgf import position_of, read_sgf
    from zermelo.play.players import parse_player
    from zermelo.play.setup import open_game

    chess, go, kuhn = find("chess"), find("go(size=5)"), unfold(find("kuhn"))
    folder = Path(tempfile.mkdtemp(prefix="zermelo-torture-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)

    def from_file(read: Callable[[Path], Any], name: str) -> Callable[[str], Any]:
        def from_text(text: str) -> Any:
            (folder / name).write_text(text, encoding="utf-8", errors="replace")
            return read(folder / name)

        return from_text

    return [
        (partial(read_pgn, chess), PGN),
        (lambda text: position_of(go, read_sgf(text)), SGF),
        (partial(parse_position, chess), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        (partial(parse_position, chess), "e4 e5 Nf3 Nc6"),
        (partial(parse_position, find("tictactoe")), "X 1 O / 3 X 5 / 6 7 O"),
        (partial(parse_position, find("connect4")), "4453"),
        (parse_player, "mcts(playouts=100, rave=300)"),
        (open_game, "connect4(width=5,height=4)"),
        (open_game, "nim((3,4,5))"),
        (from_file(lambda file: open_game(open_spot(file)), "spot.toml"), SPOT),
        (from_file(read_coalitions, "coalitions.toml"), COALITIONS),
        (partial(Strategy.from_json, kuhn), STRATEGY),
        (partial(Strategy.read_locks, kuhn), STRATEGY),
        (partial(Strategy.from_csv, kuhn), "information_set,action,probability\nOpener: J,check,0.5\nOpener: J,bet,0.5\n"),
    ]


STRANGE = ["1e999999999", "-1e400", "9" * 5000, "1/0", "nan", "{", "}", '"', "\\", "\0", "￿", "2000000000", "", "null", "[[[[", "-0"]


def mangled(random: Random, text: str) -> str:
    """The text with a few pieces cut, doubled, moved or replaced."""
    for _ in range(random.randint(1, 4)):
        begin = random.randrange(len(text) + 1)
        end = min(len(text), begin + random.choice((0, 1, 1, 3, 20)))
        piece = random.choice((random.choice(STRANGE), text[begin:end] * random.randint(0, 3), chr(random.randrange(1, 300))))
        text = text[:begin] + piece + text[end:]
    return text


def strange_command(random: Random) -> list[str]:
    """A command with values that nobody expects."""
    games = ["tictactoe", "nim", "kqj", "nim((3,4))", "nim((-1,))", "nim(())", "nim((9999999999,))", "kuhn", "no such game", "", "nim(("]
    commands = ["best", "solve", "perft", "tree", "games", "equilibrium", "stats", "verify", "db", "convert"]
    words = [random.choice(commands), random.choice(games)]
    options = ["--depth", "--time", "--nodes", "--position", "--engine", "--memory", "--threads", "--json", "--seed", "--backend", "-p"]
    values = [*STRANGE, "1", "2", "0", "-1", "reference", "alphabeta", "0418", "1-1", "99999999999999999999", "inf"]
    for _ in range(random.randint(0, 3)):
        option = random.choice(options)
        words += [option] if option == "--json" else [option, random.choice(values)]
    return [*words, "--depth", "2"] if words[0] in ("best", "perft", "tree") and "--depth" not in words else words


def commanded(tally: Tally, words: list[str]) -> str:
    """Runs a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    code: object = None
    try:
        with patience(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            zermelo(words)
    except SystemExit as left:
        code = left.code
    except Hangs:
        tally.faults.append(f"hangs: zermelo {words}")
        return "hangs"
    except BaseException as error:
        tally.faults.append(f"{type(error).__name__}: zermelo {words}")
        return "traceback"
    if code not in (0, 1, 2, 130, None) or "Traceback" in err.getvalue():
        tally.faults.append(f"exit code {code}: zermelo {words}: {err.getvalue()[-200:]}")
        return "our fault"
    return "command"


# --- load


def load(minutes: float) -> Tally:
    """200 matches at once, by `benchmarks/web.py`, which fails where anything is answered with an error."""
    tally = Tally("minutes of load")
    command = [sys.executable, str(Path(__file__).with_name("web.py")), "--minutes", str(minutes)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    print(done.stdout)
    tally.add("held" if done.returncode == 0 else "broken")
    if done.returncode != 0:
        tally.faults.append((done.stdout + done.stderr)[-400:])
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1913)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", choices=["kills", "flips", "inputs", "load"])
    parser.add_argument("--seconds", type=float, help="of malformed inputs")
    asked = parser.parse_args()
    assert names(), "no games are registered"
    sizes = (100, 1_000, 100_000, 10.0) if asked.full else (3, 60, 4_000, 0.0)
    os.environ.setdefault("ZERMELO_DATA", os.devnull)
    tallies = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if asked.only in (None, "kills"):
            tallies.append(kills(Random(asked.seed), sizes[0], folder))
        if asked.only in (None, "flips"):
            tallies.append(flips(Random(asked.seed), sizes[1], folder))
        if asked.only in (None, "inputs"):
            most = 10**9 if asked.seconds else sizes[2]
            tallies.append(inputs(Random(asked.seed), most, asked.seconds))
        if asked.only == "load" or (asked.only is None and sizes[3]):
            tallies.append(load(sizes[3] or 0.5))
    print(f"{'':<22}{'tried':>9}   faults   how it ended (seed {asked.seed})")
    for tally in tallies:
        print(tally.row())
    faults = [fault for tally in tallies for fault in tally.faults]
    for fault in faults[:20]:
        print(f"  fault: {fault}")
    assert all(tally.tried for tally in tallies), "nothing was tried"
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
