"""Kernels on interned states: rules as look-ups in tables, and a call back into Python where a table has no answer yet.

Nothing here depends on a game but which rules it has and how many players: code that was made for one game serves all that are alike.

A state is its number. Its record lies in a block of records that never moves, so threads may read while others write:

    context  40  blocks: the address of each, by number >> BITS
             48  the function of Python that answers
    record    0  flags: one bit for each rule whose answer is known
              8  the answers, rule by rule
    edge      0  action   8  weight   16  1 + successor; 0: unknown   24  flags   32  order   40  cost
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.compiler.content import ASKED
from zermelo.compiler.emitter import Module
from zermelo.compiler.faults import Unsupported
from zermelo.compiler.kernels import KernelProgram, KernelTranslator
from zermelo.compiler.types import FLOAT, INT
from zermelo.compiler.values import Lazy, Rec, Scalar

__all__ = ["BITS", "EDGE", "NO_ANSWER", "RAISED", "InternedProgram", "Layout"]

BITS = 12  # of a number that are its place in a block
EDGE = 6  # words
RAISED = 6  # the status after Python could not answer
NO_ANSWER = -(1 << 63)  # what Python returns then
LISTS = ("actions", "candidates", "chances")
ON_EDGES = {"result": 0, "order": 1, "cost": 2, "image": 0}  # rules about an action; the flag of those that an edge remembers
TWO_OUTPUTS = ("canonical", "rest")  # a state, and a number that is written first
NOT_INTERNED = ("features", "unrank", "start")  # asked by kernels that interned games do not run


@dataclass(frozen=True)
class Layout:
    """Where a record holds the answers of each rule that a game has."""

    players: int
    rules: tuple[str, ...]
    offsets: dict[str, int] = field(init=False)
    words: int = field(init=False)

    def __post_init__(self) -> None:
        at, offsets = 1, {}
        for rule in self.rules:
            offsets[rule] = at
            at += self.width(rule)
        object.__setattr__(self, "offsets", offsets)
        object.__setattr__(self, "words", at)

    def width(self, rule: str) -> int:
        """Words of an answer."""
        if rule in ("payoffs", "estimates", "information"):
            return max(self.players, 1)
        return 2 if rule in (*LISTS, *TWO_OUTPUTS, "bounds") else 1

    def flag(self, rule: str) -> int:
        """The bit that says that an answer is known; what each player knows has bits of its own, the last."""
        return self.rules.index(rule)


class InternedProgram(KernelProgram):
    """The kernels of one family on interned states."""

    def __init__(self, game: Any, layout: Layout, asked: tuple[str, ...], integer_payoffs: bool) -> None:
        self.game, self.players, self.layout = game, game.players, layout
        self.asked, self.whole = asked, integer_payoffs
        self.words, self.state = 1, INT  # a state is its number
        self.reads = {}
        self.wide: dict[Any, int] = {}
        self.changed: frozenset[str] = frozenset()
        self.known_options: dict[int, Any] = {}
        self.mutable: set[type] = set()
        self.word_states = False
        self.begin()

    def begin(self) -> None:
        super().begin()
        self.module = Module()
        self.module.functions |= {
            "interned_record": record(self.layout),
            "interned_settle": SETTLE,
            "interned_ask": ASK,
            "interned_edge": self.edge(),
        }
        self.module.inner |= set(self.module.functions)

    def has(self, name: str) -> bool:
        return name in self.layout.rules or name in ON_EDGES if self.is_asked(name) else False

    def is_asked(self, name: str) -> bool:
        """Does the game have this rule, for a kernel that asks it?"""
        return callable(getattr(self.game, name, None)) and (name not in ASKED or name in self.asked)

    @property
    def integer_payoffs(self) -> bool:
        return self.whole

    key_words = information_words = 1

    def rule(self, name: str) -> None:
        """A rule as an LLVM function."""
        if name in NOT_INTERNED:
            raise Unsupported(f"the rule {name} is not asked of interned states")
        write: Callable[[str], str] = self.about_action if name in ON_EDGES else self.about_state
        self.module.functions[f"rule_{name}"] = write(name)
        self.module.inner.add(f"rule_{name}")

    def listed(self, c: KernelTranslator, rule: str, pointer: str) -> Lazy:
        """The actions of a state, from its edges."""

        def run(body: Callable[[Any], None]) -> None:
            room = c.alloca("[2 x i64]")
            c.ask_rule(rule, f"ptr {pointer}", f"ptr {room}")
            edges = c.op(f"load ptr, ptr {room}")
            count = c.op(f"load i64, ptr {c.offset(room, 8)}")

            def item(i: Any) -> Any:
                at = c.op(f"getelementptr [{EDGE} x i64], ptr {edges}, i64 {i}")
                word = Scalar(INT, c.op(f"load i64, ptr {at}"))
                if rule != "chances":
                    return word
                return Rec([word, Scalar(FLOAT, c.op(f"load double, ptr {c.offset(at, 8)}"))])

            c.walk(Lazy(items=(count, item)), body)

        return Lazy(walk=run, kind="generator")

    def about_state(self, name: str) -> str:
        """An answer is copied from the record; where it is not there, Python writes it first."""
        layout = self.layout
        flag, width = layout.flag(name), layout.width(name)
        who, moved = ("i64 %who, ", "%who") if name == "information" else ("", "0")
        outputs = ["%out", "%second"] if name in TWO_OUTPUTS else ["%out"]
        parameters = who + ("ptr %second, ptr %out" if name in TWO_OUTPUTS else "ptr %out")
        lines = [
            f"define internal i64 @rule_{name}(ptr noalias %ctx, ptr %s, {parameters}) {{",
            "  %n = load i64, ptr %s",
            "  %r = call ptr @interned_record(ptr %ctx, i64 %n)",
            "  %flags = load atomic i64, ptr %r acquire, align 8",
            f"  %place = add i64 {flag}, {moved}",
            "  %bit = shl i64 1, %place",
            "  %set = and i64 %flags, %bit",
            "  %known = icmp ne i64 %set, 0",
            "  br i1 %known, label %give, label %find",
            "find:",
            f"  %status = call i64 @interned_settle(ptr %ctx, ptr %r, i64 %bit, i64 {flag}, i64 %n, i64 {moved})",
            "  %bad = icmp ne i64 %status, 0",
            "  br i1 %bad, label %fault, label %give",
            "fault:",
            "  ret i64 %status",
            "give:",
            f"  %from = getelementptr i64, ptr %r, i64 {layout.offsets[name]}",
        ]
        for number in range(1 if name == "information" else width):
            index = moved if name == "information" else str(number)
            target, at = (outputs[number], 0) if len(outputs) > 1 else ("%out", number)
            lines += [
                f"  %a{number} = getelementptr i64, ptr %from, i64 {index}",
                f"  %v{number} = load i64, ptr %a{number}",
                f"  %o{number} = getelementptr i64, ptr {target}, i64 {at}",
                f"  store i64 %v{number}, ptr %o{number}",
            ]
        return "\n".join([*lines, "  ret i64 0", "}"])

    def about_action(self, name: str) -> str:
        """An answer is kept by the edge that the action is."""
        rule = len(self.layout.rules) + list(ON_EDGES).index(name)
        if name == "image":
            return IMAGE.format(rule=rule)
        if name == "result":
            return RESULT.format(rule=rule)
        return ABOUT_EDGE.format(name=name, rule=rule, bit=1 << ON_EDGES[name], at=32 if name == "order" else 40)

    def edge(self) -> str:
        """The edge of an action, in the lists of a state that are known; null where there is none."""
        lines = [
            "define internal ptr @interned_edge(ptr %r, i64 %word) {",
            "  %flags = load atomic i64, ptr %r acquire, align 8",
            "  br label %l0",
        ]
        lists = [name for name in LISTS if name in self.layout.rules]
        for number, name in enumerate(lists):
            lines.append(
                SCAN.format(
                    n=number, next=number + 1, bit=1 << self.layout.flag(name), at=self.layout.offsets[name], edge=EDGE, words=8 * EDGE
                )
            )
        return "\n".join([*lines, f"l{len(lists)}:", "  ret ptr null", "}"])


def record(layout: Layout) -> str:
    return f"""define internal ptr @interned_record(ptr noalias %ctx, i64 %n) alwaysinline {{
  %d = getelementptr i8, ptr %ctx, i64 40
  %blocks = load ptr, ptr %d
  %b = lshr i64 %n, {BITS}
  %pb = getelementptr ptr, ptr %blocks, i64 %b
  %block = load ptr, ptr %pb
  %i = and i64 %n, {(1 << BITS) - 1}
  %r = getelementptr [{layout.words} x i64], ptr %block, i64 %i
  ret ptr %r
}}"""


ASK = f"""define internal i64 @interned_ask(ptr noalias %ctx, i64 %rule, i64 %n, i64 %extra) noinline cold {{
  %f = getelementptr i8, ptr %ctx, i64 48
  %python = load ptr, ptr %f
  %v = call i64 %python(i64 %rule, i64 %n, i64 %extra)
  %bad = icmp eq i64 %v, {NO_ANSWER}
  br i1 %bad, label %fault, label %fine
fault:
  %p = getelementptr i8, ptr %ctx, i64 16
  store i64 {RAISED}, ptr %p
  ret i64 %v
fine:
  ret i64 %v
}}"""
SETTLE = f"""define internal i64 @interned_settle(ptr noalias %ctx, ptr %r, i64 %bit, i64 %rule, i64 %n, i64 %extra) noinline cold {{
  %v = call i64 @interned_ask(ptr %ctx, i64 %rule, i64 %n, i64 %extra)
  %bad = icmp eq i64 %v, {NO_ANSWER}
  br i1 %bad, label %fault, label %fine
fault:
  ret i64 {RAISED}
fine:
  %before = atomicrmw or ptr %r, i64 %bit release
  ret i64 0
}}"""
SCAN = """l{n}:
  %set{n} = and i64 %flags, {bit}
  %known{n} = icmp ne i64 %set{n}, 0
  br i1 %known{n}, label %look{n}, label %l{next}
look{n}:
  %pe{n} = getelementptr i64, ptr %r, i64 {at}
  %first{n} = load ptr, ptr %pe{n}
  %pc{n} = getelementptr i64, ptr %pe{n}, i64 1
  %count{n} = load i64, ptr %pc{n}
  %end{n} = getelementptr [{edge} x i64], ptr %first{n}, i64 %count{n}
  br label %head{n}
head{n}:
  %e{n} = phi ptr [ %first{n}, %look{n} ], [ %on{n}, %step{n} ]
  %over{n} = icmp eq ptr %e{n}, %end{n}
  br i1 %over{n}, label %l{next}, label %body{n}
body{n}:
  %a{n} = load i64, ptr %e{n}
  %same{n} = icmp eq i64 %a{n}, %word
  br i1 %same{n}, label %found{n}, label %step{n}
step{n}:
  %on{n} = getelementptr i8, ptr %e{n}, i64 {words}
  br label %head{n}
found{n}:
  ret ptr %e{n}"""
RESULT = f"""define internal i64 @rule_result(ptr noalias %ctx, ptr %s, i64 %word, ptr %out) {{{{
  %n = load i64, ptr %s
  %r = call ptr @interned_record(ptr %ctx, i64 %n)
  %e = call ptr @interned_edge(ptr %r, i64 %word)
  %ps = getelementptr i8, ptr %e, i64 16
  %none = icmp eq ptr %e, null
  br i1 %none, label %find, label %look
look:
  %have = load atomic i64, ptr %ps monotonic, align 8
  %known = icmp ne i64 %have, 0
  br i1 %known, label %give, label %find
give:
  %number = sub i64 %have, 1
  store i64 %number, ptr %out
  ret i64 0
find:
  %v = call i64 @interned_ask(ptr %ctx, i64 {{rule}}, i64 %n, i64 %word)
  %bad = icmp eq i64 %v, {NO_ANSWER}
  br i1 %bad, label %fault, label %fine
fault:
  ret i64 {RAISED}
fine:
  store i64 %v, ptr %out
  br i1 %none, label %done, label %keep
keep:
  %next = add i64 %v, 1
  store atomic i64 %next, ptr %ps monotonic, align 8
  br label %done
done:
  ret i64 0
}}}}"""
ABOUT_EDGE = f"""define internal i64 @rule_{{name}}(ptr noalias %ctx, ptr %s, i64 %word, ptr %out) {{{{
  %n = load i64, ptr %s
  %r = call ptr @interned_record(ptr %ctx, i64 %n)
  %e = call ptr @interned_edge(ptr %r, i64 %word)
  %pf = getelementptr i8, ptr %e, i64 24
  %pv = getelementptr i8, ptr %e, i64 {{at}}
  %none = icmp eq ptr %e, null
  br i1 %none, label %find, label %look
look:
  %flags = load atomic i64, ptr %pf acquire, align 8
  %set = and i64 %flags, {{bit}}
  %known = icmp ne i64 %set, 0
  br i1 %known, label %give, label %find
give:
  %have = load i64, ptr %pv
  store i64 %have, ptr %out
  ret i64 0
find:
  %v = call i64 @interned_ask(ptr %ctx, i64 {{rule}}, i64 %n, i64 %word)
  %bad = icmp eq i64 %v, {NO_ANSWER}
  br i1 %bad, label %fault, label %fine
fault:
  ret i64 {RAISED}
fine:
  store i64 %v, ptr %out
  br i1 %none, label %done, label %keep
keep:
  store i64 %v, ptr %pv
  %before = atomicrmw or ptr %pf, i64 {{bit}} release
  br label %done
done:
  ret i64 0
}}}}"""
IMAGE = f"""define internal i64 @rule_image(ptr noalias %ctx, i64 %word, i64 %symmetry, ptr %out) {{{{
  %v = call i64 @interned_ask(ptr %ctx, i64 {{rule}}, i64 %word, i64 %symmetry)
  %bad = icmp eq i64 %v, {NO_ANSWER}
  br i1 %bad, label %fault, label %fine
fault:
  ret i64 {RAISED}
fine:
  store i64 %v, ptr %out
  ret i64 0
}}}}"""
