"""What the deepening search and its driver speak of: its switches, and what it has found about an action of the root."""

from dataclasses import dataclass
from typing import NamedTuple

from zermelo.rules import Action
from zermelo.scores import Score

__all__ = ["MOST_DEPTH", "RootFound", "Settings"]

MOST_DEPTH = 4096  # actions


@dataclass(frozen=True)
class Settings:
    """The switches of the search; see `zermelo.search.deepening.deepening.Deepening`."""

    windows: bool
    aspiration: bool
    foresight: bool
    killers: int
    history: int
    ordering: bool
    knowledge: bool
    symmetry: bool
    quiescence: int
    extensions: bool
    reductions: bool
    null_move: bool
    futility: bool

    @property
    def kind(self) -> str:
        """The switches that decide what a table's entries mean."""
        names = ("knowledge", "symmetry", "quiescence", "extensions", "reductions", "null_move", "futility")
        return " ".join(f"{name}={int(getattr(self, name))}" for name in names)


class RootFound(NamedTuple):
    """What is known about an action of the root."""

    action: Action
    score: Score  # Max's
    sure_low: bool  # is it proven that the true score is at least this, and
    sure_high: bool  # at most?
    depth: int  # at which it was found; 0: not yet
    exact: bool  # for this depth; otherwise a bound, not better for the mover than what was found before it
