"""Text ⇄ position: moves from the start by their names, or a board as `show` prints it.

`4453` is four moves of Connect Four, since every name there has one character; otherwise names are separated by spaces or commas.
Chance outcomes are moves. A board is read by the game's `read`; its rows may stand in one line, with slashes between them.
"""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import Action, Game, State, action_name, ask, has, legal_actions

__all__ = ["Position", "format_moves", "listing", "parse_moves", "parse_position"]

SEPARATORS = "".join(sign for sign in map(chr, range(0x3001)) if sign.isspace()) + ","  # all that `split` parts words at
NO_ACTION = -1
LOOK = 10_000  # states among which a board is looked for, to tell one that no game leads to


class Position(NamedTuple):
    """A state, and how the game came there."""

    state: State
    actions: tuple[Action, ...] = ()  # from the start
    history: tuple[State, ...] = ()  # the states before, the start first; none where the position was given as a board


def parse_position(game: Game, text: str | None) -> Position:
    """The position that the text describes; the start where there is none."""
    if text is None or not text.strip(SEPARATORS):
        return Position(game.start())
    if not has(game, "read"):
        return parse_moves(game, text)
    if "\n" in text.strip():
        return reachable(game, read_board(game, text))
    try:
        return parse_moves(game, text)
    except ZermeloError as error:
        refusal = error
    for board in dict.fromkeys((text, text.replace("/", "\n"))):
        try:
            state = read_board(game, board)
        except ZermeloError as fault:
            if board == text and "/" in text.split()[0] and "\n" not in shown(game):  # a board on one line, such as FEN
                refusal = fault
        else:
            return reachable(game, state)
    raise refusal


def shown(game: Game) -> str:
    """The board of the start."""
    return str(ask(game, "show", game.start())).strip() if has(game, "show") else ""


def parse_moves(game: Game, text: str) -> Position:
    """Plays the moves in the text from the start; the first that is not possible is named with those that are."""
    state, rest = game.start(), text.strip(SEPARATORS)
    actions: list[Action] = []
    history: list[State] = []
    known: set[str] = set()  # names that were possible earlier
    single = True  # every name so far had one character, so that moves may be run together
    while rest:
        if game.terminal(state):
            raise ZermeloError(
                f"Move {len(actions) + 1}, {word(rest, single)}, comes too late: the game was over after move {len(actions)}."
            )
        names = {action_name(game, state, action): action for action in reversed(legal_actions(game, state))}
        single = single and all(len(name) == 1 for name in names)
        name, action = first_move(game, state, rest, names, single)
        if name is None:
            raise impossible(len(actions) + 1, word(rest, single), names, known)
        actions.append(action)
        history.append(state)
        known.update(names)
        state, rest = game.result(state, action), rest[len(name) :].lstrip(SEPARATORS)
    return Position(state, tuple(actions), tuple(history))


def first_move(game: Game, state: State, rest: str, names: dict[str, Action], single: bool) -> tuple[str | None, Action]:
    """The name with which the text begins, and its action; `Nf3` stands for `g1f3` too, and `Step.LEFT` for `LEFT`."""
    name = first_name(rest, names, single)
    if name is not None:
        return name, names[name]
    spoken = getattr(game, "spoken", None)
    written = rest.replace(",", " ").split()[0]
    meant = [action for action in names.values() if isinstance(action, Enum) and str(action) == written]
    if spoken is not None and not meant:
        meant = [action for action in names.values() if spoken(state, action).rstrip("+#") == written.rstrip("+#!?")]
    return (written, meant[0]) if len(meant) == 1 else (None, NO_ACTION)


def first_name(rest: str, names: dict[str, Action], single: bool) -> str | None:
    """The name with which the text begins, the longest first; large and small letters count as one where that is clear."""

    def begins(name: str, text: str) -> bool:
        return text.startswith(name) and (single or len(text) == len(name) or text[len(name)] in SEPARATORS)

    for name in sorted(names, key=len, reverse=True):
        if begins(name, rest):
            return name
    folded = [name for name in names if len(name.lower()) == len(name) and begins(name.lower(), rest.lower())]
    longest = max(map(len, folded), default=0)
    alike = [name for name in folded if len(name) == longest]
    return alike[0] if len(alike) == 1 else None


def word(rest: str, single: bool) -> str:
    """The piece of text that should have been a move."""
    return rest[0] if single else rest.replace(",", " ").split()[0]


def impossible(number: int, name: str, names: dict[str, Action], known: set[str]) -> ZermeloError:
    """The sentence about a move that cannot be made: one that was possible earlier is told from one that never was."""
    reason = "is not possible any more" if name in known else "is not possible here"
    return ZermeloError(f"Move {number}, {name}, {reason}: possible are {listing(list(reversed(names)))}.")


def listing(names: Sequence[str], most: int = 20) -> str:
    """The names in a row; a long row is cut and its rest counted."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def read_board(game: Game, text: str) -> State:
    """The state that a board shows; it must be one that `show` would print, spaces and the size of letters apart."""
    show = getattr(game, "show", None)
    likeness = "" if show is None else f"; the start looks like {' / '.join(show(game.start()).strip().splitlines())}"
    try:
        state = ask(game, "read", text)
        hash(state)
        shown = text if show is None else show(state)
    except ZermeloError:
        raise
    except Exception as error:
        reason = str(error) or type(error).__name__
        raise ZermeloError(f"{text.strip()!r} is not a position of {type(game).__name__}: {reason}{likeness}.") from error
    if "".join(shown.split()).casefold() != "".join(text.split()).casefold():
        raise ZermeloError(f"{text.strip()!r} is not a position of {type(game).__name__}{likeness}.")
    return state


def reachable(game: Game, state: State) -> Position:
    """The state as a position, unless it is certain that no game leads to it."""
    if unreachable(game, state):
        raise ZermeloError(f"This board is not a position of {type(game).__name__}: no game leads to it.")
    return Position(state)


def unreachable(game: Game, wanted: State) -> bool:
    """Is it certain that no game leads to the state? Small games are looked through; of a large one this cannot be said."""
    start = game.start()
    seen, queue = {start}, [start]
    for state in queue:  # grows while it is read
        if state == wanted:
            return False
        for action in legal_actions(game, state):
            child = game.result(state, action)
            if child not in seen:
                seen.add(child)
                queue.append(child)
        if len(seen) > LOOK:
            return False
    return True


def format_moves(game: Game, state: State, actions: Sequence[Action]) -> str:
    """The moves from a state as `parse_moves` reads them: names of one character run together, names with spaces have commas."""
    names, single = [], True
    for action in actions:
        single = single and all(len(action_name(game, state, other)) == 1 for other in legal_actions(game, state))
        names.append(action_name(game, state, action))
        state = game.result(state, action)
    return ("" if single else ", " if any(" " in name for name in names) else " ").join(names)
