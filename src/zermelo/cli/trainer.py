"""The trainer: spots out of a solved tree, your choice against the equilibrium, and the chips it costs."""

from random import Random
from typing import TYPE_CHECKING

import click

from zermelo.cli.output import console, note
from zermelo.cli.wording import plural
from zermelo.errors import ZermeloError

if TYPE_CHECKING:
    from zermelo.equilibrium.extensive.public.public_result import RangeResult

__all__ = ["train_on"]


def train_on(result: "RangeResult", questions: int, seed: int | None) -> int:
    """Asks so many questions, then adds up what the answers cost."""
    from zermelo.play.range_training import draw_question

    random, out = Random(seed), console()
    lost, asked = 0.0, 0
    for turn in range(1, questions + 1):
        question = draw_question(result, random)
        point, row = question.point, question.row
        out.print(f"\n{turn}/{questions}: you are {point.seat} with {row.hand} on {point.board}, pot {point.pot:g}")
        out.print(f"so far: {point.line or 'nothing'}")
        out.print(", ".join(f"{place} {action}" for place, action in enumerate(point.actions, 1)))
        try:
            chosen = point.actions[_ask(point.actions)]
        except click.Abort:
            break
        cost = question.cost(chosen)
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
    """An action by its number, its name, or the beginning of its name that no other has."""
    wanted = text.strip().replace(" ", "").lower()
    if wanted.isdigit() and 1 <= int(wanted) <= len(actions):
        return int(wanted) - 1
    plain = [action.replace(" ", "").lower() for action in actions]
    begun = [place for place, name in enumerate(plain) if name.startswith(wanted)]
    if wanted in plain or (wanted and len(begun) == 1):
        return plain.index(wanted) if wanted in plain else begun[0]
    raise ZermeloError(f"{text!r} is none of {', '.join(actions)}: give its number or its name.")
