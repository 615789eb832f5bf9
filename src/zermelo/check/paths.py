"""The states that are looked at, and the way to each: breadth first, so that the first way found is the shortest."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.rules import Action, Game, State, action_name, has

__all__ = ["NO_PARENT", "Atlas", "Position", "text"]

NO_PARENT = -1


@dataclass
class Position:
    """One state, and what the rules said about it."""

    number: int
    state: State
    parent: int  # number of the position before, NO_PARENT at the start
    action: Action  # that led here
    depth: int
    terminal: bool = False
    player: int = 0  # meaningless in a terminal state
    actions: tuple[Action, ...] = ()  # legal, chance's included
    weights: tuple[Any, ...] = ()  # of chance, one an action; none elsewhere
    children: tuple[State, ...] = ()  # [action's place] the state after it
    payoff: Any = None  # of a terminal state, as `utility` gives it
    dead_end: bool = False  # of a puzzle: not the end, and no way on
    sound: bool = False  # the six rules kept their promises here, so that knowledge can be asked


@dataclass
class Atlas:
    """All positions that were found."""

    game: Game
    positions: list[Position] = field(default_factory=list)
    numbers: dict[State, int] = field(default_factory=dict)

    def add(self, state: State, parent: int, action: Action) -> tuple[Position, bool]:
        """The position of a state, and whether it is new."""
        known = self.numbers.get(state)
        if known is not None:
            return self.positions[known], False
        depth = 0 if parent == NO_PARENT else self.positions[parent].depth + 1
        position = Position(len(self.positions), state, parent, action, depth)
        self.numbers[state] = position.number
        self.positions.append(position)
        return position, True

    def line(self, position: Position) -> list[tuple[State, Action]]:
        """States and actions from the start to this position."""
        steps: list[tuple[State, Action]] = []
        while position.parent != NO_PARENT:
            before = self.positions[position.parent]
            steps.append((before.state, position.action))
            position = before
        return steps[::-1]

    def moves(self, position: Position) -> tuple[str, ...]:
        """The names of the actions from the start to this position."""
        return tuple(self.name(state, action) for state, action in self.line(position))

    def name(self, state: State, action: Action) -> str:
        """The word for an action; its number where the rules cannot say."""
        return words(lambda: action_name(self.game, state, action), text(action))

    def show(self, state: State) -> str:
        """The state as the game shows it, as Python does where the game cannot."""
        show = getattr(self.game, "show", None)
        return words(lambda: show(state), text(state)) if has(self.game, "show") and show else text(state)


def text(value: Any) -> str:
    """A value as Python shows it, where it does: not an int of thousands of digits."""
    try:
        return repr(value)
    except ValueError:
        return f"a {type(value).__name__} with very many digits"


def words(say: Callable[[], Any], otherwise: str) -> str:
    """What the rules say, where they can: this is only used to describe a fault that was found already."""
    try:
        said = say()
    except Exception:
        return otherwise
    return said if isinstance(said, str) and said else otherwise
