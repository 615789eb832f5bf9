"""How a game is written: `name(parameters)` or `file.py:Class(parameters)`. Parameters are literals; nothing is ever evaluated."""

import ast
import inspect
import re
from collections.abc import Mapping
from types import UnionType
from typing import Any, NamedTuple, TypeVar, cast, get_args, get_origin

from zermelo.compiler.source import one_at_a_time
from zermelo.errors import RulesError, ZermeloError, nearest

__all__ = ["Arguments", "Spelling", "build", "checked", "parameters", "parse", "spell"]

FILE = re.compile(r"(?P<file>.+?\.py)(?::(?P<member>\w*))?(?:\((?P<arguments>.*)\))?", re.DOTALL)
Made = TypeVar("Made")

NAME = re.compile(r"(?P<name>[^()]+?)\s*(?:\((?P<arguments>.*)\))?", re.DOTALL)


class Arguments(NamedTuple):
    """What stands between the brackets."""

    positional: tuple[Any, ...] = ()
    named: Mapping[str, Any] = {}


class Spelling(NamedTuple):
    """A game as the user wrote it, taken apart."""

    name: str | None  # of a registered game, or
    file: str | None  # a file, in which
    member: str | None  # this class or tree is meant; None: the only one
    arguments: Arguments


def parse(text: str) -> Spelling:
    """Takes the text apart; says what is wrong with it where that fails."""
    text = text.strip()
    if match := FILE.fullmatch(text):
        return Spelling(None, match["file"], match["member"] or None, literals(match["arguments"] or "", text))
    if match := NAME.fullmatch(text):
        return Spelling(match["name"], None, None, literals(match["arguments"] or "", text))
    raise ZermeloError(f"{text!r} is not a name: write one such as connect4, connect4(width=5) or mygame.py:MyGame(width=5).")


@one_at_a_time
def literals(text: str, whole: str) -> Arguments:
    """The arguments in `text`: numbers, words in quotes, tuples, True, False, None."""
    unclear = ZermeloError(f"The parameters in {whole!r} cannot be read: write them as name=number, such as connect4(width=5,height=4).")
    try:
        call = ast.parse(f"game({text})", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise unclear
        positional = tuple(ast.literal_eval(value) for value in call.args)
        named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords if keyword.arg is not None}
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        raise unclear from None
    if len(named) != len(call.keywords):
        raise unclear
    return Arguments(positional, named)


def build(kind: type[Made], arguments: Arguments, name: str) -> Made:
    """The game (or player) with these parameters; a parameter that it does not have, or of the wrong kind, is named."""
    lacking = sorted(getattr(kind, "__abstractmethods__", ()))
    if lacking:
        raise RulesError(f"{name} is not complete: its rules lack {', '.join(lacking)}.")
    return kind(**checked(parameters(kind), arguments, name))


def checked(fields: Mapping[str, inspect.Parameter], arguments: Arguments, name: str) -> dict[str, Any]:
    """The arguments by name. Raises where one is unknown, given twice, missing or of the wrong kind."""
    if len(arguments.positional) > len(fields):
        takes = f"takes {', '.join(fields)}" if fields else "takes no parameters"
        raise ZermeloError(f"{name} {takes}; {len(arguments.positional)} were given.")
    given = dict(zip(fields, arguments.positional, strict=False))
    for field, value in arguments.named.items():
        if field not in fields:
            raise ZermeloError(f"{name} has no parameter {field}: {nearest(field, fields)}")
        if field in given:
            raise ZermeloError(f"{name} is given {field} twice.")
        given[field] = value
    for field, value in given.items():
        reject_other_kind(name, field, value, fields[field].annotation)
    missing = [field for field, parameter in fields.items() if parameter.default is parameter.empty and field not in given]
    if missing:
        raise ZermeloError(f"{name} needs a value for {' and '.join(missing)}: write {name}({missing[0]}=…).")
    return given


def parameters(kind: type) -> dict[str, inspect.Parameter]:
    """The class's parameters in order."""
    try:
        signature = inspect.signature(kind, eval_str=True)
    except NameError:  # an annotation that is only known to a type checker: values are then not held against it
        signature = inspect.signature(kind)
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {field: parameter for field, parameter in signature.parameters.items() if parameter.kind in named}


KINDS: dict[Any, tuple[tuple[type, ...], str]] = {
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
    bool: ((bool,), "True or False"),
    str: ((str,), "a word in quotes"),
    tuple: ((tuple,), "a tuple such as (3, 4, 5)"),
}


def reject_other_kind(name: str, field: str, value: Any, annotation: Any) -> None:
    """Raises where the value is plainly not what the field's annotation says."""
    if isinstance(annotation, UnionType):
        options = [option for option in get_args(annotation) if option is not type(None)]
        if value is None or len(options) != 1:
            return
        annotation = options[0]
    kind = get_origin(annotation) or annotation
    if kind not in KINDS:
        return
    accepted, words = KINDS[kind]
    if not isinstance(value, accepted) or (isinstance(value, bool) and kind is not bool):
        raise ZermeloError(f"{name}'s {field} must be {words}, not {value!r}.")
    if kind is tuple and len(get_args(annotation)) == 2 and get_args(annotation)[1] is ...:
        for item in cast(tuple[Any, ...], value):
            reject_other_kind(name, f"{field}, in every place,", item, get_args(annotation)[0])


def spell(made: object, name: str) -> str:
    """The name with the parameters that differ from their defaults; the inverse of `parse` and `build`."""
    changed = [
        f"{field}={getattr(made, field)!r}"
        for field, parameter in parameters(type(made)).items()
        if hasattr(made, field) and getattr(made, field) != parameter.default
    ]
    return f"{name}({', '.join(changed)})" if changed else name
