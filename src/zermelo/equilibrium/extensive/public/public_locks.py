"""Locked strategies over ranges: a player's habit at some line of play, kept as it is while everything else learns."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from zermelo.equilibrium.extensive.public.public_form import PublicForm
from zermelo.errors import ZermeloError, nearest
from zermelo.trees.public import CHANCE, DECISION

__all__ = ["Locks", "action_number", "find_node", "lock"]

Locks = Mapping[str, Mapping[str, Mapping[str, float]]]  # line → hand, class of hands or * → action → probability
LOOSE = 1e-6


def words_of(line: str) -> list[str]:
    """`check, bet 25, call` as a list."""
    return [word.strip() for word in line.split(",") if word.strip()]


def action_number(form: PublicForm, node: int, word: str) -> int:
    """The action of a node that a word names."""
    names = form.game.nodes[node].actions
    plain = [name.replace(" ", "").lower() for name in names]
    wanted = word.replace(" ", "").lower()
    if wanted not in plain:
        raise ZermeloError(f"There is no action {word!r} here: {nearest(word, names)}")
    return plain.index(wanted)


def find_node(form: PublicForm, line: str) -> int:
    """The node behind the players' actions of a line; cards are passed over, so that it stands for all of them."""
    node = 0
    for word in words_of(line):
        while form.game.nodes[node].kind == CHANCE:
            node = form.game.nodes[node].children[0]
        node = form.game.nodes[node].children[action_number(form, node, word)] if form.game.nodes[node].actions else _over(line)
    while form.game.nodes[node].kind == CHANCE:
        node = form.game.nodes[node].children[0]
    return node


def _over(line: str) -> int:
    raise ZermeloError(f"The hand is over before the end of the line {line!r}.")


def lock(form: PublicForm, sums: Any, locked: Locks) -> None:
    """Writes the fixed strategies into the averages of their nodes, on all boards, and marks their hands."""
    if not locked:
        return
    rows = np.full(len(form.game.nodes), -1)
    marks = np.zeros((len(locked), max(form.sizes)), np.bool_)
    for row, (line, hands) in enumerate(locked.items()):
        node = find_node(form, line)
        about = form.game.nodes[node]
        if about.kind != DECISION:
            raise ZermeloError(f"Nobody decides behind the line {line!r}: there is nothing to lock.")
        rows[node] = row
        if not isinstance(hands, Mapping):
            raise ZermeloError(f"The lock {_where(line)} gives hands their actions, such as {{'AA': {{'check': 1}}}}, not {hands!r}.")
        held = [tuple(hand) for hand in form.game.hands[about.player].tolist()]
        names = [(form.game.hand_name(hand), form.game.hand_class(hand)) for hand in held]
        for word, weights in hands.items():
            chosen = [number for number, both in enumerate(names) if word == "*" or word in both]
            if not chosen:
                seat = form.game.seats[about.player]
                raise ZermeloError(f"The lock {_where(line)} names {word!r}, which is not a hand of the range of {seat}.")
            _write(form, sums, node, np.array(chosen), _distribution(form, node, weights, line, word))
            marks[row, chosen] = True
    form.with_locks(rows, marks)


def _distribution(form: PublicForm, node: int, weights: Mapping[str, float], line: str, word: str) -> list[float]:
    values = [0.0] * len(form.game.nodes[node].actions)
    if not isinstance(weights, Mapping) or not all(isinstance(weight, int | float) for weight in weights.values()):
        raise ZermeloError(f"The lock of {word} {_where(line)} gives actions their probabilities, such as {{'check': 1}}, not {weights!r}.")
    for action, weight in weights.items():
        values[action_number(form, node, action)] = float(weight)
    if any(not value >= 0 for value in values) or not abs(sum(values) - 1) <= LOOSE:  # so that no NaN passes
        raise ZermeloError(
            f"The lock of {word} {_where(line)} is not a distribution: its probabilities are at least 0 and add up to 1, not {values}."
        )
    return [value / sum(values) for value in values]


def _where(line: str) -> str:
    return f"behind {line!r}" if line else "at the start"


def _write(form: PublicForm, sums: Any, node: int, hands: Any, values: list[float]) -> None:
    about = form.game.nodes[node]
    boards = form.counts[about.street]
    start = int(form.offset[node])
    table = sums[start : start + boards * len(values) * form.sizes[about.player]].reshape(boards, len(values), form.sizes[about.player])
    for action, value in enumerate(values):
        table[:, action, hands] = value
