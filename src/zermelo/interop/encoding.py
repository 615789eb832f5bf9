"""A game in arrays of a fixed shape: what learning libraries ask for before they have seen a move.

**Actions** keep their numbers: action 3 of the rules is 3 of the action space, so that a trained policy never depends on what was seen
when. Only the size of the space has to be found: the largest action that is seen, and 1.

**Observations** are zeros and ones, whole numbers taken apart into their bits, because a bitboard is a picture and not a quantity:

    who looks          one bit a player
    what they know     `information` of the rules, the state where nothing is hidden: number by number, lowest bit first, each less the
                       lowest that was seen; where lengths differ, how many numbers there are comes first and the rest is 0.
                       A text is its length and its letters' codes
    or the board       where asked for, or where an open state is no numbers (chess): a plane a mark, a plane a player, filled for who moves

The rules do not say how large their numbers grow, so that is looked up: in every state where there are few, otherwise in the first ones
and in random games, and then each number gets a bit to spare. An encoding is plain data: save it beside what was trained with it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Literal

from zermelo.errors import ZermeloError, from_json
from zermelo.rules import CHANCE, Action, Game, State, ask, has, hidden_information, knowledge, legal_actions

__all__ = ["Encoding", "Observe", "encode", "load", "save"]

Observe = Literal["knowledge", "board"]

FEW = 10_000  # states that are all looked at
MORE = 20_000  # states of random games besides, where there are more than a few
LONG = 1_000  # moves after which a random game is given up
LARGEST = 1 << 20  # actions of a space


@dataclass(frozen=True)
class Encoding:
    """Shapes and sizes, for one game."""

    rules: str  # the game that it is for, as Python shows it
    players: int
    actions: int  # one more than the largest action of a player
    chances: int  # one more than the largest action of chance; 0 where chance never moves
    complete: bool  # every state was looked at, so that nothing can turn out larger
    lows: tuple[int, ...] = ()  # [place] the lowest number there
    widths: tuple[int, ...] = ()  # [place] bits of the numbers there
    counted: bool = False  # how many numbers there are differs, and is the first of them
    marks: tuple[str, ...] = ()  # of the board, where that is observed; otherwise none
    rows: int = 0
    columns: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        """Of an observation."""
        if self.marks:
            return (len(self.marks) + self.players, self.rows, self.columns)
        return (self.players + sum(self.widths),)

    def observation(self, game: Game, state: State, player: int) -> list[int]:
        """What a player sees, in zeros and ones; `shape` says how they lie."""
        if self.marks:
            return self._planes(game, state)
        seen = [int(seat == player) for seat in range(self.players)]
        values = numbers(game, state, player)
        if self.counted:
            values = [len(values), *values]
        if len(values) > len(self.widths) or (not self.counted and len(values) < len(self.widths)):
            raise self._surprise(f"{len(values)} numbers are known")
        for place, width in enumerate(self.widths):
            value = values[place] - self.lows[place] if place < len(values) else 0
            if not 0 <= value < 1 << width:
                raise self._surprise(f"the number in place {place + 1} is {values[place]}")
            seen += [value >> bit & 1 for bit in range(width)]
        return seen

    def _planes(self, game: Game, state: State) -> list[int]:
        cells = [mark for row in grid(game, state) for mark in row]
        strange = set(cells) - {"", *self.marks}
        if strange or len(cells) != self.rows * self.columns:
            raise self._surprise(f"the board has {', '.join(sorted(strange)) or f'{len(cells)} cells'}")
        mover = None if game.terminal(state) else game.player(state)
        planes = [int(cell == mark) for mark in self.marks for cell in cells]
        return planes + [int(seat == mover) for seat in range(self.players) for _ in cells]

    def mask(self, legal: Sequence[Action]) -> list[int]:
        """1 for every action that is possible."""
        possible = [0] * self.actions
        for action in legal:
            if not 0 <= action < self.actions:
                raise self._surprise(f"action {action} is possible")
            possible[action] = 1
        return possible

    def _surprise(self, what: str) -> ZermeloError:
        return ZermeloError(
            f"{self.rules}: {what}, which was never seen when its encoding was made; make one that looks at more: encode(game, look=…)."
        )


def encode(game: Game, observe: Observe | None = None, look: int = MORE, seed: int = 0) -> Encoding:
    """The encoding that fits a game, from a look at its states; `look` is how many of random games are looked at where there are many.

    `observe` chooses what is seen; by default what players know, and the board where that is no numbers.
    """
    if look < 1:
        raise ZermeloError(f"An encoding must look at one state at least, not at {look}.")
    states, complete = first_states(game, FEW)
    observe = observe or ("knowledge" if numeric(game) or hidden_information(game) else "board")
    if observe == "board" and hidden_information(game):
        raise ZermeloError(f"{type(game).__name__} hides something that its board shows: observe what players know instead.")
    glance = _Glance(game, observe)
    for state in states:
        glance.at(state)
    if not complete:
        for state in random_walk(game, look, Random(seed)):
            glance.at(state)
    return glance.encoding(complete)


class _Glance:
    """What was seen so far."""

    def __init__(self, game: Game, observe: Observe) -> None:
        self.game, self.observe = game, observe
        self.actions = self.chances = 0
        self.lengths: set[int] = set()
        self.lows: list[int] = []
        self.highs: list[int] = []
        self.marks: set[str] = set()
        self.size = (0, 0)

    def at(self, state: State) -> None:
        legal = legal_actions(self.game, state)
        for action in legal:
            if not isinstance(action, int) or not 0 <= action < LARGEST:
                raise ZermeloError(
                    f"{type(self.game).__name__} has an action {action!r} outside 0 to {LARGEST - 1}: "
                    "number actions from 0 to make an action space."
                )
        if legal and self.game.player(state) == CHANCE:
            self.chances = max(self.chances, 1 + max(legal))
        elif legal:
            self.actions = max(self.actions, 1 + max(legal))
        if self.observe == "board":
            rows = grid(self.game, state)
            self.size = (len(rows), len(rows[0]))
            self.marks.update(mark for row in rows for mark in row)
        else:
            for player in range(self.game.players):
                self.note(numbers(self.game, state, player))

    def note(self, values: list[int]) -> None:
        self.lengths.add(len(values))
        for place, value in enumerate(values):
            if place == len(self.lows):
                self.lows.append(min(0, value))
                self.highs.append(value)
            self.lows[place] = min(self.lows[place], value)
            self.highs[place] = max(self.highs[place], value)

    def encoding(self, complete: bool) -> Encoding:
        game, spare = self.game, 0 if complete else 1
        sizes = Encoding(repr(game), game.players, self.actions, self.chances, complete)
        if self.observe == "board":
            return replace(sizes, marks=tuple(sorted(self.marks - {""})), rows=self.size[0], columns=self.size[1])
        lows, highs = self.lows, self.highs
        counted = len(self.lengths) > 1
        if counted:
            lows, highs = [0, *lows], [len(highs), *highs]
        lows = [low << spare for low in lows]
        widths = [(high - low).bit_length() + spare for low, high in zip(lows, highs, strict=True)]
        return replace(sizes, lows=tuple(lows), widths=tuple(widths), counted=counted)


def first_states(game: Game, limit: int) -> tuple[list[State], bool]:
    """States from the start, breadth first, and whether these are all."""
    start = game.start()
    seen, queue = {start}, [start]
    for state in queue:  # grows while it is read
        for action in legal_actions(game, state):
            child = game.result(state, action)
            if child not in seen:
                if len(queue) >= limit:
                    return queue, False
                seen.add(child)
                queue.append(child)
    return queue, True


def random_walk(game: Game, most: int, random: Random) -> Iterator[State]:
    """States of random games."""
    state, moves = game.start(), 0
    for _ in range(most):
        yield state
        legal = legal_actions(game, state)
        if not legal or moves == LONG:
            state, moves = game.start(), 0
        else:
            state, moves = game.result(state, random.choice(legal)), moves + 1


def numeric(game: Game) -> bool:
    """Is what players know made of whole numbers alone?"""

    def whole(known: Any) -> bool:
        return all(map(whole, known)) if isinstance(known, tuple) else isinstance(known, int)

    return whole(knowledge(game, game.start(), 0))


def numbers(game: Game, state: State, player: int) -> list[int]:
    """What a player knows, number by number."""
    flat = list(flattened(knowledge(game, state, player)))
    if not all(isinstance(value, int) for value in flat):
        raise ZermeloError(f"What players of {type(game).__name__} know is no row of numbers and texts: observe the board instead.")
    return [int(value) for value in flat]


def flattened(known: Any) -> Iterator[Any]:
    if isinstance(known, tuple):
        for part in known:
            yield from flattened(part)
    elif isinstance(known, str):
        yield len(known)
        yield from map(ord, known)
    else:
        yield known


def grid(game: Game, state: State) -> list[list[str]]:
    """The marks on the board, row by row."""
    board = ask(game, "board", state) if has(game, "board") else None
    if not board or board.get("kind") != "grid":
        raise ZermeloError(f"{type(game).__name__} has no board of rows and columns to observe.")
    rows: list[list[str]] = board["rows"]
    return rows


def save(encoding: Encoding, path: Path) -> None:
    """Writes the encoding as JSON."""
    path.write_text(json.dumps({"zermelo": "encoding", **asdict(encoding)}, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def load(path: Path, game: Game) -> Encoding:
    """The encoding in a file, which must be one of this game."""
    try:
        document = from_json(path.read_text(encoding="utf-8"))
        if document.pop("zermelo") != "encoding":
            raise KeyError("encoding")
        parts: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in document.items()}
        encoding = Encoding(**parts)
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ZermeloError(f"{path} is not a saved encoding.") from None
    if encoding.rules != repr(game):
        raise ZermeloError(f"{path} is the encoding of {encoding.rules}, not of {game!r}: make one with encode(game).")
    return encoding
