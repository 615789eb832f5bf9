"""The trainer: spots out of a solved tree, your choice against the equilibrium, and the chips it costs."""

from random import Random
from typing import TYPE_CHECKING

import click

from zermelo.cli.output import console, note
from zermelo.cli.wording import plural
from zermelo.errors import ZermeloError
from zermelo.trees.public import CHANCE, DECISION

if TYPE_CHECKING:
    from zermelo.equilibrium.extensive.public.public_result import RangePoint, RangeResult

__all__ = ["draw_spot", "train_on"]


def draw_spot(result: "RangeResult", random: Random) -> "RangePoint":
    """A decision that the equilibrium's own play leads to, at a random depth."""
    line: list[str] = []
    node, decisions = 0, []
    game = result.form.game
    while True:
        about = game.nodes[node]
        if about.kind == DECISION:
            point = result.at(", ".join(line))
            if not point.rows:
                break
            decisions.append(point)
            shares = list(point.frequencies.values())
            action = random.choices(range(len(shares)), shares)[0]
            line.append(about.actions[action])
            node = about.children[action]
        elif about.kind == CHANCE:
            line.append(random.choice(result.lines(", ".join(line))))
            node = about.children[0]
        else:
            break
    return random.choice(decisions)


def train_on(result: "RangeResult", questions: int, seed: int | None) -> int:
    """Asks so many questions, then adds up what the answers cost."""
    random, out = Random(seed), console()
    lost, asked = 0.0, 0
    for turn in range(1, questions + 1):
        point = draw_spot(result, random)
        row = random.choices(point.rows, [row.weight for row in point.rows])[0]
        out.print(f"\n{turn}/{questions}: you are {point.seat} with {row.hand} on {point.board}, pot {point.pot:g}")
        out.print(f"so far: {point.line or 'nothing'}")
        out.print(", ".join(f"{place} {action}" for place, action in enumerate(point.actions, 1)))
        try:
            chosen = point.actions[_ask(point.actions)]
        except click.Abort:
            break
        best = max(row.values.values())
        cost = best - row.values[chosen]
        lost, asked = lost + cost, asked + 1
        often = ", ".join(f"{action} {row.frequencies[action]:.0%} ({round(row.values[action], 3):g})" for action in point.actions)
        out.print(f"{chosen} costs {max(cost, 0.0):.3g} chips. The equilibrium: {often}")
    if asked:
        share = 100 * lost / asked / result.form.game.pot
        out.print(f"\n{plural(asked, 'spot')}: {max(lost, 0.0):.3g} chips lost, {share:.2g} % of the pot each.")
    return 0


def _ask(actions: tuple[str, ...]) -> int:
    """An action's number, asked for until there is one."""
    while True:
        try:
            return _choice(click.prompt("your choice", err=True), actions)
        except ZermeloError as error:
            note(str(error))


def _choice(text: str, actions: tuple[str, ...]) -> int:
    """An action by its number or its name."""
    wanted = text.strip().replace(" ", "").lower()
    if wanted.isdigit() and 1 <= int(wanted) <= len(actions):
        return int(wanted) - 1
    plain = [action.replace(" ", "").lower() for action in actions]
    if wanted not in plain:
        raise ZermeloError(f"{text!r} is none of {', '.join(actions)}: give its number or its name.")
    return plain.index(wanted)
