"""Which rules a file belongs to (a database, a network): a hash of all that decides positions and values, and of nothing else.

Names that the rules use are followed into other files. Presentation, comments, knowledge such as `order`, and where the files lie and how
they are called do not count. Rules that cannot be bound are known by their whole files, and by those of the user's that these import.
"""

import ast
import hashlib
import re
from functools import lru_cache

from zermelo.engine.layout import NotNumericError
from zermelo.engine.own_files import source_of, with_imports
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
    """The text of rules and of what they use, with the game's parameters in it; where rules cannot be bound, that of their files.

    Names of the generated module, which tell files and depend on other rules, are replaced by numbers in the order in which they are met.
    """
    try:
        program = Program(game, rules)
    except (RulesError, NotNumericError):
        return file_text(game)
    texts = {emitted.lines[1].split("(")[0].removeprefix("def "): "\n".join(emitted.lines) for emitted in program.functions}
    texts |= {line.split(" = ")[0]: line for line in program.header}
    waiting, numbers = [program.rules[rule] for rule in rules], dict[str, str]()
    while waiting:
        name = waiting.pop(0)
        if name in texts and name not in numbers:
            numbers[name] = f"#{len(numbers)}"
            waiting += NAME.findall(texts[name])
    return "\n".join(NAME.sub(lambda name: numbers.get(name[0], name[0]), texts[used]) for used in numbers)


def file_text(game: Game) -> str:
    """The files of the game's classes without comments and descriptions, and its parameters."""
    return "\n".join([repr(game), *class_texts(game)])


@one_at_a_time
def class_texts(game: Game) -> list[str]:
    """The files that the game's classes are written in and those of the user's that these import, each without comments and descriptions;
    the name of a class that is in none."""
    kinds = [kind for kind in type(game).__mro__ if issubclass(kind, Game) and kind is not Game]
    sources = {kind: source_of(kind) for kind in kinds}
    trees = with_imports(source for source in sources.values() if source is not None)
    nowhere = [kind.__qualname__ for kind, source in sources.items() if source is None or source.file not in trees]
    return nowhere + [bare_text(tree) for tree in trees.values()]


def bare_text(tree: ast.Module) -> str:
    """A file without comments and descriptions."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            body[:] = [part for part in body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]
    return ast.dump(tree)
