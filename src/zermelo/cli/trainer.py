"""The trainer: spots out of a solved tree, your choice against the equilibrium, and the chips it costs."""

from random import Random
from typing import TYPE_CHECKING

import click

from zermelo.cli.output import console, note
from zermelo.cli.ranges import chips
from zermelo.cli.wording import plural
from zermelo.errors import ZermeloError
from zermelo.results import weighted

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
            place = _ask(point.actions)
        except click.Abort:
            break
        if place is None:
            break
        chosen = point.actions[place]
        cost = question.cost(chosen)
        lost, asked = lost + cost, asked + 1
        often = weighted((action, f"{row.frequencies[action]:.0%}, worth {chips(row.values[action], point)}") for action in point.actions)
        out.print(f"{chosen} costs {max(cost, 0.0):.3g} chips. The equilibrium: {often}")
    if asked:
        share = 100 * lost / asked / result.form.game.pot
        out.print(f"\n{plural(asked, 'spot')}: {max(lost, 0.0):.3g} chips lost, {share:.2g} % of the pot each.")
    return 0


def _ask(actions: tuple[str, ...]) -> int | None:
    """An action's number, asked for until there is one; None: nothing more."""
    while True:
        try:
            text = click.prompt("your choice, or nothing to end", default="", show_default=False, err=True)
            return _choice(text, actions) if text.strip() else None
        except ZermeloError as error:
            note(str(error))


def _choice(text: str, actions: tuple[str, ...]) -> int:
    """An action by its number, its name, or the beginning of its name that no other has."""
    wanted = text.strip().replace(" ", "").lower()
    if wanted.isdecimal() and 1 <= int(wanted) <= len(actions):
        return int(wanted) - 1
    plain = [action.replace(" ", "").lower() for action in actions]
    begun = [place for place, name in enumerate(plain) if name.startswith(wanted)]
    if wanted in plain or (wanted and len(begun) == 1):
        return plain.index(wanted) if wanted in plain else begun[0]
    raise ZermeloError(f"{text!r} is none of {', '.join(actions)}: give its number or its name.")
