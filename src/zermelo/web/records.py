"""Games from elsewhere and for elsewhere: PGN (chess), SGF (games of setting stones), or a plain list of moves."""

import re

from zermelo.errors import ZermeloError
from zermelo.formats.position import format_moves
from zermelo.rules import CHANCE, Action, Game, State, action_name, legal_actions
from zermelo.web.measures import seat_name
from zermelo.web.views import board_of, place_of, spoken

__all__ = ["moves_in", "written"]

TAG = re.compile(r"^\s*\[[^\]]*\]\s*$", re.MULTILINE)
COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*|\$\d+")
NUMBER = re.compile(r"^\d+\.+")
RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}
SGF_MOVE = re.compile(r";\s*([BW])\s*\[([a-z]{0,2})\]")
CUT = "The text of the game is cut off"


def moves_in(game: Game, text: str) -> list[Action]:
    """The moves that a text tells, from the start of the game; a sentence that names the line and the move where one is not possible."""
    if text.lstrip().startswith("("):
        return sgf_moves(game, text)
    plain = TAG.sub("", text)
    if plain.count("{") != plain.count("}"):
        raise ZermeloError(f"{CUT}: a comment that is opened with a brace is never closed.")
    plain = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), plain)
    while (shorter := re.sub(r"\([^()]*\)", "", plain)) != plain:  # variations
        plain = shorter
    if "(" in plain or ")" in plain:
        raise ZermeloError(f"{CUT}: a variation's brackets do not match.")
    state = game.start()
    made: list[Action] = []
    for number, line in enumerate(plain.splitlines(), 1):
        for word in line.replace(",", " ").split():
            word = NUMBER.sub("", word)
            if not word or word in RESULTS:
                continue
            for part in parts(game, state, word):
                action = find(game, state, part)
                if action is None:
                    raise ZermeloError(
                        f"Line {number}: {part} is not possible as move {len(made) + 1}, where {mover(game, state)} is to move."
                    )
                state = game.result(state, action)
                made.append(action)
    if not made:
        raise ZermeloError("There is no move in this text.")
    return made


def parts(game: Game, state: State, word: str) -> list[str]:
    """The moves in one word: itself, or its letters where every name has one."""
    names = [] if game.terminal(state) else [action_name(game, state, action) for action in legal_actions(game, state)]
    alone = all(len(name) == 1 for name in names) and len(word) > 1 and find(game, state, word) is None
    return list(word) if alone else [word]


def mover(game: Game, state: State) -> str:
    return "nobody" if game.terminal(state) else seat_name(game, game.player(state))


def find(game: Game, state: State, word: str) -> Action | None:
    """The move of this name, written as players write it or as an address does; signs of praise and check do not count."""
    if game.terminal(state):
        return None
    bare = word.rstrip("!?+#").replace("0-0", "O-O")
    for action in legal_actions(game, state):
        if bare in (action_name(game, state, action), spoken(game, state, action).rstrip("+#")):
            return action
    return None


def sgf_moves(game: Game, text: str) -> list[Action]:
    """The main line of an SGF: letters are column and row from the upper left."""
    if text.count("(") != text.count(")"):
        raise ZermeloError(f"{CUT}: its brackets do not match.")
    main = text.split(")", 1)[0]
    state = game.start()
    made: list[Action] = []
    for found in SGF_MOVE.finditer(main):
        line = main[: found.start()].count("\n") + 1
        place = [ord(found[2][1]) - ord("a"), ord(found[2][0]) - ord("a")] if len(found[2]) == 2 else None
        action = next((each for each, where in sgf_places(game, state).items() if where == place), None)
        if action is None:
            raise ZermeloError(
                f"Line {line}: {found[1]}[{found[2]}] is not possible as move {len(made) + 1}, where {mover(game, state)} is to move."
            )
        state = game.result(state, action)
        made.append(action)
    if not made:
        raise ZermeloError("There is no move in this SGF.")
    return made


def sgf_places(game: Game, state: State) -> dict[Action, list[int] | None]:
    """Where each legal move sets its stone; None for a pass."""
    before = board_of(game, state)
    if game.terminal(state) or before is None or before["kind"] not in ("grid", "hexes"):
        return {}
    who = game.player(state)
    return {action: place_of(before, board_of(game, game.result(state, action)), who).get("to") for action in legal_actions(game, state)}


def written(game: Game, start: State, actions: list[Action], outcome: str) -> tuple[str, str]:
    """A game as text, and the ending of its file: PGN where moves have a notation of their own, SGF of stones, otherwise the moves."""
    if getattr(game, "spoken", None) is not None:
        return pgn(game, start, actions, outcome), "pgn"
    look = str((board_of(game, start) or {}).get("look", ""))
    if look in ("go", "othello") and not any(game.player(state) == CHANCE for state in states(game, start, actions)):
        return sgf(game, start, actions), "sgf"
    return format_moves(game, start, actions) + "\n", "txt"


def states(game: Game, state: State, actions: list[Action]) -> list[State]:
    """The positions before each move."""
    found = []
    for action in actions:
        found.append(state)
        state = game.result(state, action)
    return found


def pgn(game: Game, start: State, actions: list[Action], outcome: str) -> str:
    words = []
    for number, (state, action) in enumerate(zip(states(game, start, actions), actions, strict=True)):
        if number % 2 == 0:
            words.append(f"{number // 2 + 1}.")
        words.append(spoken(game, state, action))
    lines, line = [], ""
    for word in [*words, outcome]:
        if len(line) + len(word) > 78:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return f'[Event "Zermelo"]\n[Result "{outcome}"]\n\n' + "\n".join([*lines, line]) + "\n"


def sgf(game: Game, start: State, actions: list[Action]) -> str:
    board = board_of(game, start) or {"rows": []}
    parts_ = []
    for state, action in zip(states(game, start, actions), actions, strict=True):
        place = sgf_places(game, state).get(action)
        letters = "" if place is None else chr(ord("a") + place[1]) + chr(ord("a") + place[0])
        parts_.append(f";{'BW'[game.player(state)]}[{letters}]")
    return f"(;FF[4]CA[UTF-8]AP[Zermelo]SZ[{len(board['rows'])}]{''.join(parts_)})\n"
