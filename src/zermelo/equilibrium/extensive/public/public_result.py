"""The answer over ranges: what every hand does and is worth at every point of the public tree; export, and files that open at once.

A line is the way to a point: actions and cards, separated by commas, as in `check, bet 25, call, 7h`. The value of an action counts the
chips that come back from the pot from there on: a fold is worth 0.
"""

import csv
import importlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.equilibrium.extensive.public.public_form import PublicForm, memory_needed
from zermelo.equilibrium.extensive.public.public_kernel import AVERAGE, CHANCE, SHOWDOWN, Store, Update, walk
from zermelo.equilibrium.extensive.public.public_locks import action_number, words_of
from zermelo.errors import ZermeloError, from_json
from zermelo.results import Tabular, weighted
from zermelo.rules import Game
from zermelo.runtime.array_file import write_arrays
from zermelo.trees.public import DECISION

__all__ = ["HandGroup", "HandRow", "RangePoint", "RangeResult"]


@dataclass(frozen=True)
class HandRow:
    """One hand at a point of the tree."""

    hand: str
    kind: str  # its class, such as AKs
    weight: float  # how likely it is to get here, times its weight in the range
    equity: float  # share of the pot if all cards were shown now
    frequencies: dict[str, float]  # action → probability
    values: dict[str, float]  # action → chips
    made: str = ""  # what it has made, such as top pair; empty where the game has no words for it
    draw: str = ""  # what it draws to; empty where no card comes any more

    @property
    def value(self) -> float:
        """What the hand is worth as it is played."""
        return sum(weight * self.values[action] for action, weight in self.frequencies.items())


@dataclass(frozen=True)
class HandGroup:
    """Hands that players speak of together."""

    weight: float  # share of the range
    equity: float
    value: float  # chips
    frequencies: dict[str, float]

    @classmethod
    def of(cls, rows: Sequence[HandRow], actions: tuple[str, ...]) -> "HandGroup":
        """Means over the hands."""
        weight = sum(row.weight for row in rows)
        shares = [row.weight / weight if weight else 1 / len(rows) for row in rows]

        def mean(numbers: Iterable[float]) -> float:
            return sum(share * each for share, each in zip(shares, numbers, strict=True))

        often = {action: mean(row.frequencies[action] for row in rows) for action in actions}
        return cls(weight, mean(row.equity for row in rows), mean(row.value for row in rows), often)


@dataclass(frozen=True, repr=False)
class RangePoint(Tabular):
    """A point of the public tree where a player decides; in a notebook the grid of its range, where hands have two cards, and its hands."""

    line: str
    seat: str
    board: str
    pot: float
    actions: tuple[str, ...]
    rows: tuple[HandRow, ...]

    columns = ("hand", "of the range", "equity", "value", "frequencies")

    def summary(self) -> str:
        often = weighted((action, f"{share:.1%}") for action, share in self.frequencies.items())
        return f"{self.seat} {f'on {self.board}' if self.board else 'before the board'}: {often}; value {self.value:.4g}"

    def cells(self) -> Iterator[tuple[str, ...]]:
        for row in sorted(self.rows, key=lambda row: -row.value):
            often = weighted((action, f"{share:.3g}") for action, share in row.frequencies.items())
            yield row.hand, f"{row.weight:.2%}", f"{row.equity:.1%}", f"{row.value:.4g}", often

    def _repr_html_(self) -> str:
        return f"{self.grid() if all(len(row.kind) > 1 for row in self.rows) else ''}{super()._repr_html_()}"

    def grid(self) -> str:
        """The 13 × 13 classes of hands, coloured by action, as SVG."""
        drawing = importlib.import_module("zermelo.draw.grid")  # in a higher layer, for views only
        title = f"{self.seat} {f'on {self.board}' if self.board else 'before the board'}{f' after {self.line}' if self.line else ''}"
        return str(drawing.grid_svg(self.classes(), self.actions, title))

    @cached_property
    def frequencies(self) -> dict[str, float]:
        """Action → how often, over the whole range."""
        whole = sum(row.weight for row in self.rows) or 1.0
        return {action: sum(row.weight * row.frequencies[action] for row in self.rows) / whole for action in self.actions}

    @cached_property
    def value(self) -> float:
        """The mover's mean, in chips."""
        whole = sum(row.weight for row in self.rows) or 1.0
        return sum(row.weight * row.value for row in self.rows) / whole

    @cached_property
    def equity(self) -> float:
        """The mover's mean share of the pot if all cards were shown now."""
        whole = sum(row.weight for row in self.rows) or 1.0
        return sum(row.weight * row.equity for row in self.rows) / whole

    def classes(self) -> dict[str, tuple[float, dict[str, float], float, float]]:
        """Class of hands → weight, frequencies, value, and the mean weight of a hand."""
        found = self._grouped("kind")
        groups = {kind: HandGroup.of(rows, self.actions) for kind, rows in found.items()}
        return {kind: (each.weight, each.frequencies, each.value, each.weight / len(found[kind])) for kind, each in groups.items()}

    def groups(self, by: str = "made") -> dict[str, HandGroup]:
        """What the hands have `made`, or their `draw` → means, the best first; empty where there are no words for it."""
        groups = {word: HandGroup.of(rows, self.actions) for word, rows in self._grouped(by).items() if word}
        return dict(sorted(groups.items(), key=lambda pair: -pair[1].equity))

    def _grouped(self, by: str) -> dict[str, list[HandRow]]:
        found: dict[str, list[HandRow]] = {}
        for row in self.rows:
            found.setdefault(getattr(row, by), []).append(row)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        rows = [
            {
                "hand": row.hand,
                "weight": row.weight,
                "equity": row.equity,
                "value": row.value,
                "frequencies": row.frequencies,
                "values": row.values,
                "made": row.made,
                "draw": row.draw,
            }
            for row in self.rows
        ]
        return {
            "line": self.line,
            "seat": self.seat,
            "board": self.board,
            "pot": self.pot,
            "frequencies": self.frequencies,
            "value": self.value,
            "equity": self.equity,
            "made": {word: vars(group) for word, group in self.groups("made").items()},
            "draws": {word: vars(group) for word, group in self.groups("draw").items()},
            "hands": rows,
        }

    def to_csv(self) -> str:
        """One line a hand."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(
            ["hand", "weight", "equity", "value", *self.actions, *(f"value of {action}" for action in self.actions), "made", "draw"]
        )
        for row in self.rows:
            shares = [f"{row.frequencies[action]:.6g}" for action in self.actions]
            values = [f"{row.values[action]:.6g}" for action in self.actions]
            writer.writerow([row.hand, f"{row.weight:.6g}", f"{row.equity:.6g}", f"{row.value:.6g}", *shares, *values, row.made, row.draw])
        return text.getvalue()


@dataclass(frozen=True, eq=False)
class RangeResult:
    """Average strategies of both players over their ranges, what they are worth, and how far from an equilibrium they are."""

    game: Game
    form: PublicForm
    sums: Any  # averages, before they are made to add up to 1
    method: str
    values: tuple[float, float]  # [player] chips over an even share of the pot
    exploitability: float  # chips
    iterations: int
    seconds: float
    convergence: tuple[tuple[int, float, float], ...]
    stopped: str
    threads: int = 1
    locked: dict[str, Any] = field(default_factory=dict)

    @property
    def value(self) -> tuple[float, float]:
        """[player] chips that come back from the pot; together the pot, less the rake."""
        offset = self.form.game.offset
        return self.values[0] + offset, self.values[1] + offset

    @property
    def percent(self) -> float:
        """Exploitability in % of the pot."""
        return 100 * self.exploitability / self.form.game.pot

    @property
    def guarantee(self) -> str:
        """What is promised."""
        within = " among the strategies that keep what is locked" if self.locked else ""
        if self.form.game.zero_sum:
            return f"Two players with a constant sum: an equilibrium{within}, up to the exploitability that was measured."
        return f"The rake makes the sum not constant: the exploitability{within} was measured, but no theorem says that it must fall to 0."

    def __repr__(self) -> str:
        first, second = self.form.game.seats
        worth = f"{first} {self.value[0]:.4g}, {second} {self.value[1]:.4g}"
        return f"RangeResult({self.method}: {worth}; exploitability {self.percent:.3g} % of the pot; {self.iterations} iterations)"

    def _repr_html_(self) -> str:
        """Value, exploitability and the first decision, for a notebook."""
        return f"<p>{escape(repr(self))}</p>{self.at()._repr_html_()}"

    def at(self, line: str = "") -> RangePoint:
        """What happens at the end of a line such as `check, bet 25, call, 7h, check`.

        Raises
        ------
        ZermeloError
            Where an action or a card of the line does not exist, or nobody decides there.
        """
        return _Walker(self).point(line)

    def lines(self, line: str = "") -> list[str]:
        """What may follow a line: actions, or cards."""
        return _Walker(self).follow(line).choices()

    def card_comes(self, line: str) -> bool:
        """Is a card dealt at the end of the line?"""
        walker = _Walker(self).follow(line)
        return self.form.game.nodes[walker.node].kind == CHANCE

    def runouts(self, line: str) -> dict[str, RangePoint]:
        """Card → the decision behind it, for every card that may come at the end of the line; cards that leave none are left out."""
        found = {}
        for card in self.lines(line):
            behind = f"{line}, {card}" if line else card
            if not self.card_comes(behind) and self.form.game.nodes[_Walker(self).follow(behind).node].kind == DECISION:
                found[card] = self.at(behind)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with every hand at the first decision."""
        return {
            "method": self.method,
            "value": list(self.value),
            "exploitability": self.exploitability,
            "exploitability_percent": self.percent,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "stopped": self.stopped,
            "guarantee": self.guarantee,
            "information_sets": self.form.information_sets,
            "memory": memory_needed(self.form.game, self.form.boards, self.form.stored.itemsize),
            "convergence": [list(point) for point in self.convergence],
            "root": self.at().to_dict(),
        }

    def save(self, path: Path, source: str) -> None:
        """The whole solution, with `source`, the text that names the game; `RangeResult.load` opens it."""
        names = ("method", "exploitability", "iterations", "seconds", "stopped", "threads", "locked")
        about = {"kind": "solution", "game": source, **{name: getattr(self, name) for name in names}}
        about |= {"values": self.values, "convergence": self.convergence, "boards": len(self.form.boards.cards)}
        columns = {"about": np.array(json.dumps(about)), "averages": self._averages().astype(np.float16)}
        write_arrays(path, columns, "solution", compressed=True)

    @classmethod
    def source_of(cls, path: Path) -> str:
        """The text that names the game of a saved solution."""
        return str(_read_arrays(path)[0]["game"])

    @classmethod
    def load(cls, path: Path, game: Game) -> "RangeResult":
        """A saved solution of the game."""
        about, columns = _read_arrays(path)
        public = game.public()  # type: ignore[attr-defined]
        form = PublicForm(public)
        if len(form.boards.cards) != about["boards"]:
            form = PublicForm(public, isomorphism=False)
        if about.get("kind") != "solution" or len(columns["averages"]) != form.entries:
            raise ZermeloError(f"{path} is not a solution of this spot.")
        first, second = about["values"]
        points = tuple((int(done), float(seconds), float(distance)) for done, seconds, distance in about["convergence"])
        names = ("method", "exploitability", "iterations", "seconds", "stopped", "threads", "locked")
        kept = {name: about[name] for name in names}
        return cls(game=game, form=form, sums=columns["averages"].astype(np.float32), values=(first, second), convergence=points, **kept)

    def _averages(self) -> Any:
        """`sums` as probabilities."""
        shares = np.empty(len(self.sums), self.form.dtype)
        for node, about in enumerate(self.form.game.nodes):
            if about.kind == DECISION:
                part = slice(int(self.form.offset[node]), int(self.form.offset[node + 1]))
                table = self.sums[part].reshape(-1, len(about.children), self.form.sizes[about.player])
                whole = table.sum(axis=1, keepdims=True)
                shares[part] = np.where(whole > 0, table / np.where(whole > 0, whole, 1), 1 / len(about.children)).ravel()
        return shares


class _Walker:
    """Follows a line. Where the line's card is not the one that was solved, suits are renamed: `names` leads from ours to theirs."""

    def __init__(self, result: RangeResult) -> None:
        self.result, self.form, self.game = result, result.form, result.form.game
        self.node, self.board, self.cards = 0, 0, list(self.game.board)
        self.renaming = np.arange(52)  # the line's card → the solved one
        self.reach = [weights.copy() for weights in self.game.weights]  # of the solved hands

    def follow(self, line: str) -> "_Walker":
        for word in words_of(line):
            about = self.game.nodes[self.node]
            if about.kind == CHANCE:
                self._deal(word)
            elif about.kind == DECISION:
                action = action_number(self.form, self.node, word)
                self.reach[about.player] = self.reach[about.player] * self.strategy()[action]
                self.node = about.children[action]
            else:
                raise ZermeloError(f"The hand is over before {word!r} in the line {line!r}.")
        return self

    def _deal(self, word: str) -> None:
        known = {self.game.card_name(card).lower(): card for card in self.game.deck}
        card = known.get(word.lower())
        if card is None or card in self.cards:
            raise ZermeloError(f"{word!r} is not a card that can come here; a card is written as 7h.")
        wanted = int(self.renaming[card])
        for board in range(int(self.form.boards.child[self.board]), int(self.form.boards.child[self.board + 1])):
            solved = self.form.boards.cards[board][-1]
            images = range(int(self.form.boards.image_start[board]), int(self.form.boards.image_start[board + 1]))
            ways = [None, *(self.game.renamings[self.form.boards.images[image]] for image in images)]
            for way in ways:
                if (solved if way is None else int(way[solved])) == wanted:
                    if way is not None:
                        self.renaming = way[self.renaming]
                        self.reach = [self._renamed(player, way) for player in range(2)]
                    self.board = board
                    self.cards.append(card)
                    self.node = self.game.nodes[self.node].children[0]
                    for player, hands in enumerate(self.game.hands):
                        self.reach[player] = np.where((hands == solved).any(axis=1), 0.0, self.reach[player])
                    return
        raise AssertionError("every card is dealt, or alike to one that is")

    def _renamed(self, player: int, way: Any) -> Any:
        numbers = {tuple(hand): number for number, hand in enumerate(self.game.hands[player].tolist())}
        images = np.sort(way[self.game.hands[player]], axis=1).tolist()
        return self.reach[player][[numbers[tuple(hand)] for hand in images]]

    def strategy(self) -> Any:
        """[action, hand] the average."""
        about = self.game.nodes[self.node]
        table = self.result.sums[self.form.place(self.node, self.board)].reshape(len(about.children), -1).astype(np.float64)
        whole = table.sum(axis=0)
        return np.where(whole > 0, table / np.where(whole > 0, whole, 1), 1 / len(about.children))

    def choices(self) -> list[str]:
        about = self.game.nodes[self.node]
        if about.kind == CHANCE:
            return [self.game.card_name(card) for card in self.game.deck if card not in self.cards]
        return list(about.actions)

    def point(self, line: str) -> RangePoint:
        self.follow(line)
        about = self.game.nodes[self.node]
        if about.kind != DECISION:
            what = "a card comes" if about.kind == CHANCE else "the hand is over"
            raise ZermeloError(f"Nobody decides behind {line!r}: {what}.")
        mover = about.player
        worth, left = self._worth(mover)
        equity = self._equity(mover, left)
        play = self.strategy()
        back = np.argsort(self.renaming)  # the solved card → the line's
        rows = []
        for number, hand in enumerate(self.game.hands[mover].tolist()):
            if self.reach[mover][number] <= 0 or left[number] <= 0:
                continue
            cards = tuple(sorted(int(back[card]) for card in hand))
            often = dict(zip(about.actions, play[:, number].tolist(), strict=True))
            values = dict(zip(about.actions, (worth[:, number] / left[number] - about.lose[mover]).tolist(), strict=True))
            share = min(max(float(equity[number] / left[number]), 0.0), 1.0)  # floats may miss the ends
            weight = float(self.reach[mover][number] * left[number])
            made, draw = self.game.describe(cards, tuple(self.cards)) if self.game.describe else ("", "")
            rows.append(HandRow(self.game.hand_name(cards), self.game.hand_class(cards), weight, share, often, values, made, draw))
        whole = sum(row.weight for row in rows) or 1.0
        rows = [replace(row, weight=row.weight / whole) for row in rows]
        pot = -about.lose[0] - about.lose[1] + 2 * self.game.offset - self.game.pot
        board = " ".join(self.game.card_name(card) for card in self.cards)
        return RangePoint(line, self.game.seats[mover], board, pot, about.actions, tuple(rows))

    def _worth(self, mover: int) -> tuple[Any, Any]:
        """[action, hand] payoffs times what the other may hold, and [hand] how much that is."""
        form, scratch = self.form, self.form.scratch()
        sizes = form.sizes
        scratch.reach[0, : sizes[1 - mover]] = self.reach[1 - mover]
        store, update = Store(self.result.sums, self.result.sums), Update(1.0, 1.0, 1.0, False)
        walk(form.arrays, store, scratch, mover, AVERAGE, update, self.node, self.board)
        actions = len(self.game.nodes[self.node].children)
        return scratch.worth[0, :actions, : sizes[mover]].astype(np.float64), self._left(mover)

    def _left(self, mover: int) -> Any:
        """[hand] weight of the other's hands that this one allows."""
        other = 1 - mover
        by_card = np.zeros(53)
        for place in range(self.game.hands[other].shape[1]):
            np.add.at(by_card, self.game.hands[other][:, place], self.reach[other])
        reach = np.append(self.reach[other], np.zeros(1 + max(self.form.sizes) - self.form.sizes[other]))
        shared = reach[self.form.arrays.same[mover, : self.form.sizes[mover]]]
        return np.maximum(self.reach[other].sum() - by_card[self.game.hands[mover]].sum(axis=1) + shared, 0.0)

    def _equity(self, mover: int, left: Any) -> Any:
        """[hand] share of the pot that it wins if nobody bets any more, times what the other may hold."""
        form, street, streets = self.form, self.game.nodes[self.node].street, self.game.streets
        count = streets + 1
        zero = np.zeros((count, 2))
        arrays = form.arrays._replace(
            kind=np.array([CHANCE] * streets + [SHOWDOWN]),
            player=np.full(count, -1),
            street=np.arange(count),
            child=np.arange(count),
            children=np.arange(1, count + 1),
            win=zero + 1.0,
            tie=zero + 0.5,
            lose=zero,
        )
        scratch = form.scratch()
        scratch.reach[0, : form.sizes[1 - mover]] = self.reach[1 - mover]
        store, update = Store(self.result.sums, self.result.sums), Update(1.0, 1.0, 1.0, False)
        walk(arrays, store, scratch, mover, AVERAGE, update, street, self.board)
        return scratch.value[0, : form.sizes[mover]].astype(np.float64)


def _read_arrays(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a solution is about, and its arrays."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            about = from_json(str(file["about"]))
            return about, {name: file[name] for name in file.files if name != "about"}
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ZermeloError(f"{path} is not a file of a solved spot, or it is damaged.") from error
