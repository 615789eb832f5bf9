"""Random statements: bodies of functions, generators and methods."""

from .expressions import Expressions
from .kinds import BOOL, FLOAT, INT, STR, Any, Bag, Map, Opt, Seq, Tup, local

INDENT = "    "


def indented(lines: list[str]) -> list[str]:
    return [INDENT + line for line in lines]


class Statements(Expressions):
    """Writes blocks. Names that a block binds are forgotten after it, so that nothing is read before it is bound."""

    frozen: frozenset[str] | set[str] = frozenset()  # names of an outer function, which an inner one may only read

    def block(self, size: int, depth: int = 2, loop: bool = False) -> list[str]:
        """Some statements; never empty."""
        mark, lines = len(self.scope), []
        for _ in range(max(1, size)):
            lines += self.statement(depth, loop)
        del self.scope[mark:]
        return lines

    def body(self, gives: Any, size: int, depth: int = 2) -> list[str]:
        """Statements and a `return` of the kind."""
        mark, lines = len(self.scope), []
        for _ in range(size):
            lines += self.statement(depth, False)
            if self.random.random() < 0.12:
                lines += [f"if {self.expr(BOOL, 1)}:", f"{INDENT}return {self.expr(gives, 2)}"]
        lines.append(f"return {self.expr(gives, 3)}")
        del self.scope[mark:]
        return lines

    def yields(self, gives: Any, size: int, depth: int = 2) -> list[str]:
        """The body of a generator function."""
        lines: list[str] = []
        for _ in range(max(1, size)):
            roll = self.random.random()
            if roll < 0.3:
                lines.append(f"yield {self.expr(gives, 2)}")
            elif roll < 0.6 and depth:
                source, item = self.iterable(1)
                target, names = self.target(item)
                self.scope += names
                lines += [f"for {target} in {source}:", *indented(self.yields(gives, 1, depth - 1))]
                del self.scope[len(self.scope) - len(names) :]
            elif roll < 0.75 and depth:
                lines += [f"if {self.expr(BOOL, 2)}:", *indented(self.yields(gives, 1, depth - 1))]
            elif roll < 0.85:
                lines.append(f"yield from {self.expr(Seq('list', gives), 2)}")
            elif roll < 0.92 and depth == 2:
                lines += [f"if {self.expr(BOOL, 1)}:", INDENT + "return"]
            else:
                lines += self.block(1, min(depth, 1))
        if not any("yield" in line for line in lines):
            lines.append(f"yield {self.expr(gives, 1)}")
        return lines

    def locals_of(self, *shapes: type) -> list[tuple[str, Any]]:
        """Local variables (not parameters, not fields) of these shapes, which may be changed."""
        return [(name, kind) for name, kind in self.scope if name.startswith("x") and name not in self.frozen and isinstance(kind, shapes)]

    def statement(self, depth: int, loop: bool) -> list[str]:
        """One random statement."""
        choices = [self.assign] * 5 + [self.reassign] * 4 + [self.mutate] * 4 + [self.unpack, self.attempt]
        if depth > 0:
            choices += [self.branch] * 3 + [self.loop] * 3 + [self.repeat, self.matching, self.closure, self.tally, self.queue]
        if loop and self.random.random() < 0.2:
            return [f"if {self.expr(BOOL, 1)}:", INDENT + self.one("break", "continue")]
        return self.random.choice(choices)(depth)

    def assign(self, depth: int) -> list[str]:
        kind = local(self.random)
        name = self.fresh("x")
        text = self.expr(kind, 3)
        if isinstance(kind, (Seq, Bag, Map)) and text.isidentifier():
            text = f"{kind.form}({text})" if not isinstance(kind, Map) else f"dict({text})"  # a copy: no aliases
        self.scope.append((name, kind))
        return [f"{name} = {text}"]

    def reassign(self, depth: int) -> list[str]:
        known = [
            (name, kind) for name, kind in self.scope if (name.startswith("x") and kind in (INT, FLOAT, STR, BOOL)) or isinstance(kind, Tup)
        ]
        known = [(name, kind) for name, kind in known if name.startswith("x") and name not in self.frozen]
        if not known:
            return self.assign(depth)
        name, kind = self.random.choice(known)
        if kind == INT and self.random.random() < 0.6:
            operator = self.one("+=", "-=", "^=", "|=", "&=", "%=", "*=", "//=")
            if operator in ("%=", "//="):
                return [f"{name} {operator} {self.divisor(1)}"]
            return [f"{name} {operator} {self.expr(INT, 2)}" + (" % 5" if operator == "*=" and self.careful else "")]
        if kind == STR:
            return [f"{name} = ({self.expr(STR, 2)})[:8]"]
        if kind == FLOAT:
            return [f"{name} {self.one('+=', '-=', '=')} {self.expr(FLOAT, 2)}"]
        return [f"{name} = {self.expr(kind, 2)}"]

    def mutate(self, depth: int) -> list[str]:
        known = [
            (n, k)
            for n, k in self.locals_of(Seq, Bag, Map)
            if not (isinstance(k, Seq) and k.form == "tuple") and not (isinstance(k, Bag) and k.form == "frozenset")
        ]
        if not known:
            return self.assign(depth)
        name, kind = self.random.choice(known)
        match kind:
            case Seq(_, item):
                value = self.expr(item, 2)
                if isinstance(item, Seq):
                    value = f"list({value})"
                changes = [
                    f"{name}.append({value})",
                    f"{name} += [{value}]",
                    f"{name}.insert({self.one('0', '1', '-1')}, {value})",
                    f"{name}.reverse()",
                ]
                if item in (INT, STR):
                    changes += [f"{name}.sort({self.one('', 'reverse=True')})", f"{name}.extend({self.expr(kind, 1)})"]
                    changes += [f"{name} *= {self.one('0', '1', '2')} if len({name}) < 9 else 1"]
                guarded = [
                    f"{name}.pop({self.one('', '0', '-1')})",
                    f"{name}[{self.expr(INT, 1)} % len({name})] = {value}",
                    f"del {name}[0]",
                ]
                if item == INT:
                    guarded.append(f"{name}[-1] {self.one('+=', '-=', '^=')} {self.expr(INT, 1)}")
                if self.random.random() < 0.6:
                    return [self.one(*changes)]
                if not self.careful and self.random.random() < 0.3:
                    return [self.one(*guarded)]
                return [f"if {name}:", INDENT + self.one(*guarded)]
            case Bag(_, item):
                method = self.one("add", "discard") if self.careful else self.one("add", "discard", "remove")
                return [
                    self.one(f"{name}.{method}({self.expr(item, 2)})", f"{name} |= {self.expr(kind, 1)}", f"{name} -= {self.expr(kind, 1)}")
                ]
            case Map(key, value_kind):
                key_text, value = self.expr(key, 1), self.expr(value_kind, 2)
                changes = [f"{name}[{key_text}] = {value}", f"{name}.pop({key_text}, None)", f"{name}.update({self.expr(kind, 1)})"]
                if value_kind == INT:
                    changes.append(f"{name}[{key_text}] = {name}.get({key_text}, 0) + {self.expr(INT, 1)}")
                if isinstance(value_kind, Seq):
                    changes = [f"{name}.setdefault({key_text}, []).append({self.expr(INT, 1)})", f"{name}[{key_text}] = list({value})"]
                return [self.one(*changes)]
        raise AssertionError(kind)

    def unpack(self, depth: int) -> list[str]:
        if self.random.random() < 0.5:
            a, b = self.fresh("x"), self.fresh("x")
            text = f"{a}, {b} = {self.expr(INT, 2)}, {self.expr(STR, 2)}"
            self.scope += [(a, INT), (b, STR)]
            return [text]
        first, rest = self.fresh("x"), self.fresh("x")
        text = f"{first}, *{rest} = [{self.expr(INT, 1)}, *{self.expr(Seq('list', INT), 2)}]"
        self.scope += [(first, INT), (rest, Seq("list", INT))]
        return [text]

    def attempt(self, depth: int) -> list[str]:
        name = self.fresh("x")
        kind = self.random.choice([INT, STR])
        risky, error = self.random.choice([
            (f"{self.expr(Seq('list', kind), 2)}[{self.expr(INT, 1)}]", "IndexError"),
            (f"{self.expr(Map(INT, kind), 2)}[{self.expr(INT, 1)}]", "KeyError"),
            (f"{self.expr(Map(STR, kind), 2)}[{self.expr(STR, 1)}]", self.one("KeyError", "(KeyError, IndexError)")),
            (f"next(iter({self.expr(Seq('list', kind), 2)}))", "StopIteration"),
        ])  # fmt: skip
        if kind == INT and self.random.random() < 0.3:
            risky, error = f"{self.expr(Seq('list', INT), 2)}.index({self.expr(INT, 1)})", "ValueError"
        if kind == INT and self.random.random() < 0.2:
            risky, error = f"int({self.expr(STR, 2)})", "ValueError"
        if kind == INT and self.random.random() < 0.2:
            table = self.one("defaultdict(int)", "defaultdict(int, {3: 1})", "Counter([1, 2, 2])")
            risky, error = f"({table} if {self.expr(BOOL, 1)} else {self.expr(Map(INT, INT), 1)})[{self.expr(INT, 1)}]", "KeyError"
        lines = ["try:", f"{INDENT}{name} = {risky}", f"except {error}:", f"{INDENT}{name} = {self.expr(kind, 1)}"]
        self.scope.append((name, kind))
        return lines

    def branch(self, depth: int) -> list[str]:
        lines = [f"if {self.expr(BOOL, 2)}:", *indented(self.block(2, depth - 1))]
        if self.random.random() < 0.3:
            lines += [f"elif {self.expr(BOOL, 2)}:", *indented(self.block(1, depth - 1))]
        if self.random.random() < 0.5:
            lines += ["else:", *indented(self.block(1, depth - 1))]
        return lines

    def loop(self, depth: int) -> list[str]:
        source, item = self.iterable(2)
        if source.isidentifier() or source.startswith(("reversed(", "x")) or ".items()" in source or ".keys()" in source:
            source = f"list({source})"  # the body may change what it goes through
        target, names = self.target(item)
        self.scope += names
        lines = [f"for {target} in {source}:", *indented(self.block(2, depth - 1, loop=True))]
        del self.scope[len(self.scope) - len(names) :]
        if self.random.random() < 0.2:
            lines += ["else:", *indented(self.block(1, depth - 1))]
        return lines

    def repeat(self, depth: int) -> list[str]:
        count = self.fresh("n")
        self.scope.append((count, INT))
        inside = self.block(2, depth - 1)
        self.scope.pop()
        lines = [f"{count} = {self.random.randint(1, 5)}", f"while {count} > 0" + self.one("", f" and {self.expr(BOOL, 1)}") + ":"]
        return [*lines, f"{INDENT}{count} -= 1", *indented(inside)]

    def matching(self, depth: int) -> list[str]:
        name, other = self.fresh("v"), self.fresh("v")
        both = [(name, INT), (other, INT)]
        arms = self.random.choice([
            (self.expr(INT, 2), [("0", []), (f"{name} if {name} > 3", [(name, INT)]), ("1 | 2", [])]),
            (self.expr(STR, 2), [("'a'", []), ("'b' | 'ab'", []), (name, [(name, STR)])]),
            (self.expr(Tup((INT, INT)), 2), [(f"(0, {name})", [(name, INT)]), (f"({name}, {other}) if {name} < {other}", both)]),
            (self.expr(Opt(INT), 2), [("None", []), (f"int({name})", [(name, INT)])]),
            (self.expr(Seq("list", INT), 2), [("[]", []), (f"[{name}]", [(name, INT)]), (f"[{name}, *_]", [(name, INT)])]),
        ])  # fmt: skip
        lines = [f"match {arms[0]}:"]
        for pattern, names in arms[1]:
            self.scope += names
            lines += indented([f"case {pattern}:", *indented(self.block(1, depth - 1))])
            if names:
                del self.scope[-len(names) :]
        if self.random.random() < 0.5 and pattern != name:
            lines += indented(["case _:", *indented(self.block(1, depth - 1))])
        return lines

    def closure(self, depth: int) -> list[str]:
        name, argument = self.fresh("f"), self.fresh("v")
        takes, gives = self.random.choice([(INT, INT), (INT, BOOL), (STR, INT), (INT, STR)])
        before, self.frozen = self.frozen, {each for each, _ in self.scope}
        self.scope.append((argument, takes))
        lines = [f"def {name}({argument}):", *indented(self.body(gives, 1, 0))]
        self.scope.pop()
        self.frozen = before
        result = self.fresh("x")
        self.sealed += 1
        lines.append(f"{result} = [{name}(v) for v in {self.expr(Seq('list', takes), 2)}]")
        self.sealed -= 1
        self.scope.append((result, Seq("list", gives)))
        return lines

    def tally(self, depth: int) -> list[str]:
        """A defaultdict that is filled by a loop."""
        bag, result = self.fresh("d"), self.fresh("x")
        key, (made, of, change) = (
            self.random.choice([INT, STR]),
            self.random.choice([("int", INT, "+= {}"), ("list", Seq("list", INT), ".append({})")]),
        )
        source, item = self.iterable(1)
        target, names = self.target(item)
        self.scope += names
        step = f"{bag}[{self.expr(key, 1)}]{' ' if change[0] == '+' else ''}{change.format(self.expr(INT, 1))}"
        del self.scope[len(self.scope) - len(names) :]
        self.scope.append((result, Map(key, of)))
        return [f"{bag} = defaultdict({made})", f"for {target} in {source}:", INDENT + step, f"{result} = dict({bag})"]

    def queue(self, depth: int) -> list[str]:
        """A breadth-first walk over small numbers."""
        queue, seen, at = self.fresh("q"), self.fresh("x"), self.fresh("v")
        lines = [
            f"{queue} = deque([{self.expr(INT, 1)} % 12])",
            f"{seen} = set({queue})",
            f"while {queue}:",
            f"{INDENT}{at} = {queue}.{self.one('popleft', 'pop')}()",
        ]
        steps = self.within([(at, INT)], Seq("tuple", INT), 1)
        lines += indented([f"for step in {steps}:", f"{INDENT}to = ({at} + step) % 12", f"{INDENT}if to not in {seen}:"])
        lines += [f"{INDENT * 3}{seen}.add(to)", f"{INDENT * 3}{queue}.append{self.one('', 'left')}(to)"]
        self.scope.append((seen, Bag("set", INT)))
        return lines
