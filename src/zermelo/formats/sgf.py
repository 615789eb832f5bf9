"""SGF, the Smart Game Format (FF[4]), for Go: a record ⇄ the moves of a game.

Only the main line is read: the first branch wherever a record divides. `Record.variations` says how many others there were.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.formats.position import Position
from zermelo.rules import Game, State

__all__ = ["Record", "position_of", "read_sgf", "write_sgf"]

TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:\\.|[^\]\\])*)\])", re.DOTALL)
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Record:
    """What a record says of a game. Points are (column, row) from the top left, None is a pass."""

    size: int = 19
    komi: float = 0.0
    black: tuple[tuple[int, int], ...] = ()  # stones that are set up before the first move
    white: tuple[tuple[int, int], ...] = ()
    moves: tuple[tuple[str, tuple[int, int] | None], ...] = ()  # (B or W, point)
    turn: str = ""  # B or W, where the record says who begins
    result: str = ""
    variations: int = 0  # branches that were left out


@dataclass
class _Tree:
    nodes: list[dict[str, list[str]]] = field(default_factory=list)
    children: list["_Tree"] = field(default_factory=list)


def read_sgf(text: str) -> Record:
    """The main line of the first game in a record."""
    tree = parse(text)
    nodes, variations = list(tree.nodes), 0
    while tree.children:
        variations += len(tree.children) - 1
        tree = tree.children[0]
        nodes += tree.nodes
    root = nodes[0]
    if root.get("GM", ["1"]) != ["1"]:
        raise ZermeloError("This record is of another game than Go.")
    size_text = root.get("SZ", ["19"])[0]
    if not re.fullmatch("[0-9]{1,3}", size_text) or not 1 <= int(size_text) <= len(LETTERS):
        raise ZermeloError(f"The record's board has size {size_text:.20}: a number from 1 to {len(LETTERS)} can be read.")
    size = int(size_text)
    moves: list[tuple[str, tuple[int, int] | None]] = []
    for node in nodes:
        for colour in "BW":
            moves += [(colour, point(value, size, len(moves) + 1)) for value in node.get(colour, [])]
    komi = root.get("KM", ["0"])[0].strip() or "0"
    if not re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]*)?", komi):
        raise ZermeloError(f"The record's komi is {komi!r:.30}, which is not a number.")
    black, white = (tuple(spread(root.get(name, []), size)) for name in ("AB", "AW"))
    return Record(
        size, float(komi), black, white, tuple(moves), root.get("PL", [""])[0][:1].upper(), root.get("RE", [""])[0].strip(), variations
    )


def parse(text: str) -> _Tree:
    """The nodes and branches of a record."""
    begin = text.find("(")
    if begin < 0:
        raise ZermeloError("This is not SGF: a record begins with '(;'.")
    stack: list[_Tree] = [_Tree()]
    name, place = "", begin
    while place < len(text):
        match = TOKEN.match(text, place)
        if match is None:
            if text[place:].strip():
                raise ZermeloError(f"This is not SGF: {text[place : place + 10].strip()!r} makes no sense there.")
            break
        place = match.end()
        sign, word, value = match.groups()
        if sign == "(":
            stack.append(_Tree())
        elif sign == ")":
            done = stack.pop()
            stack[-1].children.append(done)
            if len(stack) == 1:
                break
        elif sign == ";":
            stack[-1].nodes.append({})
        elif word is not None:
            name = "".join(letter for letter in word if letter.isupper())
        elif not stack[-1].nodes:
            raise ZermeloError("This is not SGF: a property stands before the first ';'.")
        else:
            stack[-1].nodes[-1].setdefault(name, []).append(re.sub(r"\\(.)", r"\1", value or ""))
    if len(stack) != 1 or not stack[0].children or not stack[0].children[0].nodes:
        raise ZermeloError("This SGF is not complete: a bracket is missing, or there is no node.")
    return stack[0].children[0]


def point(value: str, size: int, number: int) -> tuple[int, int] | None:
    """A point by its two letters; an empty value, and tt up to 19 rows, is a pass."""
    value = value.strip()
    if not value or (value == "tt" and size <= 19):
        return None
    if len(value) != 2 or not all(letter in LETTERS[:size] for letter in value):
        raise ZermeloError(f"Move {number} of the record is on {value!r}, which is not a point of a board of {size} rows.")
    return LETTERS.index(value[0]), LETTERS.index(value[1])


def spread(values: Sequence[str], size: int) -> list[tuple[int, int]]:
    """Stones that are set up, by points or by rectangles such as aa:cc."""
    points = []
    for value in values:
        first, _, last = value.partition(":")
        one, two = point(first, size, 0), point(last or first, size, 0)
        if one is not None and two is not None:
            points += [(column, row) for row in range(one[1], two[1] + 1) for column in range(one[0], two[0] + 1)]
    return points


def position_of(game: Game, record: Record) -> Position:
    """The position after the record's moves, played by the rules of the game; the first that is not possible is named."""
    rules: Any = game
    if not hasattr(rules, "komi") or not hasattr(rules, "size"):
        raise ZermeloError(f"An SGF record is of Go, and {type(game).__name__} is another game.")
    if rules.size != record.size:
        raise ZermeloError(f"The record is of a game on {record.size} rows: name the game as go(size={record.size}).")
    state: State = rules.start()
    begins = record.turn or (record.moves[0][0] if record.moves else "W" if record.black and not record.white else "B")
    cells = state.cells
    for mark, stones in (("X", record.black), ("O", record.white)):
        for column, row in stones:
            cells = cells[: row * record.size + column] + mark + cells[row * record.size + column + 1 :]
    state = rules.position(cells, "BW".index(begins))
    actions: list[int] = []
    history: list[State] = []
    for number, (colour, place) in enumerate(record.moves, 1):
        wanted = [rules.passing] if place is None else [place[1] * record.size + place[0]]
        if "BW".index(colour) != state.turn:
            wanted.insert(0, rules.passing)  # who moves twice has the other pass in between
        for action in wanted:
            if action not in rules.actions(state):
                name = "pass" if place is None else rules.square_name(wanted[-1])
                raise ZermeloError(f"Move {number} of the record, {name}, is not possible here.")
            actions.append(action)
            history.append(state)
            state = rules.result(state, action)
    whole = not record.black and not record.white and begins == "B"
    return Position(state, tuple(actions) if whole else (), tuple(history) if whole else ())


def write_sgf(game: Game, beginning: State, actions: Sequence[int], result: str = "") -> str:
    """A record of the moves from a position of Go."""
    rules: Any = game
    size = rules.size

    def letters(square: int) -> str:
        return LETTERS[square % size] + LETTERS[square // size]

    head = f"GM[1]FF[4]CA[UTF-8]AP[Zermelo]SZ[{size}]KM[{rules.komi:g}]RU[{'Tromp-Taylor' if rules.ko == 'positional' else 'simple ko'}]"
    for name, mark in (("AB", "X"), ("AW", "O")):
        stones = [square for square in range(size * size) if beginning.cells[square] == mark]
        head += (name + "".join(f"[{letters(square)}]" for square in stones)) if stones else ""
    head += f"PL[{'BW'[beginning.turn]}]" if beginning.turn or beginning.cells.strip(".") else ""
    head += f"RE[{result}]" if result else ""
    moves, state = "", beginning
    for action in actions:
        moves += f";{'BW'[state.turn]}[{'' if action == rules.passing else letters(action)}]"
        state = rules.result(state, action)
    return f"(;{head}{moves})\n"
