"""A position as plain data for the page: what is on the board, which moves there are, and where on the board each of them is.

A board says nothing about moves. Where a click belongs is found by looking at the board after each move: the cell that is newly filled, the
one that was left, the heap that got smaller, the card that is gone. Where that tells nothing the page offers the moves by their names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

from zermelo.play.match import Match
from zermelo.rules import CHANCE, Game, State, action_name, ask, has, hidden_information, player_name

__all__ = ["board_of", "moves_of", "place_of", "public_board", "text_of"]

MOST_LOOKS = 400  # legal moves up to which each one's board is looked at


def board_of(game: Game, state: State) -> dict[str, Any] | None:
    """The game's plain data; None where it has none."""
    drawn = getattr(game, "board", None)
    data = None if drawn is None else drawn(state)
    return dict(data) if isinstance(data, Mapping) else None


def text_of(game: Game, state: State) -> str:
    """The board in letters; what the state consists of, where the rules do not say how it is shown."""
    if has(game, "show"):
        return str(ask(game, "show", state))
    parts = state._asdict() if hasattr(state, "_asdict") else vars(state) if is_dataclass(state) else {}
    return "\n".join(f"{name}: {value}" for name, value in parts.items()) or str(state)


def public_board(game: Game, state: State, viewer: int | None, over: bool) -> tuple[dict[str, Any] | None, str]:
    """Board and text as one player may see them; everything once the game is over, or where nothing is hidden.

    Of cards and dice the player's own are open and the others' turned over; of anything else hidden there are words only.
    """
    if over or not hidden_information(game):
        return named_hands(game, board_of(game, state)), text_of(game, state)
    if viewer is None or viewer == CHANCE:
        return None, "Nobody may look now."
    known = ask(game, "information", state, viewer)
    words = str(ask(game, "name_information", known)) if has(game, "name_information") else str(known)
    return named_hands(game, turned_over(game, board_of(game, state), viewer)), f"What you know: {words}"


def named_hands(game: Game, board: dict[str, Any] | None) -> dict[str, Any] | None:
    """The board with hands by the names that the seats have."""
    if board is None or board.get("kind") != "cards" or not isinstance(board.get("hands"), Mapping):
        return board
    names = {f"Player {seat + 1}": player_name(game, seat) for seat in range(game.players)}
    return {**board, "hands": {names.get(owner, owner): cards for owner, cards in board["hands"].items()}}


def turned_over(game: Game, board: dict[str, Any] | None, viewer: int) -> dict[str, Any] | None:
    """The board with the other players' hands and cups hidden; None where it cannot be told whose is what."""
    if board is None:
        return None
    if board.get("kind") == "cards" and isinstance(board.get("hands"), Mapping):
        hands = board["hands"]
        owners = {name: seat for seat in range(game.players) for name in (f"Player {seat + 1}", player_name(game, seat))}
        if not any(name in owners for name in hands):
            return None
        return {
            **board,
            "hands": {name: cards if owners.get(name, viewer) == viewer else ["?"] * len(cards) for name, cards in hands.items()},
        }
    if board.get("kind") == "dice" and isinstance(board.get("dice"), list) and len(board["dice"]) == game.players:
        return {**board, "dice": [cup if seat == viewer else ["?"] * len(cup) for seat, cup in enumerate(board["dice"])]}
    return None


def moves_of(match: Match, secret: bool, places: bool = True) -> list[dict[str, Any]]:
    """The legal moves with their names and, where the board shows it and somebody may click there, their places."""
    game, state = match.game, match.state
    legal = match.legal
    before = None if secret or not places or len(legal) > MOST_LOOKS or match.mover == CHANCE else board_of(game, state)
    made = []
    for action in legal:
        move: dict[str, Any] = {"action": action, "name": action_name(game, state, action)}
        if before is not None:
            move |= place_of(before, board_of(game, game.result(state, action)))
        made.append(move)
    return made


def place_of(before: Mapping[str, Any], after: Mapping[str, Any] | None) -> dict[str, Any]:
    """Where on the board a move is: `to` and `from`, as far as the two boards tell."""
    if after is None or after.get("kind") != before.get("kind"):
        return {}
    kind = before["kind"]
    if kind in ("grid", "hexes"):
        return grid_place(before["rows"], after["rows"])
    if kind == "piles":
        changed = [(index, size) for index, (old, size) in enumerate(zip(before["piles"], after["piles"], strict=False)) if size < old]
        return {"to": list(changed[0])} if len(changed) == 1 and len(before["piles"]) == len(after["piles"]) else {}
    if kind == "cards":
        return card_place(before.get("hands", {}), after.get("hands", {}))
    return {}


def grid_place(before: Sequence[Sequence[Any]], after: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """The one cell that is newly filled (or, failing that, taken over), and the one that was left."""
    if [len(row) for row in before] != [len(row) for row in after]:
        return {}
    cells = [(r, c, text(before[r][c]), text(after[r][c])) for r in range(len(before)) for c in range(len(before[r]))]
    changed = [cell for cell in cells if cell[2] != cell[3]]
    filled = [[r, c] for r, c, old, new in changed if not old and new]
    left = [[r, c] for r, c, old, new in changed if old and not new]
    taken = [[r, c] for r, c, old, new in changed if old and new]
    place: dict[str, Any] = {}
    if len(filled) == 1:
        place["to"] = filled[0]
    elif not filled and len(taken) == 1:
        place["to"] = taken[0]
    if len(left) == 1:
        place["from"] = left[0]
    elif left and "to" in place:  # several are gone: those between are captured; the mover's own stone is the one that arrived
        r, c = place["to"]
        same = [cell for cell in left if text(before[cell[0]][cell[1]]).lower() == text(after[r][c]).lower()]
        if len(same) == 1:
            place["from"] = same[0]
    if not place and (sown := emptied(changed)) is not None:
        place["to"] = sown
    return place


def emptied(changed: Sequence[tuple[int, int, str, str]]) -> list[int] | None:
    """Where seeds are sown, the one hole that has become less; None where the marks are no numbers, or it cannot be told."""
    if len(changed) < 2 or not all((old or "0").isdigit() and (new or "0").isdigit() for _, _, old, new in changed):
        return None
    less = [[r, c] for r, c, old, new in changed if int(new or "0") < int(old or "0")]
    return less[0] if len(less) == 1 and sum(int(new or "0") - int(old or "0") for _, _, old, new in changed) == 0 else None


def text(cell: Any) -> str:
    """A cell's mark; nothing in an empty one."""
    return "" if cell is None or str(cell) in ("", ".") else str(cell)


def card_place(before: Mapping[str, Sequence[Any]], after: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """The one card that is gone from a hand."""
    gone = [
        [owner, index]
        for owner, cards in before.items()
        for index, card in enumerate(cards)
        if owner in after and len(after[owner]) < len(cards) and list(after[owner]).count(card) < list(cards).count(card)
    ]
    return {"from": gone[0]} if len(gone) == 1 else {}
