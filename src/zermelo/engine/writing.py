"""Writing the module: the bound rules of a game and the template of one kernel family become one self-contained text.

Every name of `kernels/vocabulary.py` is defined in every module, with a stand-in where the game lacks the rule, so that one template
serves all games. Beside the text stands the place in the user's files that each of its lines comes from.
"""

import ast
import copy
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from zermelo.engine.layout import Shape
from zermelo.engine.program import Place, Program
from zermelo.engine.source import one_at_a_time
from zermelo.rules import CHANCE, draw_value
from zermelo.scores import LONGEST, UNIT

__all__ = ["SELFCHECK", "Facts", "ModuleText", "template_text", "write_module"]

SELFCHECK = "selfcheck"  # the family that is compiled first and finds out the facts
TEMPLATES = "zermelo.engine.kernels"
VOCABULARY = f"{TEMPLATES}.vocabulary"
PARTS = f"{TEMPLATES}.parts."  # a template that imports from such a module gets its whole text

EXPORTED = (
    "as_bool",
    "as_float",
    "as_int",
    "as_u64",
    "bit_length",
    "first_payoff",
    "lsb",
    "payoff_vector",
    "popcount",
    "store",
    "store_numbers",
)

STAND_INS = {
    "chances": "def chances(state):\n    for action in range(0):\n        yield action, 1.0",
    "information": "def information(state, player):\n    return state",
    "key": "def key(state):\n    return state",
    "bounds": "def bounds(state):\n    return -HUGE, HUGE",
    "candidates": None,  # actions
    "order": "def order(state, action):\n    return 0",
    "evaluate": "def evaluate(state):\n    return DRAW",
    "cost": "def cost(state, action):\n    return 1.0",
    "heuristic": "def heuristic(state):\n    return 0.0",
    "features": "def features(state):\n    return (0.0,)",
    "canonical": "def canonical(state):\n    return state, 0",
    "tier": "def tier(state):\n    return 0",
    "image": "def image(action, symmetry):\n    return action",
    "quiet": "def quiet(state):\n    return True",
    "passed": "def passed(state):\n    return state",
    "rest": "def rest(state):\n    return state, 0.0",
    "rank": "def rank(state):\n    return 0",
    "unrank": "def unrank(number):\n    return start()",
}

WRAPPED = {  # rules whose result is cast, so that every game gives kernels the same types
    "player": "def player(state):\n    return as_int({rule}(state))",
    "terminal": "def terminal(state):\n    return as_bool({rule}(state))",
    "order": "def order(state, action):\n    return as_int({rule}(state, action))",
    "bounds": "def bounds(state):\n    low, high = {rule}(state)\n    return as_int(low), as_int(high)",
    "cost": "def cost(state, action):\n    return as_float({rule}(state, action))",
    "heuristic": "def heuristic(state):\n    return as_float({rule}(state))",
    "tier": "def tier(state):\n    return as_int({rule}(state))",
    "canonical": "def canonical(state):\n    twin, symmetry = {rule}(state)\n    return twin, as_int(symmetry)",
    "image": "def image(action, symmetry):\n    return as_int({rule}(action, symmetry))",
    "quiet": "def quiet(state):\n    return as_bool({rule}(state))",
    "rank": "def rank(state):\n    return as_int({rule}(state))",
    "rest": "def rest(state):\n    remaining, lead = {rule}(state)\n    return remaining, as_float(lead)",
}

LISTED = ("actions", "candidates")  # generators of actions that kernels may also have as `list_actions` and `list_candidates`
LISTING = """@rule
def list_{name}(state, z__row, z__at, z__last):
    for z__action in {name}(state):
        if z__at <= z__last:
            z__row[z__at] = as_int(z__action)
        z__at += 1
    return z__at"""

STATE_RULES = {  # rules that give a state: their parameters
    "start": "",
    "result": "state, action",
    "canonical": "state",
    "passed": "state",
    "rest": "state",
    "unrank": "number",
}


@dataclass(frozen=True)
class Facts:
    """What only Numba's typing of the rules can tell; found once a game and kept in its cache entry."""

    integer_payoffs: bool  # utility and evaluate both give whole numbers
    key_words: int
    information_words: int


@dataclass(frozen=True)
class ModuleText:
    """A generated module."""

    text: str
    places: tuple[Place, ...]  # of each line

    def place(self, line: int) -> Place:
        """Where a line of the module comes from; lines count from 1."""
        return self.places[line - 1] if 0 < line <= len(self.places) else None


def template_text(family: str) -> str:
    """The template of a kernel family, with the parts that it shares with others in front: each once, without imports and docstrings."""
    pasted: list[str] = []
    seen: set[str] = set()

    def paste(name: str) -> None:
        text, parts = template_source(name)
        for part in parts:
            if part not in seen:
                seen.add(part)
                paste(part)
        pasted.append(text)

    paste(family)
    return "\n\n\n".join(pasted)


@cache
def template_source(name: str) -> tuple[str, tuple[str, ...]]:
    """The text of a template file without its imports and docstring, and the parts that it imports from, as `parts/frames`."""
    source = resources.files(TEMPLATES).joinpath(*f"{name}.py".split("/")).read_text(encoding="utf-8")
    lines = source.splitlines()
    parts: list[str] = []
    for node in ast.parse(source).body:
        module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        if module.startswith(PARTS):
            parts.append("parts/" + module.removeprefix(PARTS))
        if (
            module.startswith(PARTS)
            or module in (VOCABULARY, "typing")
            or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        ):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
    return "\n".join(lines).strip("\n"), tuple(parts)


@one_at_a_time
def write_module(program: Program, family: str, facts: Facts | None) -> ModuleText:
    """The module of a kernel family for one game. The self-check, which finds out the facts, does without them."""
    lines: list[str] = []
    places: list[Place] = []

    def add(text: str) -> None:
        added = text.splitlines()
        lines.extend(added)
        places.extend([None] * len(added))

    names = interface(program, facts)  # first, because it may use more of the library
    add(header(program))
    for emitted in program.functions:
        add("\n")
        lines.extend(emitted.lines)
        places.extend(emitted.places)
    add("\n" + "\n\n".join(names))
    add("\n\n" + template_text(family))
    return ModuleText("\n".join(lines) + "\n", tuple(places))


def header(program: Program) -> str:
    """Imports, figures of the game, its named tuples and constants."""
    game = program.game
    has = {name: name in program.rules for name in STAND_INS}
    used = sorted({*program.library_names, *cast_names(program.state)})
    constants = [name for name in used if name.startswith("C")]
    functions = [name for name in used if not name.startswith("C")]
    lines = [
        f'"""{type(game).__name__}, made into a module by Zermelo: a copy of its rules for one set of parameters."""',
        "from __future__ import annotations",
        "",
        "import collections",
        "import math",
        "",
        "import numpy",
        "import numpy as np",
        "",
        "from zermelo.engine.compiling import kernel, part, routine, rule",
        f"from zermelo.engine.intrinsics import {', '.join(EXPORTED)}",
        *[f"from zermelo.engine.intrinsics import {name} as z__{name}" for name in functions],
        *[f"from zermelo.engine.word_types import {name} as z__{name}" for name in constants],
        "",
        f"WORDS = {program.state.words}",
        f"PLAYERS = {game.players}",
        f"CHANCE = {CHANCE}",
        f"TOTAL = {float(game.total or 0)!r}",
        f"DRAW = {float(draw_value(game))!r}",
        f"LONGEST = {LONGEST}",
        f"UNIT = {UNIT}",
        "HUGE = (1 << 62) - 1",
        *[f"HAS_{name.upper()} = {given}" for name, given in has.items()],
        *program.header,
    ]
    return "\n".join(lines)


def interface(program: Program, facts: Facts | None) -> list[str]:
    """The names that templates use, in terms of the bound rules."""
    parts = [
        f"@rule\ndef decode(row, at):\n    return {decoder(program, program.state, 0)[0]}",
        "@rule\ndef encode(state, row, at):\n    store(state, row, at)",
    ]
    for name, rule in program.rules.items():
        if name in STATE_RULES and program.state.made_by is None:
            parts.append(state_wrapper(program, name, rule))
        elif name in WRAPPED:
            parts.append("@rule\n" + WRAPPED[name].format(rule=rule))
        else:
            parts.append(f"{name} = {rule}")
    for name, text in STAND_INS.items():
        if name not in program.rules:
            parts.append(f"@rule\n{text}" if text else f"{name} = actions")
    parts += [listing(program, name) for name in LISTED]
    parts.append("@rule\ndef payoffs(state):\n    return payoff_vector(utility(state), PLAYERS, TOTAL)")
    if facts is not None:
        parts += typed_interface(program, facts)
    return parts


def listing(program: Program, name: str) -> str:
    """A rule that yields actions as one that writes them down: see `Listing`. A rule that is no generator is read by a loop."""
    rule = program.rules.get(name, program.rules["actions"])
    definitions = [emitted.definition for emitted in program.functions if emitted.definition is not None]
    definition = next((each for each in definitions if each.name == rule), None)
    if definition is None or definition.args.defaults or not any(isinstance(node, ast.Yield) for node in ast.walk(definition)):
        return LISTING.format(name=name)
    return Listing().rewrite(definition, f"list_{name}")


class Listing(ast.NodeTransformer):
    """Makes of a generator a function that writes what is yielded to a row, up to a last place, and returns where it ended.

    Such a function can be compiled into the place of its call, and what it shares with other rules is then worked out once.
    """

    def rewrite(self, definition: ast.FunctionDef, name: str) -> str:
        """The text of the function."""
        function = copy.deepcopy(definition)
        function.name, function.returns = name, None
        function.args.args += [ast.arg(each) for each in ("z__row", "z__at", "z__last")]
        function.decorator_list = [ast.Name("rule", ast.Load())]
        self.generic_visit(function)
        function.body += ast.parse("return z__at").body
        return ast.unparse(ast.fix_missing_locations(function))

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Yield) and node.value.value is not None:
            return self.write(ast.unparse(node.value.value))
        if isinstance(node.value, ast.YieldFrom):
            loop: Any = ast.parse(f"for z__each in {ast.unparse(node.value.value)}:\n    pass").body[0]
            loop.body = self.write("z__each")
            return loop
        return node

    def write(self, value: str) -> list[ast.stmt]:
        """Statements that write a value down."""
        return ast.parse(f"if z__at <= z__last:\n    z__row[z__at] = as_int({value})\nz__at += 1").body

    def visit_Return(self, node: ast.Return) -> Any:
        return ast.parse("return z__at").body[0]


def typed_interface(program: Program, facts: Facts) -> list[str]:
    """Names that depend on what Numba's typing has told."""
    cast = "as_int" if facts.integer_payoffs else "as_float"
    rule = program.rules.get("evaluate")
    judgement = f"first_payoff({rule}(state))" if rule else "DRAW_PAYOFF"
    draw = draw_value(program.game)
    return [
        f"INTEGER_PAYOFFS = {facts.integer_payoffs}",
        f"DRAW_PAYOFF = {int(draw) if facts.integer_payoffs else float(draw)!r}",
        f"KEY = {facts.key_words}",
        f"INFORMATION = {facts.information_words}",
        f"@rule\ndef max_payoff(state):\n    return {cast}(first_payoff(utility(state)))",
        f"@rule\ndef evaluate(state):\n    return {cast}({judgement})",
        f"@rule\ndef estimates(state):\n    return payoff_vector({f'{rule}(state)' if rule else 'utility(state)'}, PLAYERS, TOTAL)",
        "@rule\ndef encode_key(state, row, at):\n    store(key(state), row, at)",
        "@rule\ndef encode_information(state, player, row, at):\n    store(information(state, player), row, at)",
    ]


def state_wrapper(program: Program, name: str, rule: str) -> str:
    """A rule that gives a state, of a game whose states are numbers or plain tuples: cast to the types of the start state."""
    value: Any = ast.parse("value").body[0]
    parameters = STATE_RULES[name]
    cast = ast.unparse(program.cast(program.state, value.value))
    if name == "canonical":
        return f"@rule\ndef canonical(state):\n    value, symmetry = {rule}(state)\n    return {cast}, as_int(symmetry)"
    if name == "rest":
        return f"@rule\ndef rest(state):\n    value, lead = {rule}(state)\n    return {cast}, as_float(lead)"
    return f"@rule\ndef {name}({parameters}):\n    value = {rule}({parameters})\n    return {cast}"


def cast_names(shape: Shape) -> set[str]:
    """The casts that decoding and encoding a state use."""
    if shape.kind == "tuple":
        return {name for item in shape.items for name in cast_names(item)}
    if shape.kind == "word":
        return {"as_u64", f"as_u{shape.bits}"}
    return {"bits_float"} if shape.kind == "float" else set()


def decoder(program: Program, shape: Shape, at: int) -> tuple[str, int]:
    """The expression that reads a value whose words begin at row[at + …], and where the next one begins."""
    if shape.kind == "tuple":
        parts = []
        for item in shape.items:
            part, at = decoder(program, item, at)
            parts.append(part)
        if shape.made_by is not None:
            return f"{program.records.name(shape.made_by)}({', '.join(parts)})", at
        return (f"({', '.join(parts)},)" if parts else "()"), at
    place = f"row[at + {at}]"
    if shape.kind == "float":
        return f"z__bits_float({place})", at + 1
    if shape.kind == "word":
        cast = f"z__as_u{shape.bits}"
        parts = [f"{cast}(z__as_u64(row[at + {at + part}])) << {64 * part}" for part in range(shape.words)]
        return (" | ".join(parts) if len(parts) > 1 else f"z__as_u64({place})"), at + shape.words
    return (f"{place} != 0" if shape.kind == "bool" else place), at + 1
