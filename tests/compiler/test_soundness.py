"""Cases in which compiled code once gave another value than Python: it may refuse or fault, but never that."""

import functools
import operator
from pathlib import Path
from typing import Any

import pytest

from fuzz.compare import compare, load
from zermelo.compiler import Fault, emitter
from zermelo.compiler.faults import CAPACITY, Unsupported
from zermelo.compiler.program import Program
from zermelo.compiler.rules import compile_rules

GAME = """
import collections
import copy
import itertools
import math
from zermelo import Game
class G(Game):
    def start(self): return (0,)
    def player(self, state): return len(state) % 2
    def actions(self, state): return [1, 2]
    def result(self, state, action): return (*state, action)
    def terminal(self, state): return len(state) > 5
    def utility(self, state):
        n, x = sum(state), sum(state) / 4
{body}
"""


def written(body: str) -> str:
    return GAME.format(body="\n".join("        " + line for line in body.splitlines()))


def test_rules_that_cannot_grow_keep_their_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game: Any = load(written("return n"), tmp_path, "grown").G()
    rules = compile_rules(game)
    monkeypatch.setattr(Program, "write_rules", lambda *_: {"result": Unsupported("no")})
    with pytest.raises(Fault):
        rules.grow(CAPACITY, None, (0,) * 9)
    assert rules.result((0, 1), 2) == (0, 1, 2)
    assert rules.utility((0, 1, 2)) == 3


def test_translation_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emitter, "LONGEST_TRANSLATION", 0)
    with pytest.raises(Unsupported, match="takes too long to compile"):
        compile_rules(load(written("return n"), tmp_path, "slow").G())


@pytest.mark.parametrize(
    ("start", "item"), [("()", "(None, 2, 1)[action]"), ("(None, 2, 1, 2, 1)", "(None, 2, 1)[action]"), ("(0.5,)", "0.0 * (1 - action)")]
)
def test_a_state_has_one_form(start: str, item: str, tmp_path: Path) -> None:
    """Kernels compare states by their bytes: the parts of an optional value that are not in use, and the sign of 0.0, must not differ."""
    text = written("return n").replace("return (0,)", f"return {start}").replace("(*state, action)", f"(*state[-4:], {item})")
    text = text.replace("return [1, 2]", "return [0, 1, 2]").replace("len(state) > 5", "False")
    game: Any = load(text, tmp_path, "forms").G()
    rules = compile_rules(game)
    state = game.start()
    for action in (1, 0, 2, 0, 1, 0, 0, 2):
        assert rules.result(state, action) == game.result(state, action)
        state = game.result(state, action)


BODIES = [
    "y = n % 2\nreturn 5 if y is True else 6",
    "x = [n, 'a', (1, 2), None]\nreturn sum(3**i for i, y in enumerate(x) if y is None)",
    "x = [('a', 1), 'b', None][n % 3]\nreturn 1 if x == 'ab'[n % 2] else 2",
    "def f(k): return {k} if k < 1 else f(k - 1) | {k}\na, b = f(n), f(n + 3)\nreturn len(a) * 100 + sum(b)",
    "x = (-2) ** 63 * n - 5\nreturn x % 2 + x // 4 % 7 + x % 1000",
    "x = list(filter(lambda y: n > 99, [None] * 5)) or [n, None, None]\nreturn len(dict.fromkeys(x[:5]))",
    "t = [0, 1]\nreturn int([t for i in range(n)] + [t] == list(map(lambda i: t, range(4))))",
    "match [(n, 1), 'ab', (n,), None][n % 4]:\n    case (a, b): return a\n    case (a,): return 9\n    case None: return 7\nreturn 8",
    "return (n + 3) // (n - 4)",
    "if n > 4:\n    y = n\nreturn y",
    "if n > 4:\n    y = 7\nreturn y",
    "for i in range(n - 3):\n    y = i\nreturn y",
    "for i in range(3):\n    if i == n:\n        y = i\nreturn y + i",
    "while n > 4:\n    y, n = n, n - 4\nreturn y",
    "try:\n    y = 12 // (n - 4)\nexcept ZeroDivisionError:\n    pass\nreturn y",
    "if n > 4:\n    y = 1\nreturn sum(y for i in range(3))",
    "if n > 4:\n    y = 1\ndef inner(k): return y if k < 1 else inner(k - 1)\nreturn inner(n)",
    "if n > 4:\n    y = 1\ny += 1\nreturn y",
    "match state:\n    case (a, b): pass\n    case (a, b, c): pass\nreturn c",
    "y = n\nif n > 4:\n    del y\nreturn y",
    "if n > 4:\n    math = 5\nreturn 3 if n < 2 else math + 1",
    "if n > 4:\n    f = lambda: 1\nelse:\n    f = lambda: 2\nreturn f()",
    "if n > 4:\n    f = iter([1, 2])\nelse:\n    f = iter([3])\nreturn next(f)",
    "if n > 4:\n    def f(): return 1\nelse:\n    def f(): return 2\nreturn f()",
    "f = lambda: 1\nif n > 4:\n    f = lambda: 2\nreturn f()",
    "for y in (1, 2, 3):\n    if y > n:\n        break\nreturn y",
    "for y in (1, 2.5, None):\n    if n == 0:\n        break\nreturn y",
    "for f in (min, max):\n    if n < 4:\n        break\nreturn f(n, 4)",
    "for f, k in ((min, 2), (max, 3)):\n    if n < 4:\n        break\nreturn f(n, k)",
    "def g():\n    yield 1\n    yield 2\nfor y in g():\n    if n < 4:\n        break\nreturn y",
    "y = 5\ndef g():\n    nonlocal y\n    y = n\nif n > 4:\n    g()\nreturn y",
    "x = [1]\ny = x\nif n > 4:\n    y = [7]\ny.append(n)\nreturn x[-1]",
    "x = y = [1]\nx += [n]\nreturn y[-1]",
    "x = [[0]] * 2\nx[0].append(n)\nreturn len(x[1])",
    "def f(a, b=[]):\n    b.append(a)\n    return len(b)\nreturn f(1) + f(n)",
    "def f(a, b=n, *, c=n + 1): return a + b * c\nn = 100\nreturn f(1)",
    "f = [lambda: i for i in range(3)]\nreturn f[0]()",
    "r = []\nfor i in range(3):\n    r.append(lambda: i)\nreturn r[0]()",
    "i = 5\nfor i in range(n - 3):\n    pass\nreturn i",
    "i = 5\n[i for i in range(3)]\nreturn i",
    "t = 0\nfor i in range(4):\n    i += n\n    t += i\nreturn t",
    "xs = [1, 2, 3]\nfor y in xs:\n    if y == 1 and n > 3:\n        xs.remove(1)\nreturn len(xs) * 10 + y",
    "xs = [3, 1, 2]\nt = 0\nfor y in xs:\n    if t < n:\n        xs.append(y + 1)\n    t += y\nreturn t",
    "for y in (n, 2, None):\n    if n < 4:\n        break\nreturn y",
    "for y in (n, 3):\n    if y < n:\n        z = y\nreturn z",
    "for f in (min, max):\n    if n < 4:\n        g = f\nreturn g(n, 2)",
    "t = iter([1, 2, 3, 4])\nfor a in t:\n    if a > n:\n        break\nreturn sum(t)",
    "t = iter([1, 2, 3, 4])\nfor a in t:\n    n += a * next(t)\nreturn n",
    "t = iter([1, 2, 3, 4])\nreturn sum(a * b for a, b in zip(t, t))",
    "t = iter([1, 2, n, 4])\nfound = 2 in t\nreturn sum(t) + found",
    "t = (a for a in range(n))\nfound = any(a > 1 for a in t)\nreturn sum(t)",
    "t = iter([1, n, 3])\na, *b = t\nreturn sum(b) + len(list(t))",
    "t = iter([1, 2, 3, 4])\na = list(itertools.islice(t, 2))\nreturn sum(t)",
    "t = iter([1, 2, 3, 4])\na = [b for b, _ in zip(t, range(2))]\nreturn sum(t)",
    "t = [1, 2]\nfor a, b in zip(t, range(5)):\n    if n > 3:\n        t.append(b)\nreturn sum(t)",
    "t = [1]\nfor i, v in enumerate(t):\n    if len(t) < n:\n        t.append(v + i)\nreturn sum(t)",
    "t = [1, 2, 3]\nfor v in reversed(t):\n    if v == 2 and n > 4:\n        t.pop()\nreturn sum(t) + v",
    "return math.exp(200 * n)",
    "return math.sin(x * 1e308 * 1e10)",
    "return (x * 1e200) ** 2",
    "return int(x * 1e308 * 1e10)",
    "return round(x * 1e308 * 1e10)",
    "return ord(chr(225 + n).upper())",
    "return chr(225 + n).isalpha() + 2 * chr(1632 + n).isdigit()",
    "return len((chr(28 + n) + 'a').strip()) + len(('a' + chr(28 + n) + 'b').split())",
    "return len(('a' + chr(10 + n) + 'b').splitlines())",
    "try:\n    return int('1_' + str(n))\nexcept ValueError:\n    return -1",
    "t = enumerate('abc')\nnext(t)\nreturn sum(i for i, _ in t) + sum(1 for _ in t) + n",
    "t = map(abs, (1, 2))\na = next(t) + next(t)\nreturn a + len(list(t)) + n",
    "d = dict.fromkeys(range(3), [])\nd[0].append(n)\nreturn sum(map(len, d.values()))",
    "d = list(itertools.repeat([], 3))\nd[0].append(n)\nreturn sum(map(len, d))",
    "d = {1: 2}\nfor k, v in d.items():\n    if n > 4:\n        del d[k]\nreturn len(d)",
    "d = {1, 2}\nfor k in d:\n    if n > 4:\n        d.discard(k)\nreturn len(d)",
    "d = {1: 2}\nfor k in d:\n    if n > 4:\n        d[n] = 1\n        break\nreturn len(d)",
    "d = {1: 2}\nfor k in d:\n    d[k + n] = 3\nreturn len(d)",
    "return int(('7' if n > 3 else 'a-b') in list('a-b'))",
    "t = tuple(map(abs, (n, n)))\nreturn int(max((2, n), tuple(map(abs, (n, n)))) == max((1, n), t))",
    "return len({max((v, n), tuple(map(abs, (n, n)))) for v in (0, 3, 6)})",
    "seen = set()\nseen.remove(n)\nreturn n",
    "return len(set() & (None if n > 3 else {n}))",
    "d = {n: 1, 7: 2}\nreturn (d.keys() == {7, n}) + 2 * (d.keys() == [n, 7]) + 4 * len(d.keys() - {n}) + 8 * len(d.items() | {(1, 1)})",
    "d = {n: 1, 7: 2}\nk = d.keys()\nd[99] = 3\nreturn sum(k) + sum(k) + (99 in k) + sum(d.values())",
    "return int({'a', 'b', 'abc'[n % 3]} == {'a': 1, 'b': 2}.keys())",
    "def naturals():\n    k = 0\n    while True:\n        yield k\n        k += 1\nt = naturals()\nreturn next(t) + n",
    "d, e = collections.defaultdict(int), {n: 5}\nx = d if n > 3 else e\ntry:\n    return x[77] + len(x)\nexcept KeyError:\n    return -5",
    "x = collections.Counter()\ny = {} if n > 3 else x\ny[n] = 4\ntry:\n    return y[n + 1]\nexcept KeyError:\n    return 66",
    "x = [collections.Counter('ab'), {'a': 5}, collections.Counter('b')][n % 3]\ntry:\n    return x['zz']\nexcept KeyError:\n    return 66",
    "x = [n] if n > 3 else {n: 1}\ny, z = copy.copy(x), copy.deepcopy(x)\nx.clear()\nreturn len(y) + len(z)",
    "def g(a, b): return a - b\ntry: return g(**{'a': n, 'cb'[n > 3]: n})\nexcept KeyError: return 1\nexcept TypeError: return 7",
]


@pytest.mark.parametrize("body", BODIES)
def test_compiled_code_is_never_silently_wrong(body: str) -> None:
    outcome = compare(written(body), games=2)
    assert outcome.kind in ("agrees", "raises", "refused", "faults"), outcome.detail


TABLES = """
import bisect
import collections
import copy
import functools
import heapq
import operator
T, ROWS, NAMED, SEEN, PAIR = [], [[], [1]], {1: [], 2: [3]}, set(), ([], 2)
QUEUE, COUNTS, LISTS = collections.deque([1]), collections.Counter(), collections.defaultdict(list)
class Box:
    shared = []
    def __init__(self): self.items, self.n = [], 0
BOX = Box()
def keep(k, into=[]):
    into.append(k)
    return len(into)
def held(k, into=[]):
    return {k: into}
def note(): T.append(1)
def first(): return ROWS[0]
def bump():
    T.append(1)
    return len(T)
"""
CHANGES = [
    "x = T\nx += [n]\nreturn len(T)",
    "x = SEEN\nx |= {n}\nreturn len(SEEN)",
    "x = NAMED\nx |= {n: [n]}\nreturn len(NAMED)",
    "x = ROWS[n % 2]\nx += [n]\nreturn len(ROWS[0])",
    "d = {n: T}\nd.setdefault(n, []).append(n)\nreturn len(T)",
    "d = {**{}, n: T}\nd[n].append(n)\nreturn len(T)",
    "d = {0: T}\nd[0].append(n)\nreturn len(T)",
    "d = [T, [n]]\nd[0].append(n)\nreturn len(T)",
    "d = [[n]]\nfor each in d:\n    each.append(n)\nd.append(T)\nfor each in d:\n    each += [n]\nreturn len(T)",
    "d = (T, n)\nd[0].append(n)\nreturn len(T)",
    "PAIR[0].append(n)\nreturn len(PAIR[0])",
    "x = T if n > 3 else [n]\nx.append(n)\nreturn len(T)",
    "x = T or [n]\nx = x if n else T\nx.append(n)\nreturn len(T)",
    "x = [n]\nfor i in range(2):\n    x.append(i)\n    x = T\nreturn len(T)",
    "ROWS[n % 2].append(n)\nreturn len(ROWS[0])",
    "ROWS[0].append(n)\nreturn len(ROWS[0])",
    "x = ROWS.copy()\nx[0].append(n)\nreturn len(ROWS[0])",
    "x = list(ROWS)\nx[0].append(n)\nreturn len(ROWS[0])",
    "x = ROWS[:]\nx[n % 2].append(n)\nreturn len(ROWS[0])",
    "x = [*ROWS]\nx[0].append(n)\nreturn len(ROWS[0])",
    "x = [row for row in ROWS]\nx[0].append(n)\nreturn len(ROWS[0])",
    "x = copy.copy(ROWS)\nx[0].append(n)\nreturn len(ROWS[0])",
    "x = sorted(ROWS)\nx[0].append(n)\nreturn len(ROWS[0])",
    "for row in ROWS:\n    row.append(n)\nreturn len(ROWS[0])",
    "NAMED.get(1).append(n)\nreturn len(NAMED[1])",
    "NAMED.get(n % 3, [n]).append(n)\nreturn len(NAMED[1])",
    "x = NAMED.copy()\nx[1].append(n)\nreturn len(NAMED[1])",
    "x = dict(NAMED)\nx[1] += [n]\nreturn len(NAMED[1])",
    "x = {**NAMED, 3: [n]}\nx[1].append(n)\nreturn len(NAMED[1])",
    "for key, value in NAMED.items():\n    value.append(n)\nreturn len(NAMED[1])",
    "x = {0: SEEN}\nx[0].add(n)\nreturn len(SEEN)",
    "x = [SEEN]\nx[0] |= {n}\nreturn len(SEEN)",
    "x = {0: NAMED}\nx[0][n] = [n]\nreturn len(NAMED)",
    "QUEUE.rotate(n)\nQUEUE.append(n)\nreturn QUEUE[0]",
    "x = [QUEUE]\nx[0].appendleft(n)\nreturn len(QUEUE)",
    "COUNTS.update([n])\nreturn len(COUNTS)",
    "x = {0: COUNTS}\nx[0][n] += 1\nreturn len(COUNTS)",
    "LISTS[n].append(1)\nreturn len(LISTS)",
    "x = {0: LISTS}\nx[0][n].append(1)\nreturn len(LISTS)",
    "x = [Box.shared]\nx[0].append(n)\nreturn len(Box.shared)",
    "x = [BOX.items]\nx[0].append(n)\nreturn len(BOX.items)",
    "x = {0: BOX}\nx[0].n += 1\nreturn BOX.n",
    "b = BOX\nb.items.append(n)\nreturn len(BOX.items)",
    "return keep(n)",
    "x = held(n)\nx[n].append(1)\nreturn len(held(n)[n])",
    "x = [first()]\nx[0].append(n)\nreturn len(ROWS[0])",
    "x = first()\nx.append(n)\nreturn len(ROWS[0])",
    "note()\nreturn len(T)",
    "return bump()",
    "push = T.append\npush(n)\nreturn len(T)",
    "x = [T]\npush = x[0].append\npush(n)\nreturn len(T)",
    "list.append(T, n)\nreturn len(T)",
    "list.append(T, 1)\nreturn len(T)",
    "operator.iadd(T, [1])\nreturn len(T)",
    "heapq.heappush(T, n)\nreturn len(T)",
    "heapq.heappush(T, 1)\nreturn len(T)",
    "x = [T]\nbisect.insort(x[0], n)\nreturn len(T)",
    "x = [ROWS[1]]\nx[0][0] = n\nreturn ROWS[1][0]",
    "x = [ROWS[1]]\nx[0][:] = [n]\nreturn ROWS[1][0]",
    "x = [ROWS[1]]\ndel x[0][0]\nreturn len(ROWS[1])",
    "x = [T]\ndef inner(): x[0].append(n)\ninner()\nreturn len(T)",
    "def inner(k, into=T):\n    into.append(k)\ninner(n)\nreturn len(T)",
    "x = [T]\ndef down(k, rows):\n    rows[0].append(k)\n    return k if k < 1 else down(k - 1, rows)\ndown(n, x)\nreturn len(T)",
    "def down(k, row):\n    row.append(k)\n    return k if k < 1 else down(k - 1, row)\ndown(n, T)\nreturn len(T)",
    "a, b = T, [n]\nfor x in (a, b):\n    x.append(n)\nreturn len(T)",
    "x = max([T, [n]], key=len)\nx.append(n)\nreturn len(T)",
    "x = next(iter([T, [n]]))\nx.append(n)\nreturn len(T)",
    "x = functools.reduce(lambda a, b: a, [T, [n]])\nx.append(n)\nreturn len(T)",
    "[T.append(i) for i in range(2)]\nreturn len(T)",
    "x = [T for i in range(2)]\nx[0].append(n)\nreturn len(T)",
    "x = dict.fromkeys(range(n), T)\nif n: x[0].append(n)\nreturn len(T)",
    "x = [[n], *ROWS][n % 3]\nx.append(n)\nreturn len(ROWS[0])",
]


@pytest.mark.parametrize("body", CHANGES)
def test_a_table_that_the_rules_have_not_made_is_never_changed_in_a_copy(body: str) -> None:
    outcome = compare(TABLES + written(body), games=2)
    assert outcome.kind in ("agrees", "raises", "refused", "faults"), outcome.detail


COPIES = [
    "x = list(T)\nx.append(n)\nreturn len(x)",
    "x = [list(row) for row in ROWS]\nx[0].append(n)\nreturn len(x[0])",
    "x = copy.deepcopy(ROWS)\nx[0].append(n)\nreturn len(x[0])",
    "x = [T, [n]]\ny = [n]\ny.append(len(x[0]))\nreturn sum(y)",
    "x = dict(NAMED)\nx[n] = [n, n]\nreturn len(x[n])",
]


ALIKE = """
from dataclasses import dataclass, field
from typing import NamedTuple
class Place(NamedTuple):
    at: float
@dataclass(frozen=True)
class Card:
    rank: int
    label: int = field(compare=False, default=0)
class Piece:
    def __init__(self, kind, number): self.kind, self.number = kind, number
    def __eq__(self, other): return self.kind == other.kind
    def __hash__(self): return self.kind
class Clock(int):
    def __add__(self, other): return Clock((int(self) + int(other)) % 7)
CLOCKS = [Clock(3), Clock(5), Clock(6)]
CARDS, PLACES, PIECES = [Card(1, 5), Card(1, 6)], [Place(1), Place(1.0), Place(True)], [Piece(1, 5), Piece(1, 6)]
"""


@pytest.mark.parametrize(
    ("table", "use"), [("CARDS", "x.label"), ("PLACES", "len(str(x.at))"), ("PIECES", "x.number"), ("CLOCKS", "int(x + 5)")]
)
def test_equal_objects_that_differ_are_told_apart(table: str, use: str) -> None:
    outcome = compare(ALIKE + written(f"x = {table}[0]\nif n > 3:\n    x = {table}[n % len({table})]\nreturn {use}"), games=2)
    assert outcome.kind in ("agrees", "faults"), outcome.detail


@pytest.mark.parametrize("body", COPIES)
def test_copies_of_tables_may_be_changed(body: str) -> None:
    outcome = compare(TABLES + written(body), games=2)
    assert outcome.kind == "agrees", outcome.detail


WORDS = """
from typing import NamedTuple
from zermelo import Game
from zermelo.words import u64
class Board(NamedTuple):
    stones: u64
    turn: int
class G(Game):
    def start(self): return Board(0, 0)
    def player(self, board): return board.turn
    def actions(self, board): return [n for n in range(4) if not board.stones >> n & 1]
    def result(self, board, action): return Board(board.stones | 1 << action, 1 - board.turn)
    def terminal(self, board): return board.stones == 15 or self.rank(board) > 6
    def utility(self, board):
        best = -1
        if board.turn:
            best = board.stones
        return best + self.rank(board)
    def rank(self, board): return -1 if board.stones & 1 else board.stones * 2 + board.turn
"""


def test_a_negative_number_meets_an_unsigned_word(tmp_path: Path) -> None:
    game: Any = load(WORDS, tmp_path, "words").G()
    rules = compile_rules(game)
    for state in rules.program.states:
        assert rules.terminal(state) == game.terminal(state)
        assert rules.utility(state) == game.utility(state)


def test_the_lowest_bit_of_no_bits(tmp_path: Path) -> None:
    """`lsb(0)` is -1, also of a number of more than 64 bits, where counting zeros would give the width."""
    text = written("return lsb((1 << 70 + n) - (1 << 70 + n) // n * n)").replace("import math", "from zermelo.words import lsb")
    game: Any = load(text, tmp_path, "bits").G()
    rules = compile_rules(game)
    assert game.utility((0, 1, 1, 2)) == -1
    with pytest.raises(Fault):
        rules.utility((0, 1, 1, 2))
    assert rules.utility((0, 1, 2)) == game.utility((0, 1, 2))


@pytest.mark.parametrize("start", ["(0, 5, True, False)", "(0, 5, 2, 7.5)", "(0, None, 0, 7.5)"])
def test_bools_and_floats_beside_ints_keep_their_kinds(start: str, tmp_path: Path) -> None:
    text = written("return state[3]").replace("n, x = sum(state), sum(state) / 4", "pass").replace("return (0,)", f"return {start}")
    text = text.replace("(*state, action)", "state")
    text = text.replace("return [1, 2]", "return [str(state[1])]").replace("len(state) > 5", "str(state[2]) == '1'")
    game: Any = load(text, tmp_path, "kinds").G()
    rules = compile_rules(game)
    for name in ("utility", "terminal", "actions"):
        assert getattr(rules, name)(game.start()) == getattr(game, name)(game.start())


OBJECTS = """
from zermelo import Game
class Board:
    def __init__(self, stones, turn):
        self.stones, self.turn = stones, turn
    def __eq__(self, other): return {compared}
    def __hash__(self): return hash(self.stones)
class G(Game):
    def start(self): return Board(0, 0)
    def player(self, board): return board.turn % 2
    def actions(self, board): return [1, 2]
    def result(self, board, action): return Board(board.stones % 5 + action, board.turn + 1)
    def terminal(self, board): return board.turn > 5
    def utility(self, board): return board.stones
"""


def test_objects_are_states_where_equal_ones_are_alike(tmp_path: Path) -> None:
    """Kernels compare states by their bytes, so `__eq__` may leave no attribute out that differs."""
    whole = OBJECTS.format(compared="(self.stones, self.turn) == (other.stones, other.turn)")
    game: Any = load(whole, tmp_path, "objects").G()
    assert compile_rules(game).result(game.start(), 2) == game.result(game.start(), 2)
    with pytest.raises(Unsupported, match="differ in an attribute"):
        compile_rules(load(OBJECTS.format(compared="self.stones == other.stones"), tmp_path, "partly").G())


SUMS = """
from zermelo import Game
ITEMS = [(-1) ** i * 10.0 ** (i * 7 % 19 - 9) / 3 for i in range(40)]
class G(Game):
    def start(self): return (0, 0.0)
    def player(self, s): return 0
    def actions(self, s): return [0]
    def result(self, s, a): return (s[0] + 1, sum([ITEMS[i] * 3.7 for i in range(s[0])]))
    def terminal(self, s): return s[0] > 40
    def utility(self, s): return 0
"""


def neumaier(items: list[float]) -> float:
    """`sum` of Python 3.12 and later."""
    total, lost = 0.0, 0.0
    for item in items:
        after = total + item
        lost += (total - after) + item if abs(total) >= abs(item) else (item - after) + total
        total = after
    return total + lost


@pytest.mark.parametrize("compensated", [False, True])
def test_floats_add_up_as_in_the_python_that_runs(compensated: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.compiler.builtins.COMPENSATED", compensated)
    module = load(SUMS, tmp_path, f"sums{compensated}")
    rules = compile_rules(module.G())
    rows = [[item * 3.7 for item in module.ITEMS[:count]] for count in range(41)]
    plain = [functools.reduce(operator.add, row, 0.0) for row in rows]
    exact = [neumaier(row) for row in rows]
    assert plain != exact
    assert [rules.result((count, 0.0), 0)[1] for count in range(41)] == (exact if compensated else plain)


def test_a_gap_of_the_compiler_is_told_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.compiler.numbers import Numbers
    from zermelo.games import nim

    def gap(*_: object) -> None:
        raise KeyError("gap")

    monkeypatch.setattr(Numbers, "arithmetic", gap)
    with pytest.raises(Unsupported) as told:
        compile_rules(nim.Nim())
    assert "has a line without compiled form" in told.value.reason
    assert (told.value.file, bool(told.value.line)) == (nim.__file__, True)
