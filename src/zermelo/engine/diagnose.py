"""From Numba's words to the user's: which line of the rules does not compile, and why.

The rules are compiled one by one, so that the first that fails is the culprit; Numba's line in the generated module is mapped to the
user's own; and its message is put into plain words where a known pattern is found in it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zermelo.engine.layout import Shape
from zermelo.engine.numba_api import types
from zermelo.engine.program import Place, Program
from zermelo.engine.source import place_of, plain_function
from zermelo.engine.word_types import Word, is_whole
from zermelo.engine.writing import Facts, ModuleText
from zermelo.errors import RulesError

__all__ = ["Typed", "plain_type", "reason_of", "type_rules"]

TWO_ARGUMENTS = ("result", "order", "information", "cost")


@dataclass(frozen=True)
class Typed:
    """What Numba's typing tells about rules."""

    facts: Facts
    shapes: dict[str, Shape]  # of what `key` and `information` give, where the game has them


def type_rules(program: Program, module: Any, written: ModuleText) -> Typed:
    """Compile the rules one by one and tell what their types are. Raises `RulesError` for the first that fails."""
    typing = Typing(program, module, written)
    state = typing.compiled("start", ())
    given = {name: typing.compiled(name, typing.parameters(name, state)) for name in program.rules if name != "start"}
    if given["result"] != state:
        raise typing.error("result", f"result gives {plain_type(str(given['result']))} where start gives {plain_type(str(state))}")
    if shape_of_type(state).words != program.state.words:
        raise typing.error("start", "the start state has other types than its annotations say")
    typing.compiled("payoffs", (state,), blamed="utility")
    shapes: dict[str, Shape] = {name: typing.shape(name, given[name]) for name in ("key", "information") if name in given}
    kinds = [given["utility"], given.get("evaluate", types.int64)]
    whole = all(is_whole(kind[0] if isinstance(kind, types.BaseTuple) else kind) for kind in kinds)
    draw = (program.game.total or 0) / 2
    return Typed(
        Facts(
            integer_payoffs=whole and draw == int(draw),
            key_words=shapes.get("key", program.state).words,
            information_words=shapes.get("information", program.state).words,
        ),
        shapes,
    )


def shape_of_type(kind: Any) -> Shape:
    """The shape in a row of what has this Numba type."""
    if isinstance(kind, types.BaseTuple):
        return Shape("tuple", items=tuple(map(shape_of_type, kind)))
    if isinstance(kind, Word):
        return Shape("word", kind.bits)
    if isinstance(kind, types.Boolean):
        return Shape("bool")
    if isinstance(kind, types.Integer):
        return Shape("int")
    if isinstance(kind, types.Float):
        return Shape("float")
    raise TypeError(f"{plain_type(str(kind))} is not made of numbers")


class Typing:
    """Compiles the rules of a module and blames the user's line where that fails."""

    def __init__(self, program: Program, module: Any, written: ModuleText) -> None:
        self.program, self.module, self.written = program, module, written

    def parameters(self, name: str, state: Any) -> tuple[Any, ...]:
        """The types that kernels call a rule with."""
        return (state, types.int64) if name in TWO_ARGUMENTS else (state,)

    def compiled(self, name: str, parameters: tuple[Any, ...], blamed: str | None = None) -> Any:
        """The type that a rule gives."""
        function = getattr(self.module, name)
        try:
            function.compile(parameters)
        except Exception as error:  # Numba's passes may raise anything
            text = str(error) or type(error).__name__
            file, line = self.place_in(text) or self.first_line(blamed or name)
            raise RulesError(reason_of(text), file, line) from error
        return function.overloads[parameters].signature.return_type

    def place_in(self, text: str) -> Place:
        """The first line of the user's that Numba's message mentions: it names the innermost first."""
        for match in re.finditer(r'(?:module\.py|<zermelo_\w+>)(?:", line |:| \()(\d+)', text):
            place = self.written.place(int(match[1]))
            if place is not None:
                return place
        return None

    def first_line(self, name: str) -> tuple[str, int]:
        """Where a rule begins."""
        return place_of(plain_function(getattr(type(self.program.game), name)))

    def shape(self, name: str, kind: Any) -> Shape:
        """The shape of what a rule gives."""
        try:
            return shape_of_type(kind)
        except TypeError as error:
            raise self.error(name, f"{name} gives something that does not compile: {error}") from None

    def error(self, name: str, reason: str) -> RulesError:
        """Blame a rule as a whole."""
        return RulesError(reason, *self.first_line(name))


# --- words

OPERATORS = {
    "getitem": "indexing",
    "add": "+",
    "iadd": "+=",
    "sub": "-",
    "isub": "-=",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "and_": "&",
    "iand": "&=",
    "or_": "|",
    "ior": "|=",
    "xor": "^",
    "ixor": "^=",
    "lshift": "<<",
    "rshift": ">>",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "contains": "in",
}

TYPE_WORDS = (
    (r"Literal\[int\]\((-?\d+)\)", r"the int \1"),
    (r"^u?int\d+$", "an int"),
    (r"^float\d+$", "a float"),
    (r"^bool(ean)?$", "a bool"),
    (r"^unicode_type$|^Literal\[str\].*", "text"),
    (r"^none$", "None"),
    (r"^u(64|128|256)$", r"a word of \1 bits"),
    (r"^UniTuple\((.+) x (\d+)\)$", r"a tuple of \2"),
    (r"^Tuple\((.*)\)$", r"a tuple of different types"),
    (r"^slice<.*>$", "a slice with variable bounds"),
    (r"^DictType.*", "a dict"),
    (r"^(reflected )?list\(.*", "a list"),
    (r"^(reflected )?set\(.*", "a set"),
    (r"^(?:OptionalType|Optional)\(.*\)$|^\?.*", "a value that may be None"),
    (r"^(\w+)\(.* x \d+\)$|^(\w+)\(.*\)$", r"a \1\2"),
)


def plain_type(text: str) -> str:
    """A Numba type in plain words."""
    text = text.strip()
    for pattern, words in TYPE_WORDS:
        if re.search(pattern, text):
            return re.sub(pattern, words, text)
    return text


def split_types(text: str) -> list[str]:
    """A list of types at its outer commas."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def variable(name: str) -> str:
    """A variable as the user knows it."""
    return "the value" if name.startswith("$") else repr(name.split(".")[0])


def operation(match: re.Match[str]) -> str:
    """What does not work on which types."""
    name = match[1].removeprefix("z__")
    return f"{OPERATORS.get(name, name + '(…)')} does not work on {', '.join(map(plain_type, split_types(match[2])))}"


REASONS: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r"Untyped global name '(\w+)'", lambda match: f"{match[1]!r} is not available to compiled rules"),
    (r"Variable '(\w+)' (?:referenced before assignment|is not defined)", lambda match: f"{match[1]!r} may be used before it has a value"),
    (r"Unknown attribute '(\w+)' of type (.+)", lambda match: f"there is no {match[1]!r} on {plain_type(match[2])}"),
    (
        r"Cannot unify (.+?) and (.+?) for '([\w.$]+)'",
        lambda match: f"{variable(match[3])} is {plain_type(match[1])} in one place and {plain_type(match[2])} in another",
    ),
    (
        r"Can't unify return type from the following types: (.+)",
        lambda match: f"it returns {' or '.join(sorted(set(map(plain_type, split_types(match[1])))))}, but one type is needed",
    ),
    (
        r"(a (?:value|tuple)[^\n]*? (?:needs [^\n]*?, not|holds a)) ([^\n]+)",
        lambda match: f"{match[1].removesuffix(' a')} {plain_type(match[2])}",
    ),
    (r"((?:utility gives|a word of \d+ bits cannot|replace needs|\w+ needs an int)[^\n]*)", lambda match: match[1]),
    (
        r"No implementation of function Function\(<(?:built-in )?(?:function|class|intrinsic) '?(\w+)'?[^>]*>\) found for [^(]*\((.*)\)",
        operation,
    ),
    (r"Invalid use of .*?(?:with|for) (?:parameters|argument types?:?) \(?(.*?)\)?$", lambda match: f"this does not work on {match[1]}"),
    (
        r"[Uu]nsupported opcode \((\w+)\)|[Uu]se of unsupported opcode \((\w+)\)",
        lambda match: f"this construct is not supported ({match[1] or match[2]})",
    ),
    (r"The use of yield in a closure is unsupported", lambda match: "a generator inside a function is not supported"),
    (r"Type of variable '([\w.$]+)' cannot be determined", lambda match: f"the type of {variable(match[1])} cannot be determined"),
    (r"NotImplementedError: (.+)", lambda match: match[1]),
)


def reason_of(text: str) -> str:
    """The reason inside a message of Numba's."""
    for pattern, say in REASONS:
        match = re.search(pattern, text)
        if match:
            return say(match)
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Failed in nopython")]
    return lines[0] if lines else "Numba cannot compile it"
