"""A position as plain data for the page: the board's picture, which moves there are, and where on the board each of them is.

A board says nothing about moves. Where a click belongs is found by looking at the board after each move: the cell that is newly filled, the
one that was left, the heap that got smaller, the card that is gone. Where that tells nothing the page offers the moves by their names.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

from zermelo.draw.description import fault_of, owner_of
from zermelo.draw.grids import side_colours
from zermelo.draw.guessing import guessed_board
from zermelo.draw.picture import CELL
from zermelo.draw.pictures import picture_of
from zermelo.draw.pieces import chessman
from zermelo.errors import ZermeloError
from zermelo.play.match import Match
from zermelo.rules import CHANCE, MIN, Action, Game, State, action_name, ask, has, hidden_information
from zermelo.web.measures import seat_name

__all__ = ["board_of", "described", "drawn", "moves_of", "place_of", "public_board", "spoken", "taken", "text_of"]

Cell = tuple[int, int]
Side = Callable[[str], int]  # whose a mark is
MEN = {"q": 9, "r": 5, "b": 3, "n": 3, "p": 1}  # what chessmen are worth as people count
MOST_LOOKS = 400  # legal moves up to which each one's board is looked at


def described(game: Game, state: State) -> tuple[dict[str, Any] | None, str]:
    """What the board is, and what is wrong with it: a grid is guessed where the rules say nothing."""
    own = getattr(game, "board", None)
    if own is None:
        return guessed_board(game, state), ""
    try:
        data = own(state)
    except Exception as error:
        return None, f"board() fails with {type(error).__name__}: {str(error)[:200]}. Play goes on with text."
    if data is None:
        return None, ""
    fault = fault_of(data)
    return (None, f"{fault} Play goes on with text.") if fault else (dict(data), "")


def board_of(game: Game, state: State) -> dict[str, Any] | None:
    """What the board is; None where the game has none, or none that can be drawn."""
    return described(game, state)[0]


def painted(game: Game, board: Mapping[str, Any], moves: Sequence[Any]) -> dict[str, Any]:
    """Dots and lines in the colours of those who drew them, and the boxes with whoever closed them, as far as the match tells.

    Each of the moves has a `mover` and a `state`, the first being the beginning.
    """
    letters = [seat_name(game, seat)[0] for seat in range(game.players)]
    if len(set(letters)) < len(letters):
        letters = [str(seat + 1) for seat in range(game.players)]
    rows, columns = board["size"]
    boxes, lines, known = [[""] * columns for _ in range(rows)], [], set[tuple[Any, ...]]()
    for move in moves:
        new = {tuple(line) for line in (board_of(game, move.state) or board)["lines"]} - known
        known |= new
        lines += [[*line, max(0, move.mover)] for line in new]
        for row in range(rows):
            for column in range(columns):
                sides = {("h", row, column), ("h", row + 1, column), ("v", row, column), ("v", row, column + 1)}
                if sides <= known and sides & new and move.mover >= 0:
                    boxes[row][column] = letters[move.mover]
    return {**board, "lines": lines, "boxes": boxes, "owners": {letter: seat for seat, letter in enumerate(letters)}}


def drawn(board: Mapping[str, Any] | None, turned: bool = False) -> dict[str, Any] | None:
    """A board's picture for the page."""
    if board is None or fault_of(board):
        return None
    made = picture_of(board, turned).to_dict()
    made["sides"] = [fill for fill, _ in side_colours(board)]
    return {**made, "kind": board["kind"], "look": board.get("look", ""), "caption": str(board.get("caption") or "")}


def taken(first: Mapping[str, Any] | None, board: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The chessmen that each player has taken since the first board, and by how much who has taken more is ahead; None where none are."""
    if first is None or board is None or first.get("look") != "chess" or board.get("look") != "chess":
        return None
    then, now = (Counter(filter(None, cells_of(each["rows"]).values())) for each in (first, board))
    gone, come = then - now, now - then
    for pawn in "Pp":  # who was promoted was a pawn
        gone[pawn] -= sum(count for mark, count in come.items() if mark.isupper() == pawn.isupper())
    lost = ["".join(mark * gone[mark] for mark in order) for order in ("qrbnp", "QRBNP")]
    lead = sum(map(MEN.__getitem__, lost[0])) - sum(MEN[mark.lower()] for mark in lost[1])
    return {"men": lost, "figures": {mark: chessman(mark, CELL) for mark in set("".join(lost))}, "lead": lead} if any(lost) else None


def token(action: Action) -> int | str:
    """An action as a page names it: an int is itself, anything else its text."""
    return action if type(action) is int else repr(action)


def action_of(legal: Sequence[Action], wanted: int | str) -> Action:
    """The legal action that a page names."""
    for action in legal:
        if token(action) == wanted:
            return action
    raise ZermeloError("This move is not possible here.")


def spoken(game: Game, state: State, action: Action) -> str:
    """A move as its players say it, where that differs from its name: chess has its own notation for people."""
    say = getattr(game, "spoken", None)
    return action_name(game, state, action) if say is None else str(say(state, action))


def text_of(game: Game, state: State) -> str:
    """The board in letters; what the state consists of, where the rules do not say how it is shown."""
    if has(game, "show"):
        return str(ask(game, "show", state))
    parts = state._asdict() if hasattr(state, "_asdict") else vars(state) if is_dataclass(state) else {}
    return "\n".join(f"{name}: {value}" for name, value in parts.items()) or str(state)


def public_board(game: Game, state: State, viewer: int | None, over: bool) -> tuple[dict[str, Any] | None, str, str]:
    """Board, text and fault as one player may see them; everything once the game is over, or where nothing is hidden.

    Of cards and dice the player's own are open and the others' turned over; of anything else rules may give `seen_board(state, player)`.
    """
    if over or not hidden_information(game):
        board, fault = described(game, state)
        return board, text_of(game, state), fault
    if viewer is None or viewer == CHANCE:
        return None, "Nobody may look now.", ""
    known = ask(game, "information", state, viewer)
    words = str(ask(game, "name_information", known)) if has(game, "name_information") else str(known)
    seen = getattr(game, "seen_board", None)
    board = dict(seen(state, viewer)) if seen is not None else turned_over(game, board_of(game, state), viewer)
    return board, f"What you know: {words}", ""


def turned_over(game: Game, board: dict[str, Any] | None, viewer: int) -> dict[str, Any] | None:
    """The board with the other players' hands and cups hidden; None where it cannot be told whose is what."""
    if board is None:
        return None
    if board.get("kind") == "cards" and isinstance(board.get("hands"), Mapping):
        hands = board["hands"]
        owners = {name: seat for seat in range(game.players) for name in (f"Player {seat + 1}", seat_name(game, seat))}
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
    seen, before = getattr(game, "seen_board", None), None
    if places and secret:
        before = None if seen is None else dict(seen(state, match.mover))
    elif places and len(legal) <= MOST_LOOKS and match.mover != CHANCE:
        before = board_of(game, state)
    own = getattr(game, "move_on_board", None)
    hidden = hidden_places(before, legal) if secret and before is not None else {}
    made = []
    for action in legal:
        move: dict[str, Any] = {"action": token(action), "name": spoken(game, state, action)}
        if own is not None and places:
            move |= dict(own(state, action))
        elif secret:
            move |= {"to": hidden[action]} if action in hidden else {}
        elif before is not None:
            move |= place_of(before, board_of(game, game.result(state, action)), match.mover)
        made.append(move)
    return laid(made, before)


def laid(moves: list[dict[str, Any]], board: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """A piece of two cells that is laid is told by its first cell alone, where that is enough."""
    if board is None or board["kind"] != "grid":
        return moves
    cells = cells_of(board["rows"])
    firsts = [tuple(move["from"]) for move in moves if "to" in move and "from" in move and cells.get(tuple(move["from"])) == ""]
    if not firsts or len(set(firsts)) != len(firsts) or len(firsts) != len(moves):
        return moves
    return [{**{name: part for name, part in move.items() if name != "from"}, "to": move["from"]} for move in moves]


def hidden_places(board: Mapping[str, Any], legal: Sequence[Action]) -> dict[Action, list[int]]:
    """Where moves are on a board of which a player sees a part: actions may count its cells, if all that are possible are empty there."""
    cells = list(cells_of(board["rows"]).items()) if board.get("kind") == "grid" else []
    if not all(type(action) is int and 0 <= action < len(cells) and not cells[action][1] for action in legal):
        return {}
    return {action: list(cells[action][0]) for action in legal}


def place_of(before: Mapping[str, Any], after: Mapping[str, Any] | None, mover: int = 0) -> dict[str, Any]:
    """Where on the board a move is: `to` and `from`, as far as the two boards tell."""
    if after is None or after.get("kind") != before.get("kind"):
        return {}
    return PLACES[before["kind"]](before, after, mover)


def rows_place(before: Mapping[str, Any], after: Mapping[str, Any], mover: int) -> dict[str, Any]:
    """The wall that is new, or what has moved on the cells, between hand and board, and what was built besides."""
    if before.get("look") == "doubling":  # every tile slides
        return {}
    new = [wall for wall in after.get("walls", ()) if wall not in before.get("walls", ())]
    if new:
        return {"to": list(new[0])} if len(new) == 1 else {}
    joined = before.get("look") == "joined"
    place = (joined_place if joined else grid_place)(before["rows"], after["rows"], lambda mark: side_of(before, mark))
    floor = [cell for cell in after.get("floor", ()) if cell not in before.get("floor", ())]
    if "to" in place and "then" not in place and len(floor) == 1:
        place["then"] = list(floor[0][:2])
    held = [] if "from" in place else hand_place(before.get("hands", {}), after.get("hands", {}))
    return place | ({"from": held} if held else {})


def side_of(board: Mapping[str, Any], mark: str) -> int:
    """Whose a mark is, on a chessboard by its case; -1 where that is not told."""
    return int(mark.islower()) if board.get("look") == "chess" else owner_of(board, mark)


def hand_place(before: Mapping[str, Sequence[Any]], after: Mapping[str, Sequence[Any]]) -> list[Any]:
    """The first place of a hand from which a piece is gone."""
    for owner, held in before.items():
        kept = list(after.get(owner, ()))
        for index, mark in enumerate(held):
            if kept.count(mark) < list(held).count(mark):
                return [owner, index]
    return []


def joined_place(before: Sequence[Sequence[Any]], after: Sequence[Sequence[Any]], side: Side) -> dict[str, Any]:
    """A piece of several cells that has slid, from its first cell to the foremost; two cells that are newly filled are taken one by one."""
    old, new = cells_of(before), cells_of(after)
    filled = [cell for cell in new if new[cell] and not old.get(cell)]
    marks = {new[cell] for cell in filled}
    if len(marks) != 1:
        return {}
    was, now = (sorted(cell for cell, mark in cells.items() if mark in marks) for cells in (old, new))
    if not was:
        return {"from": list(filled[0]), "to": list(filled[1])} if len(filled) == 2 else {"to": list(filled[0])}
    return {"from": list(was[0]), "to": list(now[-1] if now > was else now[0])}


def cells_of(rows: Sequence[Sequence[Any]]) -> dict[tuple[int, int], str]:
    return {(r, c): text(mark) for r, row in enumerate(rows) for c, mark in enumerate(row)}


def graph_place(before: Mapping[str, Any], after: Mapping[str, Any], mover: int) -> dict[str, Any]:
    found = grid_place([before["marks"]], [after["marks"]], lambda mark: owner_of(before, mark))
    return {name: [place[1]] for name, place in found.items()}


def pegs_place(before: Mapping[str, Any], after: Mapping[str, Any], mover: int) -> dict[str, Any]:
    """The peg that has lost a disc, and the one that has it now."""
    sizes = [(len(old), len(new)) for old, new in zip(before["pegs"], after["pegs"], strict=False)]
    left = [[str(peg)] for peg, (old, new) in enumerate(sizes) if new < old]
    reached = [[str(peg)] for peg, (old, new) in enumerate(sizes) if new > old]
    return {"from": left[0], "to": reached[0]} if len(left) == len(reached) == 1 else {}


def pits_place(before: Mapping[str, Any], after: Mapping[str, Any], mover: int) -> dict[str, Any]:
    """The pit of the mover's own row that has become less; captures empty pits of the other."""
    row = 0 if mover == MIN else 1
    pairs = zip(before["rows"][row], after["rows"][row], strict=True)
    less = [[row, column] for column, (old, new) in enumerate(pairs) if new < old]
    if len(less) > 1:  # what was left in the last pits goes to the stores at the end
        return {}
    return {"to": less[0]} if less else {}


def piles_place(before: Mapping[str, Any], after: Mapping[str, Any], mover: int) -> dict[str, Any]:
    changed = [(index, size) for index, (old, size) in enumerate(zip(before["piles"], after["piles"], strict=False)) if size < old]
    return {"to": list(changed[0])} if len(changed) == 1 and len(before["piles"]) == len(after["piles"]) else {}


def dots_place(before: Mapping[str, Any], after: Mapping[str, Any], mover: int) -> dict[str, Any]:
    new = [line for line in after["lines"] if line not in before["lines"]]
    return {"to": list(new[0])} if len(new) == 1 else {}


def cards_place(before: Mapping[str, Any], after: Mapping[str, Any], mover: int) -> dict[str, Any]:
    return card_place(before.get("hands", {}), after.get("hands", {}))


def points_place(before: Mapping[str, Any], after: Mapping[str, Any], mover: int) -> dict[str, Any]:
    """The point that one of the mover's checkers has left, and the one that it has reached; the bar and what is off are places too."""

    def checkers(board: Mapping[str, Any]) -> dict[str, int]:
        held = {str(number): count for number, (mark, count) in enumerate(board["points"], 1) if owner_of(board, str(mark)) == mover}
        return {**held, "bar": board["bar"][mover], "off": board["off"][mover]}

    old, new = checkers(before), checkers(after)
    left = [key for key in old if new.get(key, 0) < old[key]]
    reached = [key for key in new if new[key] > old.get(key, 0)]
    return {"from": left, "to": reached} if len(left) == len(reached) == 1 else {}


def dice_place(before: Mapping[str, Any], after: Mapping[str, Any], mover: int) -> dict[str, Any]:
    """The row of the score sheet that is open no longer."""
    rows = zip(before.get("table", ()), after.get("table", ()), strict=False)
    closed = [[str(old[0])] for old, new in rows if len(old) > 2 and old[2] and not new[2]]
    return {"to": closed[0]} if len(closed) == 1 else {}


PLACES = {
    "grid": rows_place,
    "hexes": rows_place,
    "graph": graph_place,
    "pegs": pegs_place,
    "pits": pits_place,
    "piles": piles_place,
    "dots": dots_place,
    "cards": cards_place,
    "dice": dice_place,
    "points": points_place,
}


def grid_place(before: Sequence[Sequence[Any]], after: Sequence[Sequence[Any]], side: Side) -> dict[str, Any]:
    """From where to where one piece has moved, and what else was filled; else the one cell that is newly filled, or taken over."""
    if [len(row) for row in before] != [len(row) for row in after]:
        return {}
    old, new = cells_of(before), cells_of(after)
    changed = [cell for cell in old if old[cell] != new[cell]]
    filled = [cell for cell in changed if not old[cell]]
    left = [cell for cell in changed if not new[cell]]
    moved = moved_piece(old, new, changed)
    if moved:
        more = [cell for cell in changed if new[cell] and cell != moved[1]]
        more = more if len(more) < 2 else [cell for cell in more if cell != moved[0]]  # what is left behind is not chosen
        return {"from": list(moved[0]), "to": list(moved[1])} | ({"then": list(more[0])} if len(more) == 1 else {})
    if len(filled) == 2 and len(changed) == 2 and new[filled[0]] == new[filled[1]]:
        return {"from": list(filled[0]), "to": list(filled[1])}
    taken = [cell for cell in changed if old[cell] and new[cell]]
    if left and not filled and not taken:  # something is only taken away: the move is where that begins
        return {"to": list(left[0])}
    to = filled[0] if len(filled) == 1 else taken[0] if not filled and len(taken) == 1 else None
    if to is None:
        return {}
    mine = [cell for cell in left if side(old[cell]) == side(new[to])]  # what was captured is somebody else's
    mine = [cell for cell in mine if all(between(other, cell, to) for other in mine if other != cell)]  # or was jumped over
    return {"to": list(to)} | ({"from": list(mine[0])} if len(mine) == 1 else {})


def between(cell: Cell, one: Cell, other: Cell) -> bool:
    """Does a cell lie on the straight line from one to another, nearer to either than they are?"""
    (down, right), (far_down, far_right) = (cell[0] - one[0], cell[1] - one[1]), (other[0] - one[0], other[1] - one[1])
    return down * far_right == right * far_down and 0 < down * far_down + right * far_right < far_down**2 + far_right**2


def moved_piece(old: Mapping[Cell, str], new: Mapping[Cell, str], changed: Sequence[Cell]) -> tuple[Cell, Cell] | None:
    """The one mark that is gone from a cell and has come to another; of two, the one that nobody has twice, such as a king that castles."""
    found = {}
    for mark in {old[cell] for cell in changed} - {""}:
        gone = [cell for cell in changed if old[cell] == mark]
        came = [cell for cell in changed if new[cell] == mark]
        if len(gone) == len(came) == 1:
            found[mark] = gone[0], came[0]
    alone = [mark for mark in found if list(old.values()).count(mark) == 1] if len(found) > 1 else list(found)
    return found[alone[0]] if len(alone) == 1 else None


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
