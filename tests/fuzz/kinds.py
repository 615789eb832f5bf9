"""The types of the grammar: what an expression gives."""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Kind:
    """An atom: int, bool, float, str, complex or Fraction."""

    name: str


INT, BOOL, FLOAT, STR = Kind("int"), Kind("bool"), Kind("float"), Kind("str")
COMPLEX, FRACTION = Kind("complex"), Kind("Fraction")


@dataclass(frozen=True)
class Tup:
    """A tuple of fixed length."""

    items: tuple["Any", ...]


@dataclass(frozen=True)
class Seq:
    """A list or tuple of any length."""

    form: str  # "list" or "tuple"
    item: "Any"


@dataclass(frozen=True)
class Bag:
    """A set or frozenset."""

    form: str
    item: "Any"


@dataclass(frozen=True)
class Map:
    """A dict."""

    key: "Any"
    value: "Any"


@dataclass(frozen=True)
class Opt:
    """A value or None."""

    item: "Any"


@dataclass(frozen=True)
class Rec:
    """A NamedTuple or frozen dataclass of the program."""

    name: str
    form: str  # "named" or "data"
    fields: tuple[tuple[str, "Any"], ...]


@dataclass(frozen=True)
class Member:
    """A member of an Enum of the program."""

    name: str
    members: tuple[str, ...]


Any = Kind | Tup | Seq | Bag | Map | Opt | Rec | Member


def annotation(kind: Any) -> str:
    """The kind as a person annotates it."""
    match kind:
        case Kind(name):
            return name
        case Tup(items):
            return f"tuple[{', '.join(map(annotation, items))}]"
        case Seq("tuple", item):
            return f"tuple[{annotation(item)}, ...]"
        case Seq(form, item) | Bag(form, item):
            return f"{form}[{annotation(item)}]"
        case Map(key, value):
            return f"dict[{annotation(key)}, {annotation(value)}]"
        case Opt(item):
            return f"{annotation(item)} | None"
        case _:
            return kind.name


def hashable(random: Random, depth: int = 2) -> Any:
    """A random kind that a state may hold."""
    roll = random.random()
    if depth == 0 or roll < 0.45:
        return random.choice([*[INT, INT, INT, BOOL, STR, FLOAT] * 3, COMPLEX, FRACTION])
    if roll < 0.6:
        return Tup(tuple(hashable(random, depth - 1) for _ in range(random.randint(1, 3))))
    if roll < 0.8:
        return Seq("tuple", hashable(random, depth - 1))
    if roll < 0.9:
        return Bag("frozenset", random.choice([INT, STR, Tup((INT, INT))]))
    return Opt(random.choice([INT, STR, Tup((INT, INT))]))


def local(random: Random) -> Any:
    """A random kind of a local variable."""
    roll = random.random()
    if roll < 0.35:
        return random.choice([*[INT, INT, BOOL, STR, FLOAT] * 3, COMPLEX, FRACTION])
    if roll < 0.6:
        return Seq("list", random.choice([INT, INT, STR, Tup((INT, INT)), Seq("list", INT)]))
    if roll < 0.7:
        return Bag("set", random.choice([INT, STR, Tup((INT, INT))]))
    if roll < 0.82:
        return Map(random.choice([INT, STR, Tup((INT, INT))]), random.choice([INT, INT, STR, Seq("list", INT)]))
    return hashable(random)
