"""PGN, the Portable Game Notation: a record of chess → the moves of a game. Comments and variations are left out."""

import re
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.formats.position import Position
from zermelo.rules import Game, State

__all__ = ["read_pgn"]

HEADER = re.compile(r'^\s*\[(\w+)\s+"((?:\\.|[^"\\])*)"\]\s*', re.MULTILINE)
NOISE = re.compile(r"\{[^}]*\}|;[^\n]*|\$\d+|\d+\s*\.+|^%[^\n]*", re.MULTILINE)
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def read_pgn(game: Game, text: str) -> tuple[Position, int]:
    """The position after the main line of the first game in a record, and how many variations were left out.

    A move that is not possible is named with its number.
    """
    rules: Any = game
    if not hasattr(rules, "spoken"):
        raise ZermeloError(f"A PGN record is of chess, and {type(game).__name__} is another game.")
    headers, place = {}, 0
    while match := HEADER.match(text, place):
        headers[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
        place = match.end()
    state: State = rules.read(headers["FEN"]) if "FEN" in headers else rules.start()
    actions: list[int] = []
    history: list[State] = []
    words, variations = main_line(NOISE.sub(" ", text[place:]))
    for word in words:
        plain = word.rstrip("+#!?").replace("0", "O") if word.startswith("0-0") else word.rstrip("+#!?")
        meant = [action for action in rules.actions(state) if rules.spoken(state, action).rstrip("+#") == plain]
        if not meant:
            number = f"{state.number}{'...' if state.turn else '.'}"
            raise ZermeloError(f"Move {number} {word} of the record is not possible in {rules.fen(state)}.")
        actions.append(meant[0])
        history.append(state)
        state = rules.result(state, meant[0])
    whole = "FEN" not in headers
    return Position(state, tuple(actions) if whole else (), tuple(history) if whole else ()), variations


def main_line(text: str) -> tuple[list[str], int]:
    """The words outside brackets, up to the first result, and how many brackets there are."""
    depth, variations, words = 0, 0, []
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            depth += 1
            variations += 1
        elif word == ")":
            depth -= 1
        elif depth == 0 and word in RESULTS:
            break
        elif depth == 0:
            words.append(word)
    if depth:
        raise ZermeloError("This PGN is not complete: a variation has no end.")
    return words, variations
