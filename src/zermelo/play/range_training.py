"""Questions out of a solved spot: a hand at a decision that the equilibrium's own play leads to, and what each answer costs."""

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from zermelo.trees.public import CHANCE, DECISION

if TYPE_CHECKING:
    from zermelo.equilibrium.extensive.public.public_result import HandRow, RangePoint, RangeResult

__all__ = ["Question", "draw_question"]


@dataclass(frozen=True)
class Question:
    """What does this hand do here?"""

    point: "RangePoint"
    row: "HandRow"

    def cost(self, action: str) -> float:
        """Chips that the action loses against the best one."""
        return max(self.row.values.values()) - self.row.values[action]


def draw_question(result: "RangeResult", random: Random) -> Question:
    """A decision of one random hand played as the solution plays, any of its decisions, and a hand of the range there."""
    line: list[str] = []
    decisions, game = [], result.form.game
    about = game.nodes[0]
    while about.kind in (DECISION, CHANCE):
        place = ", ".join(line)
        if about.kind == CHANCE:
            line.append(random.choice(result.lines(place)))
            about = game.nodes[about.children[0]]
            continue
        point = result.at(place)
        if not point.rows:
            break
        decisions.append(point)
        shares = list(point.frequencies.values())
        action = random.choices(range(len(shares)), shares)[0]
        line.append(about.actions[action])
        about = game.nodes[about.children[action]]
    point = random.choice(decisions)
    return Question(point, random.choices(point.rows, [row.weight for row in point.rows])[0])
