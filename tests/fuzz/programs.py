"""Whole programs: tables, functions, classes and a game that always ends."""

from random import Random

from .kinds import BOOL, COMPLEX, FLOAT, FRACTION, INT, STR, Any, Bag, Map, Member, Opt, Rec, Seq, Tup, annotation, hashable
from .statements import INDENT, Statements, indented

HEADER = """import math
import operator
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from fractions import Fraction
from functools import cache, reduce
from itertools import (
    accumulate, chain, combinations, count, cycle, dropwhile, filterfalse, groupby, islice, pairwise, permutations, product, repeat,
    starmap, takewhile,
)
from typing import NamedTuple

from zermelo import CHANCE, Game
"""


def program(seed: int) -> str:
    """The rules of a random game: the same seed gives the same text."""
    random = Random(seed)
    writer = Writer(random, careful=random.random() < 0.75)
    return writer.program()


class Writer(Statements):
    """Writes one program."""

    def program(self) -> str:
        parts = [HEADER]
        parts += [self.table() for _ in range(self.random.randint(0, 2))]
        parts += [self.enumeration() for _ in range(self.random.choice([0, 0, 1]))]
        parts += [self.record() for _ in range(self.random.choice([0, 0, 1]))]
        for _ in range(self.random.randint(0, 3)):
            parts.append(
                self.random.choice(
                    [self.function, self.function, self.generator, self.recursion, self.accumulator, self.plain_class, self.flood]
                )()
            )
        parts.append(self.game())
        return "\n\n".join(parts) + "\n"

    def table(self) -> str:
        """A module-level table, a constant or one built by a loop."""
        name = self.fresh("T").upper()
        kind = self.random.choice(
            [
                Seq("list", INT),
                Seq("tuple", INT),
                Map(STR, INT),
                Map(INT, INT),
                Bag("set", INT),
                Seq("list", Tup((INT, INT))),
                Seq("tuple", STR),
            ]
        )
        careful, self.careful = self.careful, True
        mark, text = len(self.scope), f"{name} = {self.leaf(kind)}"
        if kind == Map(INT, INT):
            text = f"{name} = {{}}\nfor i in range(5):\n{INDENT}{name}[i] = {self.within([('i', INT)], INT, 2)}"
        if kind == Seq("list", INT):
            text = f"{name} = []\nfor i in range(4):\n{INDENT}{name}.append({self.within([('i', INT)], INT, 2)})"
        del self.scope[mark:]
        self.careful = careful
        self.scope.append((name, kind))
        return text

    def enumeration(self) -> str:
        name = self.fresh("E")
        members = tuple("ABC"[: self.random.randint(2, 3)])
        self.enums.append(Member(name, members))
        lines = [f"class {name}({self.one('Enum', 'IntEnum')}):", *(f"{INDENT}{m} = {i + 1}" for i, m in enumerate(members))]
        lines += ["", f"{INDENT}@property", f"{INDENT}def weight(self):", f"{INDENT * 2}return self.value * 2"]
        return "\n".join(lines)

    def record(self) -> str:
        """A NamedTuple or frozen dataclass with a method and an operator."""
        form, name = self.one("named", "data"), self.fresh("R")
        kind = Rec(
            name,
            form,
            tuple((letter, self.random.choice([INT, INT, STR, BOOL, Tup((INT, INT))])) for letter in "abc"[: self.random.randint(1, 3)]),
        )
        self.records.append(kind)
        head = [f"class {name}(NamedTuple):"] if form == "named" else ["@dataclass(frozen=True)", f"class {name}:"]
        outer, self.scope = self.scope, [*self.scope, ("self", kind)]
        lines = [f"{field}: {annotation(of)}" for field, of in kind.fields]
        lines += ["", "@property", "def size(self):", INDENT + f"return {self.expr(INT, 2)}"]
        lines += [
            "",
            "def __add__(self, other):",
            INDENT + f"return {name}({', '.join(self.within([('other', kind)], of, 1) for _, of in kind.fields)})",
        ]
        self.scope = outer
        return "\n".join(head + indented(lines))

    def parameters(self, kinds: tuple[Any, ...]) -> tuple[str, list[tuple[str, Any]]]:
        names = [self.fresh("p") for _ in kinds]
        annotated = self.random.random() < 0.4
        text = ", ".join(f"{n}: {annotation(k)}" if annotated else n for n, k in zip(names, kinds, strict=True))
        return text, list(zip(names, kinds, strict=True))

    def some_kind(self) -> Any:
        return self.random.choice(
            [INT, INT, BOOL, STR, Tup((INT, INT)), Seq("list", INT), Seq("tuple", INT), Bag("set", INT), Opt(INT), FLOAT, *self.records]
        )

    def function(self) -> str:
        name, gives = self.fresh("h"), self.some_kind()
        takes = tuple(self.some_kind() for _ in range(self.random.randint(0, 2)))
        text, names = self.parameters(takes)
        self.scope += names
        lines = [f"def {name}({text}):", *indented(self.body(gives, self.random.randint(0, 3)))]
        del self.scope[len(self.scope) - len(names) :]
        self.functions.append((name, takes, gives))
        return "\n".join(lines)

    def generator(self) -> str:
        name, gives = self.fresh("g"), self.random.choice([INT, INT, STR, Tup((INT, INT))])
        takes = tuple(self.random.choice([INT, Seq("list", INT), STR]) for _ in range(self.random.randint(0, 1)))
        text, names = self.parameters(takes)
        self.scope += names
        lines = [f"def {name}({text}):", *indented(self.yields(gives, 2))]
        del self.scope[len(self.scope) - len(names) :]
        self.generators.append((name, takes, gives))
        return "\n".join(lines)

    def recursion(self) -> str:
        """A recursive function of a small number."""
        name, gives = self.fresh("h"), self.random.choice([INT, STR, Seq("list", INT), Bag("set", INT)])
        self.scope += [("p0", INT), ("inner", gives)]
        known = self.fresh("K").upper()
        memory = self.one("", "", "cache", "dict")
        lines = [
            *([f"{known} = {{}}"] if memory == "dict" else ["@cache"] if memory == "cache" else []),
            f"def {name}(p0):",
            f"if p0 <= {0 if self.careful else self.one('0', '-1')} or p0 > 6:",
            f"{INDENT}return {self.leaf(gives)}",
        ]
        lines += [
            f"inner = {name}(p0 - {self.one('1', '2')})",
            *self.block(1, 1),
            f"return {self.expr(gives, 2)}" + ("[:6]" if gives in (STR, Seq("list", INT)) else " % 1000" if gives == INT else ""),
        ]
        del self.scope[-2:]
        self.functions.append((name, (INT,), gives))
        head = lines.index(f"def {name}(p0):") + 1
        body = lines[head:]
        if memory == "dict":
            body = [f"if p0 in {known}:", f"{INDENT}return {known}[p0]", *body[:-1]]
            body += [f"{known}[p0] = answer = {lines[-1].removeprefix('return ')}", "return answer"]
        return "\n".join([*lines[:head], *indented(body)])

    def accumulator(self) -> str:
        """A recursive generator."""
        name = self.fresh("g")
        self.scope += [("p0", INT), ("p1", INT)]
        lines = [f"def {name}(p0, p1=0):", "if p0 <= 0 or p0 > 3:", f"{INDENT}yield p1", f"{INDENT}return"]
        lines += ["for step in range(2):", f"{INDENT}yield from {name}(p0 - 1, p1 * 2 + step)"] + (
            [f"yield {self.expr(INT, 1)}"] if self.random.random() < 0.5 else []
        )
        del self.scope[-2:]
        self.generators.append((name, (INT,), INT))
        return "\n".join([lines[0], *indented(lines[1:])])

    def plain_class(self) -> str:
        """A class with attributes that change, and one that inherits from it."""
        base, heir = self.fresh("C"), self.fresh("C")
        rec = Rec("", "data", (("a", INT), ("b", INT)))  # what `self` has
        outer, self.scope = self.scope, [*self.scope, ("self", rec), ("p1", INT)]
        lines = [
            f"class {base}:",
            f"{INDENT}unit = {self.leaf(INT)}",
            "",
            f"{INDENT}def __init__(self, a, b={self.leaf(INT)}):",
            f"{INDENT * 2}self.a = a",
            f"{INDENT * 2}self.b = b",
        ]
        lines += [
            "",
            f"{INDENT}def step(self, p1):",
            f"{INDENT * 2}self.a {self.one('+=', '-=', '^=')} {self.expr(INT, 1)}",
            f"{INDENT * 2}self.b = {self.expr(INT, 2)} % 50",
            f"{INDENT * 2}return self.total(p1)",
        ]
        lines += ["", f"{INDENT}def total(self, p1):", f"{INDENT * 2}return self.unit + {self.expr(INT, 2)}"]
        lines += ["", f"{INDENT}@{self.one('staticmethod', 'staticmethod')}", f"{INDENT}def twice(p1):", f"{INDENT * 2}return p1 * 2"]
        lines += [
            "",
            "",
            f"class {heir}({base}):",
            f"{INDENT}unit = {self.leaf(INT)}",
            "",
            f"{INDENT}def total(self, p1):",
            f"{INDENT * 2}return super().total({self.expr(INT, 1)}) + {self.expr(INT, 1)}",
        ]
        lines += ["", f"{INDENT}@classmethod", f"{INDENT}def make(cls, p1):", f"{INDENT * 2}return cls(p1, {self.one('1', '2')}).step(p1)"]
        self.scope = outer
        self.functions += [(f"{heir}({self.leaf(INT)}).step", (INT,), INT), (f"{heir}.make", (INT,), INT), (f"{base}.twice", (INT,), INT)]
        return "\n".join(lines)

    def flood(self) -> str:
        """A flood fill that recurs with a set."""
        name = self.fresh("h")
        self.scope.append(("p0", INT))
        reach = self.expr(BOOL, 2)
        self.scope.pop()
        lines = [
            f"def {name}(p0, seen=None):",
            "if seen is None:",
            f"{INDENT}seen = set()",
            f"if p0 in seen or not 0 <= p0 < 9 or {reach}:",
            f"{INDENT}return seen",
        ]
        lines += [
            "seen.add(p0)",
            f"for step in ({self.one('1, -1', '3, -3, 1', '2, -1')}):",
            f"{INDENT}{name}(p0 + step, seen)",
            "return seen",
        ]
        self.functions.append((name, (INT,), Bag("set", INT)))
        return "\n".join([lines[0], *indented(lines[1:])])

    def bounded(self, kind: Any, text: str) -> str:
        """The expression, kept from growing along the game."""
        match kind:
            case _ if kind == INT:
                return f"({text}) % {self.one('11', '97', '1000')}" if self.careful or self.random.random() < 0.5 else text
            case _ if kind == COMPLEX:
                name = self.fresh("w")
                return f"(lambda {name}: complex({name}.real % 8, {name}.imag % 8))({text})"
            case _ if kind == FRACTION:
                return f"Fraction(math.floor(({text}) * 6) % 30, 6)"
            case _ if kind == FLOAT:
                return f"({text}) % 8.0"
            case _ if kind == STR:
                return f"({text})[:6]"
            case Seq():
                return f"({text})[:5]"
            case Bag("frozenset"):
                return f"frozenset(sorted({text})[:4])"
        return text

    def game(self) -> str:
        """The six methods; `ply` ends the game."""
        r = self.random
        form = self.one("named", "data", "tuple")
        fields = tuple((f"s{i}", hashable(r)) for i in range(r.randint(1, 4)))
        state: Any = Rec("S", form, (("ply", INT), *fields)) if form != "tuple" else Tup((INT, *(of for _, of in fields)))
        action: Any = r.choice(
            [
                INT,
                INT,
                INT,
                STR,
                STR,
                Tup((INT, INT)),
                Tup((INT, STR)),
                Seq("tuple", INT),
                Opt(INT),
                Opt(Tup((INT, INT))),
                *self.enums,
                *self.enums,
                *self.records,
            ]
        )
        ply = "state[0]" if form == "tuple" else "state.ply"
        parts = []
        if form != "tuple":
            head = ["class S(NamedTuple):"] if form == "named" else ["@dataclass(frozen=True)", "class S:"]
            parts.append("\n".join(head + indented([f"{name}: {annotation(of)}" for name, of in state.fields])))
            self.records.append(state)
        made = self.beginning(form, fields)
        plies = r.randint(3, 8)
        lines = ["class G(Game):", "def start(self):", f"{INDENT}return {made}", ""]
        self.scope.append(("state", state))
        chance = r.random() < 0.15
        mover = self.one(f"{ply} % 2", f"({self.expr(INT, 2)}) % 2")
        lines += ["def player(self, state):", f"{INDENT}return {f'CHANCE if {ply} % 3 == 1 else {mover}' if chance else mover}", ""]
        if chance:
            weight = self.one("1", f"{ply} + 1", "i + 1")
            lines += ["def chances(self, state):", f"{INDENT}return [(move, {weight}) for i, move in enumerate(self.actions(state))]", ""]
        if r.random() < 0.15:
            self.scope.append(("player", INT))
            lines += ["def information(self, state, player):", *indented(self.body(Tup((INT, hashable(r))), 1)), ""]
            self.scope.pop()
        lines += ["def actions(self, state):", *indented(self.acts(action)), ""]
        method = self.random.random() < 0.5
        if method:
            gives = self.some_kind()
            lines += ["def helper(self, state):", *indented(self.body(gives, 2)), ""]
            self.functions.append(("self.helper", (state,), gives))
        self.scope.append(("action", action))
        values = self.random.randint(0, 4)
        mark = len(self.scope)
        steps = [line for _ in range(values) for line in self.statement(2, False)]
        if self.random.random() < 0.3:
            new = [f"{ply} + 1", *(self.expr(of, 0) for _, of in fields)]
        else:
            new = [f"{ply} + 1", *(self.bounded(of, self.expr(of, 3)) for _, of in fields)]
        del self.scope[mark:]
        closing = "(" + ", ".join(new) + ",)" if form == "tuple" else f"S({', '.join(new)})"
        lines += ["def result(self, state, action):", *indented([*steps, f"return {closing}"]), ""]
        self.scope.pop()
        ending = self.one("", f" or {self.expr(BOOL, 2)}") if r.random() < 0.3 else ""
        lines += ["def terminal(self, state):", f"{INDENT}return {ply} >= {plies}{ending}", ""]
        lines += ["def utility(self, state):", *indented(self.body(self.random.choice([INT, INT, FLOAT]), r.randint(0, 2)))]
        parts.append("\n".join([lines[0], *indented(lines[1:])]))
        return "\n\n".join(parts)

    def beginning(self, form: str, fields: tuple[tuple[str, Any], ...]) -> str:
        values = ", ".join(["0", *(self.expr(of, 1) for _, of in fields)])
        return f"({values},)" if form == "tuple" else f"S({values})"

    def acts(self, action: Any) -> list[str]:
        """The body of `actions`: some actions without doubles, at least one."""
        first = self.leaf(action)
        roll = self.random.random()
        if roll < 0.4:
            return [*self.block_into("moves", action), f"return list(dict.fromkeys(moves))[:5] or [{first}]"]
        if roll < 0.7 or isinstance(action, (Member, Rec)):
            return [f"moves = {self.expr(Seq('list', action), 3)}", f"return list(dict.fromkeys(moves[:5])) or [{first}]"]
        source = self.expr(Seq("list", action), 3)
        return [
            "seen = []",
            f"for move in {source}:",
            f"{INDENT}if move not in seen and len(seen) < 5:",
            f"{INDENT * 2}seen.append(move)",
            f"{INDENT * 2}yield move",
            "if not seen:",
            f"{INDENT}yield {first}",
        ]

    def block_into(self, name: str, item: Any) -> list[str]:
        """Statements that fill a list."""
        source, of = self.iterable(2)
        target, names = self.target(of)
        self.scope += names
        inside = [*self.block(1, 1), f"{name}.append({self.expr(item, 2)})"]
        if self.random.random() < 0.4:
            inside = [f"if {self.expr(BOOL, 2)}:", INDENT + "continue", *inside]
        del self.scope[len(self.scope) - len(names) :]
        return [f"{name} = []", f"for {target} in {source}:", *indented(inside)]
