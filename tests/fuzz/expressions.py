"""Random expressions, one family of productions a kind."""

from collections.abc import Callable
from random import Random

from .kinds import BOOL, COMPLEX, FLOAT, FRACTION, INT, STR, Any, Bag, Kind, Map, Member, Opt, Rec, Seq, Tup, local

LIST = Seq("list", INT)
Production = Callable[["Expressions", Any, int], str]


class Expressions:
    """Writes expressions of a wanted kind from what is in scope.

    In a `careful` program indices are guarded and divisors are not zero, so that it runs without raising; otherwise anything goes.
    """

    def __init__(self, random: Random, careful: bool) -> None:
        self.random, self.careful = random, careful
        self.scope: list[tuple[str, Any]] = []  # expressions for what can be read, innermost last
        self.functions: list[tuple[str, tuple[Any, ...], Any]] = []
        self.generators: list[tuple[str, tuple[Any, ...], Any]] = []  # they yield the last kind
        self.records: list[Rec] = []
        self.enums: list[Member] = []
        self.names = 0
        self.sealed = 0  # above 0 where Python allows no `:=`: what a comprehension goes through

    def fresh(self, letter: str = "v") -> str:
        self.names += 1
        return f"{letter}{self.names}"

    def one(self, *texts: str) -> str:
        return self.random.choice(texts)

    def known(self, kind: Any) -> list[str]:
        """Everything in scope of this kind, fields and items included."""
        found = []
        for name, has in self.scope:
            if has == kind:
                found.append(name)
            if isinstance(has, Rec):
                found += [f"{name}.{field}" for field, of in has.fields if of == kind]
            if isinstance(has, Tup):
                found += [f"{name}[{i}]" for i, of in enumerate(has.items) if of == kind]
        return found

    def expr(self, kind: Any, depth: int = 3) -> str:
        """An expression of the kind."""
        known = self.known(kind)
        if known and self.random.random() < (0.35 if depth > 0 else 0.9):
            return self.random.choice(known[-12:])
        if depth <= 0:
            return self.leaf(kind)
        if self.random.random() < 0.08:
            return f"({self.expr(kind, depth - 1)} if {self.expr(BOOL, depth - 1)} else {self.expr(kind, depth - 1)})"
        calls = [f for f in self.functions if f[2] == kind]
        if calls and self.random.random() < 0.25:
            name, takes, _ = self.random.choice(calls)
            return f"{name}({', '.join(self.expr(k, depth - 1) for k in takes)})"
        return self.random.choice(productions(kind))(self, kind, depth - 1)

    def leaf(self, kind: Any) -> str:
        """A constant, or the smallest thing of the kind."""
        r = self.random
        match kind:
            case Kind("int"):
                return str(
                    r.choice([0, 1, 1, 2, 2, 3, 5, 7, 10, 31, 64, -1, -3, -8])
                    if self.careful or r.random() < 0.9
                    else r.choice([2**31, 2**62, 2**63 - 1, -(2**63), 2**64, 10**20])
                )
            case Kind("bool"):
                ints = self.known(INT)
                if ints and r.random() < 0.8:
                    return f"({r.choice(ints)} {self.one('<', '>', '==', '!=')} {r.randint(0, 4)})"
                return self.one("True", "False")
            case Kind("float"):
                if not self.careful and r.random() < 0.15:
                    return self.one("1e16", "9007199254740993.0", "1e308", "float('inf')", "float('nan')", "-0.0")
                return self.one("0.5", "1.0", "2.25", "-0.75", "0.1", "1e3")
            case Kind("complex"):
                return self.one("0j", "1j", "(1+2j)", "complex(2, -1)", "(-1+0j)", "(0.5-0.25j)")
            case Kind("Fraction"):
                return self.one("Fraction(1, 2)", "Fraction(0)", "Fraction(-2, 3)", "Fraction(7, 4)", "Fraction(5)")
            case Kind("str"):
                return repr(r.choice(["", "a", "b", "ab", "xyz", "a-b", "hello", "0", "7"]))
            case Tup(items):
                return "(" + "".join(self.expr(k, 0) + ", " for k in items) + ")"
            case Seq(form, item):
                items = [self.expr(item, 0) for _ in range(r.randint(0, 3))]
                return "[" + ", ".join(items) + "]" if form == "list" else "(" + "".join(i + ", " for i in items) + ")"
            case Bag(form, item):
                items = [self.expr(item, 0) for _ in range(r.randint(0, 3))]
                inner = "{" + ", ".join(items) + "}" if items else ""
                return f"{form}({inner})" if form == "frozenset" or not items else inner
            case Map(key, value):
                return "{" + ", ".join(f"{self.expr(key, 0)}: {self.expr(value, 0)}" for _ in range(r.randint(0, 3))) + "}"
            case Opt(item):
                return self.one("None", self.expr(item, 0))
            case Rec(name, _, fields):
                return f"{name}({', '.join(self.expr(k, 0) for _, k in fields)})"
            case Member(name, members):
                return f"{name}.{r.choice(members)}"
        raise AssertionError(kind)

    def within(self, variables: list[tuple[str, Any]], kind: Any, depth: int) -> str:
        """An expression that may use further variables."""
        self.scope += variables
        text = self.expr(kind, depth)
        del self.scope[len(self.scope) - len(variables) :]
        return text

    def iterable(self, depth: int) -> tuple[str, Any]:
        """Something to iterate over in a fixed order, and the kind of its items."""
        r = self.random.random()
        if r < 0.3:
            return self.one(
                f"range({self.random.randint(0, 5)})",
                f"range(1, {self.random.randint(1, 6)})",
                "range(4, -1, -1)",
                f"range({self.expr(INT, 0)} % 5)",
                "range(0, 9, 3)",
            ), INT
        if r < 0.4:
            return self.expr(STR, depth), STR
        if r < 0.5:
            item = self.random.choice([INT, STR])
            return f"enumerate({self.expr(Seq('list', item), depth)})", Tup((INT, item))
        if r < 0.58:
            return f"zip({self.expr(Seq('list', INT), depth)}, {self.expr(STR, depth)})", Tup((INT, STR))
        if r < 0.66:
            return f"sorted({self.expr(Bag('set', INT), depth)})", INT
        if r < 0.72:
            return f"{self.expr(Map(STR, INT), depth)}.items()", Tup((STR, INT))
        if r < 0.78:
            return self.one(
                f"product(range({self.random.randint(1, 3)}), repeat=2)",
                f"combinations(range({self.random.randint(1, 4)}), 2)",
                "permutations((0, 1, 2), 2)",
            ), Tup((INT, INT))
        if r < 0.81:
            return self.one(f"{self.expr(Bag('set', INT), depth)}", f"{self.expr(Map(INT, STR), depth)}.keys()"), INT
        if r < 0.84:
            return f"reversed({self.expr(Seq('list', INT), depth)})", INT
        if self.generators and r < 0.92:
            name, takes, gives = self.random.choice(self.generators)
            return f"{name}({', '.join(self.expr(k, 0) for k in takes)})", gives
        item = self.random.choice([INT, INT, STR, Tup((INT, INT))])
        return self.expr(Seq(self.one("list", "tuple"), item), depth), item

    def target(self, kind: Any) -> tuple[str, list[tuple[str, Any]]]:
        """A loop's target for items of a kind, perhaps unpacked."""
        if isinstance(kind, Tup) and len(kind.items) > 1 and self.random.random() < 0.7:
            names = [self.fresh() for _ in kind.items]
            return ", ".join(names), list(zip(names, kind.items, strict=True))
        name = self.fresh()
        return name, [(name, kind)]

    def clauses(self, depth: int) -> tuple[str, list[tuple[str, Any]]]:
        """`for … in … if …` of a comprehension, and what it binds."""
        text, bound = "", []
        for _ in range(self.random.choice([1, 1, 1, 2])):
            self.scope += bound
            self.sealed += 1
            source, item = self.iterable(min(depth, 1))
            self.sealed -= 1
            if bound:
                del self.scope[-len(bound) :]
            target, names = self.target(item)
            bound = bound + names
            text += f" for {target} in {source}"
            if self.random.random() < 0.35:
                text += f" if {self.within(bound, BOOL, min(depth, 1))}"
        return text, bound

    def comprehension(self, kind: Any, depth: int) -> str:
        """`value for … in … if …`."""
        text, bound = self.clauses(depth)
        return self.within(bound, kind, min(depth, 1)) + text

    def divisor(self, depth: int) -> str:
        if not self.careful and self.random.random() < 0.3:
            return f"({self.expr(INT, depth)})"
        return self.one("2", "3", "5", "7", "-3", f"(abs({self.expr(INT, depth)}) + 1)")

    def index(self, text: str, empty: str, depth: int) -> str:
        """An item of a sequence."""
        if not self.careful and self.random.random() < 0.3:
            return f"{text}[{self.expr(INT, depth)}]"
        name = self.fresh("w")
        item = f"{name}[{self.expr(INT, depth)} % len({name})]"
        if self.sealed:
            return f"(lambda {name}: {item} if {name} else {empty})({text})"
        return f"({item} if ({name} := {text}) else {empty})"

    def mapping(self, takes: Any, gives: Any, depth: int) -> str:
        """A lambda."""
        name = self.fresh()
        return f"lambda {name}: {self.within([(name, takes)], gives, depth)}"


def productions(kind: Any) -> list[Production]:
    """The ways to make something of a kind."""
    match kind:
        case Kind(name):
            return ATOMS[name]
        case Tup():
            return TUPLES
        case Seq():
            return SEQUENCES
        case Bag():
            return BAGS
        case Map():
            return MAPS
        case Opt():
            return OPTIONS
        case Rec():
            return RECORDS
        case _:
            return [lambda g, k, d: g.leaf(k), lambda g, k, d: f"list({k.name})[{g.expr(INT, d)} % {len(k.members)}]"]


def shift(g: Expressions, depth: int) -> str:
    return g.one("1", "2", "7", "31") if g.careful or g.random.random() < 0.5 else g.one("63", "64", "70", f"({g.expr(INT, depth)})")


def folded(g: Expressions, depth: int) -> str:
    a, b = g.fresh(), g.fresh()
    step = g.within([(a, INT), (b, INT)], INT, min(depth, 1))
    return f"reduce(lambda {a}, {b}: {step} % 1009, {g.expr(LIST, depth)}, {g.leaf(INT)})"


def from_record(g: Expressions, kind: Any, depth: int) -> str:
    """A field of a fresh record, or the kind itself where no record has one."""
    having = [(rec, name) for rec in g.records for name, of in rec.fields if of == kind]
    if not having:
        return g.leaf(kind)
    rec, name = g.random.choice(having)
    return f"{g.expr(rec, depth)}.{name}"


INTS: list[Production] = [
    lambda g, k, d: f"({g.expr(INT, d)} {g.one('+', '-', '+', '-', '*')} {g.expr(INT, d)})",
    lambda g, k, d: f"({g.expr(INT, d)} + {g.expr(INT, d)}) % {g.divisor(0)}",
    lambda g, k, d: f"({g.expr(INT, d)} {g.one('//', '%')} {g.divisor(d)})",
    lambda g, k, d: f"({g.expr(INT, d)} {g.one('&', '|', '^')} {g.expr(INT, d)})",
    lambda g, k, d: f"({g.expr(INT, d)} {g.one('<<', '>>')} {shift(g, d)})",
    lambda g, k, d: f"{g.one('-', '~', 'abs')}({g.expr(INT, d)})",
    lambda g, k, d: f"{g.one('min', 'max')}({g.expr(INT, d)}, {g.expr(INT, d)})",
    lambda g, k, d: f"len({g.expr(g.random.choice([Seq('list', INT), Seq('tuple', STR), STR, Bag('set', INT), Map(STR, INT)]), d)})",
    lambda g, k, d: f"sum({g.expr(Seq(g.one('list', 'tuple'), INT), d)})",
    lambda g, k, d: f"sum({g.comprehension(g.random.choice([INT, BOOL]), d)})",
    lambda g, k, d: f"{g.one('min', 'max')}(({g.comprehension(INT, d)}), default={g.leaf(INT)})",
    lambda g, k, d: f"next(({g.comprehension(INT, d)}), {g.leaf(INT)})",
    lambda g, k, d: f"{g.expr(Seq(g.one('list', 'tuple'), INT), d)}.count({g.expr(INT, d)})",
    lambda g, k, d: g.index(g.expr(Seq(g.one("list", "tuple"), INT), d), g.leaf(INT), d),
    lambda g, k, d: f"{g.expr(Map(STR, INT), d)}.get({g.expr(STR, d)}, {g.leaf(INT)})",
    lambda g, k, d: f"{g.expr(Map(INT, INT), d)}.get({g.expr(INT, d)}, {g.leaf(INT)})",
    lambda g, k, d: f"int({g.expr(BOOL, d)})",
    lambda g, k, d: f"int({g.expr(FLOAT, d)})",
    lambda g, k, d: f"int(str({g.expr(INT, d)}))",
    lambda g, k, d: f"{g.expr(STR, d)}.{g.one('count', 'find')}({g.leaf(STR)})",
    lambda g, k, d: f"{'round' if g.random.random() < 0.5 else 'math.floor'}({g.expr(FLOAT, d)})",
    lambda g, k, d: f"divmod({g.expr(INT, d)}, {g.divisor(d)})[{g.one('0', '1')}]",
    lambda g, k, d: (
        f"pow({g.expr(INT, d)}, {g.one('2', '3')})"
        if g.random.random() < 0.6
        else f"pow({g.expr(INT, d)}, {g.one('2', '5')}, {g.one('7', '11')})"
    ),
    lambda g, k, d: f"({g.expr(INT, d)}) ** {g.one('2', '3') if g.careful else g.one('2', '3', '20')}",
    lambda g, k, d: f"math.gcd({g.expr(INT, d)}, {g.expr(INT, d)})",
    lambda g, k, d: f"math.isqrt(abs({g.expr(INT, d)}))",
    lambda g, k, d: f"({g.expr(INT, d)}).{g.one('bit_length', 'bit_count')}()",
    lambda g, k, d: f"({g.mapping(INT, INT, d)})({g.expr(INT, d)})",
    lambda g, k, d: folded(g, d),
    lambda g, k, d: f"len(list(groupby({g.expr(STR, d)})))",
    lambda g, k, d: f"Counter({g.expr(STR, d)})[{g.leaf(STR)}]",
    lambda g, k, d: f"list(accumulate([1, *{g.expr(Seq('list', INT), d)}]))[-1]",
    lambda g, k, d: f"ord({g.index(g.expr(STR, d), repr('q'), d)})",
    lambda g, k, d: from_record(g, INT, d),
    lambda g, k, d: daring(g, d),
    lambda g, k, d: of_member(g, d),
    lambda g, k, d: optional(g, INT, d),
    lambda g, k, d: walked(g, d),
    lambda g, k, d: f"{g.one('int', 'math.floor', 'math.ceil', 'round')}({g.expr(FRACTION, d)})",
    lambda g, k, d: f"({g.expr(FRACTION, d)}).{g.one('numerator', 'denominator')}",
    lambda g, k, d: f"int(({g.expr(COMPLEX, d)}).{g.one('real', 'imag')})",
    lambda g, k, d: unordered(g, d),
    lambda g, k, d: f"sum((+Counter({g.expr(STR, d)}) - Counter({g.expr(STR, d)})).values())",
    lambda g, k, d: f"sum(deque({g.expr(LIST, d)}, maxlen={g.one('1', '2', '5')}))",
    lambda g, k, d: f"{g.one('len', 'sum')}({g.expr(Map(INT, INT), d)}.keys() {g.one('|', '&', '-', '^')} {g.expr(Bag('set', INT), d)})",
    lambda g, k, d: chosen_field(g, d),
]


def unordered(g: Expressions, depth: int) -> str:
    """A number from a set, which may depend on the order of its items."""
    items, name = g.expr(Bag(g.one("set", "frozenset"), INT), depth), g.fresh()
    step = g.within([(name, INT)], INT, min(depth, 1))
    return g.one(
        f"sum({step} for {name} in {items})",
        f"{g.one('min', 'max')}({items}, key=lambda {name}: {step}, default=0)",
        f"next(({name} for {name} in {items} if {g.within([(name, INT)], BOOL, 0)}), -1)",
        f"sorted([*{items}, 0], key=lambda {name}: {step})[0]",
        f"[*{items}, 4][{g.one('0', '-1')}]",
        f"len([{name} for {name} in {items} if {g.within([(name, INT)], BOOL, 0)}])",
        f"{{{name}: {step} for {name} in {items}}}.get({g.expr(INT, 0)}, 0)",
    )


def chosen_field(g: Expressions, depth: int) -> str:
    """A field of a record whose name is chosen in play."""
    having = [(rec, [name for name, of in rec.fields if of == INT]) for rec in g.records]
    having = [(rec, names) for rec, names in having if names]
    if not having:
        return g.leaf(INT)
    rec, names = g.random.choice(having)
    return f"getattr({g.expr(rec, depth)}, {names!r}[{g.expr(INT, depth)} % {len(names)}])"


def daring(g: Expressions, depth: int) -> str:
    """Numbers where machine words differ from Python's."""
    number = g.expr(INT, depth)
    if g.careful:
        return f"({number} + {g.expr(INT, depth)})"
    made = [
        f"2 ** ({number} % 140 - 4)",
        f"abs(-2 ** 63 + {number})",
        f"({number} - 2 ** 63)",
        f"({number} * 3 ** 39)",
        f"int({g.expr(FLOAT, depth)} * 1e17)",
    ]
    made += [f"(({number} + 2 ** 53) == ({number} + 9007199254740992.0))", f"-({number}) // -1", f"({number} << {number})"]
    return g.one(*made[:-1]) if g.random.random() < 0.9 else f"(1 << ({number} % 200))"


def of_member(g: Expressions, depth: int) -> str:
    """A number that an Enum member or a record knows."""
    if g.enums and g.random.random() < 0.5:
        return f"{g.expr(g.random.choice(g.enums), depth)}.{g.one('value', 'weight')}"
    plain = [rec for rec in g.records if rec.name != "S"]
    return f"({g.expr(plain[0], depth)} + {g.expr(plain[0], depth)}).size" if plain else g.expr(INT, depth)


def optional(g: Expressions, kind: Any, depth: int) -> str:
    name = g.fresh("w")
    if g.sealed:
        return f"(lambda {name}: {g.leaf(kind)} if {name} is None else {name})({g.expr(Opt(kind), depth)})"
    return f"({g.leaf(kind)} if ({name} := {g.expr(Opt(kind), depth)}) is None else {name})"


BOOLS: list[Production] = [
    lambda g, k, d: f"({g.expr(INT, d)} {g.one('<', '<=', '==', '!=', '>', '>=')} {g.expr(INT, d)})",
    lambda g, k, d: f"({g.expr(INT, d)} {g.one('<', '<=')} {g.expr(INT, d)} {g.one('<', '<=', '!=')} {g.expr(INT, d)})",
    lambda g, k, d: f"({g.expr(BOOL, d)} {g.one('and', 'or')} {g.expr(BOOL, d)})",
    lambda g, k, d: f"(not {g.expr(g.random.choice([BOOL, INT, STR, Seq('list', INT)]), d)})",
    lambda g, k, d: same(g, local(g.random), d),
    lambda g, k, d: f"({g.expr(STR, d)} {g.one('<', '==', '!=', 'in', 'not in')} {g.expr(STR, d)})",
    lambda g, k, d: f"({g.expr(INT, d)} {g.one('in', 'not in')} {g.expr(g.random.choice([LIST, Bag('set', INT), Map(INT, INT)]), d)})",
    lambda g, k, d: f"({g.expr(STR, d)} {g.one('in', 'not in')} {g.expr(Seq('tuple', STR), d)})",
    lambda g, k, d: f"{g.one('any', 'all')}({g.comprehension(BOOL, d)})",
    lambda g, k, d: f"{g.expr(STR, d)}.{g.one('startswith', 'endswith')}({g.leaf(STR)})",
    lambda g, k, d: f"{g.expr(STR, d)}.{g.one('isdigit', 'isupper', 'islower', 'isalpha')}()",
    lambda g, k, d: f"({g.expr(Bag('set', INT), d)} {g.one('<=', '<', '>=', '==')} {g.expr(Bag('set', INT), d)})",
    lambda g, k, d: f"{g.expr(Bag('set', INT), d)}.{g.one('isdisjoint', 'issubset')}({g.expr(Bag('set', INT), d)})",
    lambda g, k, d: f"({g.expr(Opt(g.random.choice([INT, STR, Tup((INT, INT))])), d)} {g.one('is', 'is not')} None)",
    lambda g, k, d: f"isinstance({g.expr(Opt(INT), d)}, int)",
    lambda g, k, d: f"({g.expr(FLOAT, d)} {g.one('<', '>=', '==')} {g.expr(g.random.choice([FLOAT, INT]), d)})",
    lambda g, k, d: f"({g.expr(Tup((INT, INT)), d)} {g.one('<', '==', '>=')} {g.expr(Tup((INT, INT)), d)})",
    lambda g, k, d: f"bool({g.expr(g.random.choice([INT, STR, FLOAT, Opt(INT), Seq('list', INT), Bag('set', INT)]), d)})",
    lambda g, k, d: f"({mixture(g, d)} {g.one('is', 'is not')} {g.one('None', 'True', 'False')})",
    lambda g, k, d: f"({mixture(g, d)} {g.one('==', '!=')} {g.one('None', 'True', '1', '0', g.leaf(STR), g.expr(INT, d))})",
    lambda g, k, d: f"({g.expr(COMPLEX, d)} {g.one('==', '!=')} {g.expr(g.random.choice([COMPLEX, INT, FLOAT]), d)})",
    lambda g, k, d: f"({g.expr(FRACTION, d)} {g.one('<', '<=', '==', '!=', '>')} {g.expr(g.random.choice([FRACTION, INT]), d)})",
    lambda g, k, d: f"({g.expr(COMPLEX, d)} in {g.expr(g.random.choice([Seq('list', COMPLEX), Bag('set', COMPLEX)]), d)})",
    lambda g, k, d: f"bool({g.expr(g.random.choice([COMPLEX, FRACTION]), d)})",
    lambda g, k, d: f"({g.expr(Map(INT, INT), d)}.keys() {g.one('==', '<=', '>')} {g.expr(Bag('set', INT), d)})",
    lambda g, k, d: f"({g.expr(Map(STR, INT), d)}.items() {g.one('==', '>=')} {g.expr(Map(STR, INT), d)}.items())",
    lambda g, k, d: f"any(map({g.leaf(STR)}.__eq__, {g.expr(STR, d)}))",
    lambda g, k, d: members(g, d),
]


def members(g: Expressions, depth: int) -> str:
    """A question about a set of Enum members."""
    if not g.enums:
        return g.leaf(BOOL)
    kind = g.random.choice(g.enums)
    one, two, three = (g.expr(kind, depth) for _ in range(3))
    return g.one(f"({one} in {{{two}, {three}}})", f"({{{one}, {two}}} {g.one('==', '<=')} frozenset([{three}, {kind.name}.A]))")


def mixture(g: Expressions, depth: int) -> str:
    """One of several kinds of things."""
    one, other = (g.expr(g.random.choice([BOOL, INT, INT, STR, FLOAT, Opt(INT), Tup((INT, INT))]), depth) for _ in range(2))
    if g.random.random() < 0.3:
        return f"[True, 0, None, {g.leaf(STR)}, 1, False, (1, 2)][{g.expr(INT, depth)} % 7]"
    return f"({one} if {g.expr(BOOL, depth)} else {other})"


def same(g: Expressions, kind: Any, depth: int) -> str:
    return f"({g.expr(kind, depth)} {g.one('==', '!=')} {g.expr(kind, depth)})"


FLOATS: list[Production] = [
    lambda g, k, d: f"({g.expr(FLOAT, d)} {g.one('+', '-', '*')} {g.expr(g.random.choice([FLOAT, INT]), d)})",
    lambda g, k, d: f"({g.expr(g.random.choice([INT, FLOAT]), d)} / {g.one('2', '3', '7.5') if g.careful else g.divisor(d)})",
    lambda g, k, d: f"float({g.expr(g.random.choice([INT, BOOL]), d)})",
    lambda g, k, d: f"math.sqrt(abs({g.expr(FLOAT, d)}))",
    lambda g, k, d: f"{g.one('min', 'max')}({g.expr(FLOAT, d)}, {g.expr(FLOAT, d)})",
    lambda g, k, d: f"{g.one('abs', '-')}({g.expr(FLOAT, d)})",
    lambda g, k, d: f"sum(({g.comprehension(FLOAT, d)}), 0.0)",
    lambda g, k, d: f"{g.one('sum', 'math.fsum')}([{g.expr(FLOAT, d)}, {g.expr(INT, d)}, {g.expr(FLOAT, d)}])",
    lambda g, k, d: f"({g.expr(FLOAT, d)} {g.one('//', '%')} {g.one('2', '0.5', '-3')})",
    lambda g, k, d: f"round({g.expr(FLOAT, d)}, 2)",
    lambda g, k, d: f"abs({g.expr(COMPLEX, d)})",
    lambda g, k, d: f"({g.expr(COMPLEX, d)}).{g.one('real', 'imag')}",
    lambda g, k, d: f"float({g.expr(FRACTION, d)})",
    lambda g, k, d: f"({g.expr(FRACTION, d)} {g.one('+', '*', '-')} {g.expr(FLOAT, d)})",
]


STRINGS: list[Production] = [
    lambda g, k, d: f"({g.expr(STR, d)} + {g.expr(STR, d)})",
    lambda g, k, d: f"({g.expr(STR, d)} * {g.one('2', '0', '-1')})",
    lambda g, k, d: f"{g.expr(STR, d)}[{slicing(g, d)}]",
    lambda g, k, d: g.index(g.expr(STR, d), repr("?"), d),
    lambda g, k, d: f"{g.leaf(STR)}.join({g.expr(Seq('list', STR), d)})",
    lambda g, k, d: f"{g.leaf(STR)}.join({g.comprehension(STR, d)})",
    lambda g, k, d: f"{g.expr(STR, d)}.replace({g.one(repr('a'), repr('b'), repr('-'), repr('ab'))}, {g.leaf(STR)})",
    lambda g, k, d: f"str({g.expr(g.random.choice([INT, BOOL]), d)})",
    lambda g, k, d: f"str({g.expr(BOOL, d)} {g.one('and', 'or')} {g.expr(INT, d)})",
    lambda g, k, d: f"{g.one('hex', 'oct')}({g.expr(INT, d)})",
    lambda g, k, d: 'f"{' + g.expr(INT, 0).replace('"', "'") + "}" + g.one("", "-", ":") + "{" + g.expr(STR, 0).replace('"', "'") + '}"',
    lambda g, k, d: f"{g.expr(STR, d)}.{g.one('upper', 'lower', 'strip')}()",
    lambda g, k, d: f"chr(97 + {g.expr(INT, d)} % 26)",
    lambda g, k, d: f"''.join(sorted({g.expr(STR, d)}))",
    lambda g, k, d: f"{g.expr(STR, d)}.split({g.one(repr('-'), repr('a'), repr('b'))})[{g.one('0', '-1')}]",
    lambda g, k, d: f"{g.one('min', 'max')}({g.expr(STR, d)}, {g.expr(STR, d)})",
    lambda g, k, d: optional(g, STR, d),
    lambda g, k, d: from_record(g, STR, d),
]


def slicing(g: Expressions, depth: int) -> str:
    bound = g.expr(INT, min(depth, 1))
    return g.one(f":{bound}", f"{bound}:", "::-1", "1:", ":-1", f"{bound}:{bound} + 2", "::2", "-2:", "1::2")


COMPLEXES: list[Production] = [
    lambda g, k, d: f"({g.expr(COMPLEX, d)} {g.one('+', '-', '*')} {g.expr(g.random.choice([COMPLEX, COMPLEX, INT, FLOAT]), d)})",
    lambda g, k, d: f"({g.expr(g.random.choice([INT, FLOAT]), d)} {g.one('+', '-', '*')} {g.expr(COMPLEX, d)})",
    lambda g, k, d: f"({g.expr(COMPLEX, d)} / {g.one('2', '1j', '(1-1j)', '0.5')})",
    lambda g, k, d: f"complex({g.expr(g.random.choice([INT, FLOAT]), d)} % 9, {g.expr(INT, d)} % 9)",
    lambda g, k, d: f"(-{g.expr(COMPLEX, d)})",
    lambda g, k, d: f"({g.expr(COMPLEX, d)}).conjugate()",
    lambda g, k, d: f"(1j ** ({g.expr(INT, d)} % 8))",
    lambda g, k, d: f"sum([{g.expr(COMPLEX, d)}, {g.expr(INT, d)} % 5, {g.expr(COMPLEX, d)}])",
    lambda g, k, d: f"[1, 1j, -1, -1j][{g.expr(INT, d)} % 4] * {g.expr(COMPLEX, d)}",
]


FRACTIONS: list[Production] = [
    lambda g, k, d: f"({g.expr(FRACTION, d)} {g.one('+', '-', '*')} {g.expr(g.random.choice([FRACTION, FRACTION, INT]), d)})",
    lambda g, k, d: f"({g.expr(INT, d)} {g.one('+', '-', '*')} {g.expr(FRACTION, d)})",
    lambda g, k, d: f"({g.expr(FRACTION, d)} / {g.one('2', '-3', 'Fraction(2, 5)') if g.careful else g.divisor(d)})",
    lambda g, k, d: f"Fraction({g.expr(INT, d)}, {g.divisor(d)})",
    lambda g, k, d: f"{g.one('abs', '-')}({g.expr(FRACTION, d)})",
    lambda g, k, d: f"{g.one('min', 'max')}({g.expr(FRACTION, d)}, {g.expr(FRACTION, d)})",
    lambda g, k, d: f"({g.expr(FRACTION, d)} % {g.one('2', 'Fraction(3, 4)', '-1')})",
    lambda g, k, d: f"sum([{g.expr(FRACTION, d)}, {g.expr(INT, d)}, {g.expr(FRACTION, d)}], Fraction(0))",
]


def walked(g: Expressions, depth: int) -> str:
    """A number from iterators, some without an end."""
    ints, least = g.expr(LIST, depth), g.expr(INT, min(depth, 1))
    made = [
        f"sum(a * b for a, b in zip(count({least} % 9), {ints}))",
        f"sum(a - b for a, b in zip({ints}, cycle((1, 2, {least}))))",
        f"sum(islice(count({least} % 9, 2), {least} % 4))",
        f"next(dropwhile(lambda i: i * i < abs({least}) % 99, count()))",
        f"sum(takewhile(lambda i: i < abs({least}) % 20, (3 * j for j in count(1))))",
        f"sum(filterfalse(lambda i: i % 2, {ints}))",
        f"sum(a * b for a, b in zip(*[iter({ints})] * 2))",
        f"sum(map(operator.mul, {ints}, repeat({least} % 7)))",
        f"sum(b - a for a, b in pairwise({ints}))",
        f"sum(starmap(operator.sub, enumerate({ints})))",
    ]
    return g.one(*made)


ATOMS = {"int": INTS, "bool": BOOLS, "float": FLOATS, "str": STRINGS, "complex": COMPLEXES, "Fraction": FRACTIONS}


def bracketed(g: Expressions, kind: Seq, inner: str) -> str:
    """A comprehension or unpacking as the sequence that is wanted."""
    if kind.form == "list":
        return g.one(f"[{inner}]", f"list({inner})")
    return f"tuple({inner})"


def sorting(g: Expressions, kind: Any, depth: int) -> str:
    if kind.item == COMPLEX or isinstance(kind.item, (Opt, Member)) or (isinstance(kind.item, Rec) and kind.item.form == "data"):
        return g.expr(kind, depth)
    if isinstance(kind.item, Tup) and any(isinstance(of, (Opt, Member, Bag, Rec)) for of in kind.item.items):
        return g.expr(kind, depth)
    if isinstance(kind.item, (Bag, Map)) or (isinstance(kind.item, Seq) and kind.item.item not in (INT, STR)):
        return g.expr(kind, depth)
    key = g.one("", f", key={g.mapping(kind.item, INT, min(depth, 1))}", ", reverse=True")
    text = f"sorted({g.expr(kind, depth)}{key})"
    return text if kind.form == "list" else f"tuple({text})"


def spliced(g: Expressions, kind: Any, depth: int) -> str:
    inner = f"*{g.expr(kind, depth)}, {g.expr(kind.item, depth)}"
    return f"[{inner}]" if kind.form == "list" else f"({inner},)"


def mapped(g: Expressions, kind: Any, depth: int) -> str:
    source, item = g.iterable(depth)
    return f"{kind.form}(map({g.mapping(item, kind.item, min(depth, 1))}, {source}))"


def filtered(g: Expressions, kind: Any, depth: int) -> str:
    return f"{kind.form}(filter({g.mapping(kind.item, BOOL, min(depth, 1))}, {g.expr(kind, depth)}))"


def generated(g: Expressions, kind: Any, depth: int) -> str:
    fitting = [f for f in g.generators if f[2] == kind.item]
    if not fitting:
        return bracketed(g, kind, g.comprehension(kind.item, depth))
    name, takes, _ = g.random.choice(fitting)
    return f"{kind.form}({name}({', '.join(g.expr(k, 0) for k in takes)}))"


def special(g: Expressions, kind: Any, depth: int) -> str:
    """What only sequences of ints and strings have."""
    ints, bag = g.expr(LIST, depth), g.expr(Bag("set", INT), depth)
    if kind.item == INT:
        made = ["range(4)", "range(5, 0, -2)", f"accumulate({ints})", f"chain({ints}, range(2))", f"islice({ints}, 2)"]
        made += [f"map(len, {g.expr(Seq('list', STR), depth)})", f"sorted({bag})", f"deque({ints}, maxlen=2)", f"repeat({g.leaf(INT)}, 2)"]
        return f"{kind.form}({g.one(*made)})"
    if kind.item == STR:
        word = g.expr(STR, depth)
        text = g.one(f"{word}.split('-')", f"list({word})", f"{word}.split()", f"{word}.split('a')")
        return text if kind.form == "list" else f"tuple({text})"
    if kind.item == Tup((INT, INT)):
        made = [f"zip({ints}, {ints})", "product(range(2), repeat=2)", f"enumerate({ints})", f"combinations({ints}, 2)"]
        return f"{kind.form}({g.one(*made)})"
    return g.leaf(kind)


SEQUENCES: list[Production] = [
    lambda g, k, d: g.leaf(k),
    lambda g, k, d: bracketed(g, k, g.comprehension(k.item, d)),
    lambda g, k, d: bracketed(g, k, g.comprehension(k.item, d)),
    lambda g, k, d: f"({g.expr(k, d)} + {g.expr(k, d)})",
    lambda g, k, d: f"{g.expr(k, d)}[{slicing(g, d)}]",
    lambda g, k, d: f"({g.expr(k, d)} * {g.one('2', '0', '1')})",
    sorting,
    spliced,
    mapped,
    filtered,
    generated,
    special,
    special,
    lambda g, k, d: f"{k.form}(reversed({g.expr(k, d)}))",
    lambda g, k, d: f"{k.form}({g.expr(Seq('list' if k.form == 'tuple' else 'tuple', k.item), d)})",
    lambda g, k, d: f"({g.expr(k, d)} or {g.leaf(k)})",
]

BAGS: list[Production] = [
    lambda g, k, d: g.leaf(k),
    lambda g, k, d: f"({g.expr(k, d)} {g.one('|', '&', '-', '^')} {g.expr(k, d)})",
    lambda g, k, d: f"{k.form}({g.expr(Seq('list', k.item), d)})",
    lambda g, k, d: f"{{{g.comprehension(k.item, d)}}}" if k.form == "set" else f"frozenset({g.comprehension(k.item, d)})",
    lambda g, k, d: f"{g.expr(k, d)}.{g.one('union', 'intersection', 'difference')}({g.expr(k, d)})",
]

MAPS: list[Production] = [
    lambda g, k, d: g.leaf(k),
    lambda g, k, d: pairs(g, k, d),
    lambda g, k, d: f"dict(zip({g.expr(Seq('list', k.key), d)}, {g.expr(Seq('list', k.value), d)}))",
    lambda g, k, d: f"{{**{g.expr(k, d)}, {g.expr(k.key, d)}: {g.expr(k.value, d)}}}",
    lambda g, k, d: f"dict(Counter({g.expr(Seq('list', k.key), d)}))" if k.value == INT else g.leaf(k),
]


def pairs(g: Expressions, kind: Any, depth: int) -> str:
    text, bound = g.clauses(depth)
    return f"{{{g.within(bound, kind.key, min(depth, 1))}: {g.within(bound, kind.value, min(depth, 1))}{text}}}"


OPTIONS: list[Production] = [
    lambda g, k, d: g.leaf(k),
    lambda g, k, d: f"({g.expr(k.item, d)} if {g.expr(BOOL, d)} else None)",
    lambda g, k, d: f"next(({g.comprehension(k.item, d)}), None)",
    lambda g, k, d: f"{g.expr(Map(STR, k.item), d)}.get({g.expr(STR, d)})",
    lambda g, k, d: f"{g.expr(Map(INT, k.item), d)}.get({g.expr(INT, d)})",
]

TUPLES: list[Production] = [
    lambda g, k, d: "(" + "".join(g.expr(item, d) + ", " for item in k.items) + ")",
    lambda g, k, d: "(" + "".join(g.expr(item, d) + ", " for item in k.items) + ")",
    lambda g, k, d: f"divmod({g.expr(INT, d)}, {g.divisor(d)})" if k == Tup((INT, INT)) else g.leaf(k),
    lambda g, k, d: f"{g.one('min', 'max')}({g.expr(k, d)}, {g.expr(k, d)})" if k == Tup((INT, INT)) else g.leaf(k),
    lambda g, k, d: f"tuple(map(abs, {g.expr(k, d)}))" if k == Tup((INT, INT)) else g.leaf(k),
]

RECORDS: list[Production] = [
    lambda g, k, d: f"{k.name}({', '.join(g.expr(of, d) for _, of in k.fields)})",
    lambda g, k, d: changed(g, k, d),
]


def changed(g: Expressions, kind: Any, depth: int) -> str:
    name, of = g.random.choice(kind.fields)
    whole, value = g.expr(kind, depth), g.expr(of, depth)
    return f"{whole}._replace({name}={value})" if kind.form == "named" else f"replace({whole}, {name}={value})"
