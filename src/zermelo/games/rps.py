"""Rock, paper, scissors: both players choose at the same moment; rock beats scissors, scissors beat paper, paper beats rock.

Simultaneous moves are written one after the other: the second player chooses without knowing the first choice.
Source: J. von Neumann and O. Morgenstern, Theory of Games and Economic Behavior (1944), section 18.4, "Stone, Paper, Scissors".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import MAX, MIN, Game, player_name

__all__ = ["OPEN", "Choices", "RockPaperScissors"]

NAMES = ("rock", "paper", "scissors")  # each beats the one before it, rock beats the last
OPEN = -1  # not chosen yet


class Choices(NamedTuple):
    first: int  # Max's choice
    second: int  # Min's choice


@dataclass(frozen=True)
class RockPaperScissors(Game):
    """Two choices made at the same moment."""

    payoffs = (-1, 1)
    seats = ("Left", "Right")

    def start(self) -> Choices:
        return Choices(OPEN, OPEN)

    def player(self, choices: Choices) -> int:
        return MAX if choices.first == OPEN else MIN

    def actions(self, choices: Choices) -> Iterator[int]:
        if choices.second == OPEN:
            yield from range(3)

    def result(self, choices: Choices, action: int) -> Choices:
        return Choices(action, OPEN) if choices.first == OPEN else Choices(choices.first, action)

    def terminal(self, choices: Choices) -> bool:
        return choices.second != OPEN

    def utility(self, choices: Choices) -> int:
        return (0, 1, -1)[(choices.first - choices.second) % 3]

    def information(self, choices: Choices, player: int) -> tuple[int, int]:
        """His own choice; both once both are made."""
        if choices.second != OPEN:
            return choices.first, choices.second
        return (choices.first, OPEN) if player == MAX else (OPEN, OPEN)

    def sample(self, choices: Choices, player: int, random: Random) -> Choices:
        """Min cannot see what Max has chosen; nothing else is hidden."""
        hidden = player == MIN and choices.first != OPEN and choices.second == OPEN
        return Choices(random.randrange(3), OPEN) if hidden else choices

    def name(self, choices: Choices, action: int) -> str:
        return NAMES[action]

    def name_information(self, information: tuple[int, int]) -> str:
        return " against ".join(NAMES[choice] if choice != OPEN else "open" for choice in information)

    def show(self, choices: Choices) -> str:
        return self.name_information(choices)

    def read(self, text: str) -> Choices:
        words = text.split(" against ")
        if len(words) != 2 or not set(words) <= {*NAMES, "open"} or words[0] == "open" != words[1]:
            raise ZermeloError(f"{text!r} is not a position of rock, paper, scissors: write it like {self.show(Choices(0, OPEN))!r}.")
        return Choices(*((*NAMES, "open").index(word) if word != "open" else OPEN for word in words))

    def board(self, choices: Choices) -> dict[str, Any]:
        hands = {player_name(self, seat): ["?" if choice == OPEN else NAMES[choice]] for seat, choice in enumerate(choices)}
        return {"kind": "cards", "hands": hands}
