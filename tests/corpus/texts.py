"""A game whose states are no numbers at all."""

from dataclasses import dataclass

from zermelo import Game


@dataclass(frozen=True)
class Words(Game):
    """Its states are texts: any object works, on the reference algorithms."""

    def start(self) -> str:
        return ""

    def player(self, state: str) -> int:
        return len(state) % 2

    def actions(self, state: str) -> list[int]:
        return [0, 1]

    def result(self, state: str, action: int) -> str:
        return state + "ab"[action]

    def terminal(self, state: str) -> bool:
        return len(state) == 3

    def utility(self, state: str) -> int:
        return state.count("a") - 1
