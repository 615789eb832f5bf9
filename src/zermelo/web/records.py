"""Games from elsewhere and for elsewhere: PGN (chess), SGF (games of setting stones), or a plain list of moves."""

import re

from zermelo.errors import ZermeloError
from zermelo.formats.position import format_moves
from zermelo.rules import CHANCE, Action, Game, State, action_name, legal_actions
from zermelo.web.measures import seat_name
from zermelo.web.views import board_of, place_of, spoken

__all__ = ["moves_in", "written"]

TAG = re.compile(r'^[ \t]*\[\s*\w+\s+"(?:[^"\\\n]|\\.)*"\s*\][ \t]*$', re.MULTILINE)
COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*|\$\d+")
VARIATION = re.compile(r"\([^()]*\)")
OPENED = {"[": "a tag", "{": "a comment", "}": "a comment", "(": "a variation", ")": "a variation"}
NUMBER = re.compile(r"^\d+\.+")
RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}
SGF_TOKEN = re.compile(r"[();]|(?P<name>[A-Za-z]+)|\[(?P<value>(?:[^\]\\]|\\.)*)\]", re.DOTALL)


def moves_in(game: Game, text: str) -> list[Action]:
    """The moves that a text tells, from the start of the game; a sentence that names the line and the move where one is not possible."""
    made = sgf_moves(game, text) if text.lstrip().startswith("(") else listed_moves(game, text)
    if not made:
        raise ZermeloError("There is no move in this text.")
    return made


def listed_moves(game: Game, text: str) -> list[Action]:
    """The moves of a PGN or of a plain list; what is no move gives way to as many ends of lines."""
    plain = text
    for pattern in (TAG, COMMENT):
        plain = pattern.sub(lambda found: "\n" * found[0].count("\n"), plain)
    while (shorter := VARIATION.sub(lambda found: "\n" * found[0].count("\n"), plain)) != plain:
        plain = shorter
    cut = re.search(r"^[ \t]*\[|[{}()]", plain, re.MULTILINE)
    state = game.start()
    made: list[Action] = []
    for number, line in enumerate(plain[: cut.start() if cut else None].splitlines(), 1):
        for word in line.replace(",", " ").split():
            word = NUMBER.sub("", word)
            if not word or word in RESULTS:
                continue
            for part in parts(game, state, word):
                action = find(game, state, part)
                if action is None:
                    raise impossible(game, state, number, part, made)
                state = game.result(state, action)
                made.append(action)
    if cut:
        what = f"{OPENED[cut[0].strip()]} is not closed, or never opened"
        raise cut_off(plain[: cut.start()], made, what)
    return made


def impossible(game: Game, state: State, line: int, word: str, made: list[Action]) -> ZermeloError:
    return ZermeloError(f"Line {line}: {word} is not possible as move {len(made) + 1}, where {mover(game, state)} is to move.")


def cut_off(before: str, made: list[Action], what: str) -> ZermeloError:
    place = f"after move {len(made)}" if made else "before the first move"
    return ZermeloError(f"Line {before.count(chr(10)) + 1}: the text is cut off {place}: {what}.")


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
    state = game.start()
    rows = (board_of(game, state) or {}).get("rows", ())
    made: list[Action] = []
    name, at, depth, ended = "", 0, 0, False  # the main line ends with the first bracket that closes
    while found := SGF_TOKEN.search(text, at):
        if text[at : found.start()].strip():
            break
        line, value = text[: found.start()].count("\n") + 1, found["value"]
        at, name = found.end(), found["name"] or name
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        ended = ended or found[0] == ")"
        if ended or value is None:
            continue
        if name == "SZ" and rows and value.split(":")[-1].strip() != str(len(rows)):
            raise ZermeloError(f"Line {line}: this game is played on a board of size {value}, the one here has {len(rows)} rows.")
        if name in ("AB", "AW", "AE"):
            raise ZermeloError(f"Line {line}: {name} sets up stones; only games from the start can be read here.")
        if name in ("B", "W"):
            action = sgf_action(game, state, value.strip(), len(rows))
            if action is None:
                raise impossible(game, state, line, f"{name}[{value}]", made)
            state = game.result(state, action)
            made.append(action)
    if depth or text[at:].strip():
        raise cut_off(text.rstrip(), made, "its brackets do not match")
    return made


def sgf_action(game: Game, state: State, letters: str, rows: int) -> Action | None:
    """The move that sets a stone there; nothing, or `tt` on a board without such a place, passes."""
    passes = not letters or (letters == "tt" and rows <= 19)
    if not passes and not re.fullmatch("[a-z]{2}", letters):
        return None
    place = None if passes else [ord(letters[1]) - ord("a"), ord(letters[0]) - ord("a")]
    return next((each for each, where in sgf_places(game, state).items() if where == place), None)


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
