"""Words and boards: `show`, `read`, `name`, `board`, and the texts of actions."""

from typing import Any

from zermelo.check.examination import Examination, Test
from zermelo.check.paths import Position
from zermelo.check.report import Promise
from zermelo.check.value_kinds import plain
from zermelo.rules import Action, Game, action_name, ask, has

__all__ = ["TEXTS", "tests"]

SHOW = Promise("show", "`show` gives a text.")
READ = Promise("read undoes show", "`read` gives back the state that `show` has printed.")
NAMES = Promise("names of actions", "every action of a state has a text of its own that is not empty, by `name` or by `str`.")
BOARD = Promise("board is plain data", "`board` gives a dictionary with a `kind`, made of texts, numbers, lists and dictionaries.")


def tests(game: Game) -> list[Test]:
    """Those that the game's own presentation calls for."""
    offered = [("show", Test("show and read", show)), ("board", Test("board", board))]
    return [TEXTS, *(test for method, test in offered if has(game, method))]


def show(exam: Examination, position: Position) -> None:
    game: Any = exam.game
    if not exam.open(SHOW):
        return
    text = game.show(position.state)
    if not isinstance(text, str):
        exam.broken(SHOW, f"it gave {text!r}", position)
    elif has(game, "read") and exam.open(READ):
        back = game.read(text)
        if back != position.state:
            exam.broken(READ, f"the state is {position.state!r}, and was read as {back!r}", position)


def name(exam: Examination, position: Position) -> None:
    if position.terminal or not exam.open(NAMES):
        return
    owners: dict[str, Action] = {}
    for action in position.actions:
        word = ask(exam.game, "name", position.state, action) if has(exam.game, "name") else action_name(exam.game, position.state, action)
        if not isinstance(word, str) or not word.strip():
            exam.broken(NAMES, f"action {action!r} has the name {word!r}", position)
            return
        if owners.setdefault(word, action) != action:
            exam.broken(NAMES, f"actions {owners[word]!r} and {action!r} both have the name {word!r}", position)
            return


TEXTS = Test("name", name)


def board(exam: Examination, position: Position) -> None:
    if not exam.open(BOARD):
        return
    data = ask(exam.game, "board", position.state)
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str):
        exam.broken(BOARD, f"it gave {data!r}, which is not a dictionary with a `kind`", position)
        return
    fault = plain(data)
    if fault:
        exam.broken(BOARD, f"in it {fault}", position)
