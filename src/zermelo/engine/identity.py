"""Which rules a file belongs to (a database, a network): a hash of all that decides positions and values, and of nothing else.

Names that the rules use are followed into other files. Presentation, comments, and knowledge such as `order` do not count.
"""

import ast
import hashlib
import inspect
import re
from functools import lru_cache
from pathlib import Path

from zermelo.engine.layout import NotNumericError
from zermelo.engine.program import CORE_RULES, Program
from zermelo.engine.source import one_at_a_time
from zermelo.errors import RulesError
from zermelo.rules import Game, has

__all__ = ["class_texts", "rules_hash"]

NAME = re.compile(r"\b[A-Za-z_]\w*")


def rules_hash(game: Game, symmetric: bool) -> str:
    """The hash for a file with or without folding by `canonical`."""
    try:
        return remembered_hash(game, symmetric)
    except TypeError:  # a game that cannot be remembered
        return fresh_hash(game, symmetric)


@lru_cache(64)
def remembered_hash(game: Game, symmetric: bool) -> str:
    return fresh_hash(game, symmetric)


def fresh_hash(game: Game, symmetric: bool) -> str:
    asked = [name for name in ("rank", "unrank") if has(game, name)] + (["canonical"] if symmetric and has(game, "canonical") else [])
    parts = [f"{game.players} {game.total} {game.repetition} {symmetric}", bound_text(game, CORE_RULES)]
    parts += [bound_text(game, (name,)) for name in asked]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def bound_text(game: Game, rules: tuple[str, ...]) -> str:
    """The text of rules and of what they use, with the game's parameters in it; where rules cannot be bound, that of their file."""
    try:
        program = Program(game, rules)
    except (RulesError, NotNumericError):
        return file_text(game)
    texts = {emitted.lines[1].split("(")[0].removeprefix("def "): "\n".join(emitted.lines) for emitted in program.functions}
    texts |= {line.split(" = ")[0]: line for line in program.header}
    wanted, used = [program.rules[rule] for rule in rules], set[str]()
    while wanted:
        name = wanted.pop()
        if name in texts and name not in used:
            used.add(name)
            wanted += NAME.findall(texts[name])
    return "\n".join(texts[name] for name in sorted(used))


def file_text(game: Game) -> str:
    """The files of the game's classes without comments and descriptions, and its parameters."""
    return "\n".join([repr(game), *class_texts(game)])


def class_texts(game: Game) -> list[str]:
    """For every class of the game the file that it is written in, without comments and descriptions; its name where there is no file."""
    return [class_text(kind) for kind in type(game).__mro__ if issubclass(kind, Game) and kind is not Game]


@one_at_a_time
def class_text(kind: type) -> str:
    try:
        tree = ast.parse(Path(inspect.getfile(kind)).read_text(encoding="utf-8"))
    except (TypeError, OSError, SyntaxError):
        return kind.__qualname__
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            body[:] = [part for part in body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]
    return ast.dump(tree)
