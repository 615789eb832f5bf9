"""Strategies: at every information set a probability for every action. Tables, JSON, CSV, choosing an action, playing a game out.

A `Strategy` holds all players' behaviour and needs no arrays, so that strategies of games too large to unfold work in the same way.
Where it says nothing, it means every legal action alike.
"""

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from zermelo.equilibrium.extensive.sequences.arrays import Arrays, Floats
from zermelo.errors import ZermeloError, from_json
from zermelo.results import NOTEBOOK_ROWS, notebook_table, weighted
from zermelo.rules import CHANCE, Action, Game, State, action_name, knowledge, legal_actions, payoff_vector, player_name

__all__ = ["Row", "Strategy", "Table", "play_out"]

Table = Mapping[Any, Mapping[Action, float]]  # information → action → probability

LOOSE = 1e-6  # how far the probabilities of a set that is read may be from adding up to 1


class Row(NamedTuple):
    """One information set of a strategy."""

    player: int
    name: str  # of the set
    probabilities: dict[str, float]  # action's name → probability
    values: Mapping[str, float] = MappingProxyType({})  # action's name → what it is worth given that the set is reached; empty: not known
    reach: float | None = None  # probability that play comes through the set

    def to_dict(self) -> dict[str, Any]:
        """Plain data: how often the set is reached; probability, value and regret of every action."""
        best = max(self.values.values(), default=None)
        actions: dict[str, dict[str, float]] = {}
        for action, weight in self.probabilities.items():
            value = self.values.get(action)
            known = {} if value is None or best is None else {"value": value, "regret": best - value}
            actions[action] = {"probability": weight, **known}
        return {"player": self.player + 1, "reach": self.reach, "actions": actions}


class Strategy:
    """Behaviour of all players, from a table or from arrays; words are only made when they are asked for."""

    def __init__(self, game: Game, tables: Sequence[Table], states: Sequence[Mapping[Any, State]] = ()) -> None:
        self.game = game
        self.states: Sequence[Mapping[Any, State]] = states  # [player] information → one of its states, for the actions' names
        self.arrays: Arrays | None = None
        self._tables: tuple[Table, ...] | None = tuple(tables)
        self._columns: tuple[Floats, ...] = ()  # [player][sequence], with arrays

    @classmethod
    def of(cls, arrays: Arrays, behaviours: Sequence[Floats]) -> "Strategy":
        """From one array [sequence] a player."""
        made = cls(arrays.game, ())
        made.arrays, made._tables, made._columns = arrays, None, tuple(np.asarray(column, np.float64) for column in behaviours)
        return made

    @property
    def tables(self) -> tuple[Table, ...]:
        """[player] information → action → probability."""
        if self._tables is None:
            self._tables = tuple(self._table(player) for player in range(self.game.players))
        return self._tables

    def _table(self, player: int) -> Table:
        arrays = self.arrays
        assert arrays is not None
        table: dict[Any, dict[Action, float]] = {}
        values = self._columns[player].tolist()
        for number in range(arrays.plexes[player].sets):
            span = arrays.plexes[player].span(number)
            choices = zip(arrays.set_actions(player, number), values[span.start : span.stop], strict=True)
            table.setdefault(arrays.information(player, number), dict(choices))
        return table

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The strategy in words, in the order of the tree."""
        return tuple(self.first_rows())

    def first_rows(self) -> Iterator[Row]:
        """The rows one by one, each made when it is asked for."""
        return self._rows_of_arrays(self.arrays) if self.arrays is not None else self._rows_of_tables()

    def _rows_of_arrays(self, arrays: Arrays) -> Iterator[Row]:
        from zermelo.equilibrium.extensive.sequences.action_values import action_values

        for player, (plex, known) in enumerate(zip(arrays.plexes, action_values(arrays, self._columns), strict=True)):
            for number in range(plex.sets):
                span = plex.span(number)
                words = [arrays.sequence_name(player, number, place) for place in range(len(span))]
                probabilities = self._columns[player][span.start : span.stop].tolist()
                worth = known.value[span.start : span.stop].tolist()
                values = {} if math.isnan(worth[0]) else dict(zip(words, worth, strict=True))
                chosen = dict(zip(words, probabilities, strict=True))
                yield Row(player, arrays.set_name(player, number), chosen, values, float(known.reach[number]))

    def _rows_of_tables(self) -> Iterator[Row]:
        for player, table in enumerate(self.tables):
            for information, weights in table.items():
                yield self.row(player, information, weights, self.states[player].get(information) if self.states else None)

    def row(self, player: int, information: Any, weights: Mapping[Action, float], state: State | None) -> Row:
        """The words for one information set; the actions' names need one of its states."""
        describe = getattr(self.game, "name_information", str)
        name = f"{player_name(self.game, player)}: {' '.join(str(describe(information)).split())}"
        words = (str(action) if state is None else action_name(self.game, state, action) for action in weights)
        return Row(player, name, dict(zip(words, weights.values(), strict=True)))

    def at(self, state: State, player: int | None = None) -> dict[Action, float]:
        """Probability of every action in a state, for the player who moves there."""
        mover = self.game.player(state) if player is None else player
        known = self.tables[mover].get(knowledge(self.game, state, mover))
        if known is not None:
            return dict(known)
        actions = legal_actions(self.game, state)
        return dict.fromkeys(actions, 1 / len(actions))

    def choose(self, state: State, random: Random) -> Action:
        """An action drawn from the strategy."""
        probabilities = self.at(state)
        return random.choices(list(probabilities), list(probabilities.values()))[0]

    def behaviours(self, arrays: Arrays) -> list[Floats]:
        """One array [sequence] a player, for a game with these arrays; uniform where the strategy says nothing."""
        if arrays is self.arrays:
            return [column.copy() for column in self._columns]
        every = []
        for player, plex in enumerate(arrays.plexes):
            behaviour = plex.uniform()
            for number in range(plex.sets):
                known = self.tables[player].get(arrays.information(player, number))
                if known is not None:
                    weights = [known.get(action, 0.0) for action in arrays.set_actions(player, number)]
                    behaviour[plex.span(number).start : plex.span(number).stop] = _distribution(weights, arrays, player, number)
            every.append(behaviour)
        return every

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Information set → action → probability."""
        return {row.name: dict(row.probabilities) for row in self.rows}

    def __repr__(self) -> str:
        return f"Strategy({type(self.game).__name__}, {self.sets:,} information sets)"

    def _repr_html_(self) -> str:
        """The first sets as a table, for a notebook."""
        shown = list(islice(self.first_rows(), NOTEBOOK_ROWS))
        rows = ((row.name, _words(row), _worth(row)) for row in shown)
        more = "" if self.sets <= len(shown) else f"<p>… and {self.sets - len(shown):,} more information sets</p>"
        return notebook_table(("information set", "strategy", "value"), rows) + more

    def to_json(self) -> str:
        """`to_dict` as text."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n"

    def to_csv(self) -> str:
        """One line an action: player, information set, action, probability."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["player", "information_set", "action", "probability"])
        for row in self.rows:
            writer.writerows([row.player + 1, row.name, action, repr(float(weight))] for action, weight in row.probabilities.items())
        return text.getvalue()

    @property
    def sets(self) -> int:
        """How many information sets it speaks of."""
        return sum(map(len, self.tables)) if self.arrays is None else self.arrays.sets

    @classmethod
    def from_dict(cls, arrays: Arrays, data: Mapping[str, Mapping[str, Any]]) -> "Strategy":
        """The inverse of `to_dict`; sets that are left out are played uniformly."""
        behaviours = [plex.uniform() for plex in arrays.plexes]
        for name, weights in data.items():
            player, number = arrays.named(name)
            span = arrays.plexes[player].span(number)
            words = [arrays.sequence_name(player, number, place) for place in range(len(span))]
            unknown = [word for word in weights if word not in words]
            if unknown:
                raise ZermeloError(f"The information set {name!r} has no action {unknown[0]!r}: there is {', '.join(words)}.")
            values = [float(weights.get(word, 0)) for word in words]
            behaviours[player][span.start : span.stop] = _distribution(values, arrays, player, number)
        return cls.of(arrays, behaviours)

    @classmethod
    def from_json(cls, arrays: Arrays, text: str) -> "Strategy":
        """The inverse of `to_json`; takes the document that `zermelo equilibrium --json` prints as well."""
        return cls.from_dict(arrays, _read_json(text))

    @classmethod
    def read_locks(cls, arrays: Arrays, text: str) -> dict[str, dict[str, float]]:
        """Information sets to be locked, from JSON as `to_json` writes it; sets that are left out stay free."""
        data = _read_json(text)
        cls.from_dict(arrays, data)  # names and probabilities are right
        return {name: {action: float(weight) for action, weight in weights.items()} for name, weights in data.items()}

    @classmethod
    def from_csv(cls, arrays: Arrays, text: str) -> "Strategy":
        """The inverse of `to_csv`."""
        reader = csv.DictReader(io.StringIO(text))
        data: dict[str, dict[str, float]] = {}
        try:
            for line in reader:
                data.setdefault(line["information_set"], {})[line["action"]] = float(line["probability"])
        except (KeyError, TypeError, ValueError, csv.Error) as error:
            sentence = "needs the columns information_set, action, probability, and a number in the last."
            raise ZermeloError(f"Line {reader.line_num} of this CSV strategy {sentence}") from error
        return cls.from_dict(arrays, data)


def _words(row: Row) -> str:
    return weighted((action, f"{weight:.4g}") for action, weight in row.probabilities.items())


def _worth(row: Row) -> str:
    return f"{sum(weight * row.values[action] for action, weight in row.probabilities.items()):.4g}" if row.values else ""


def play_out(
    game: Game, strategies: Sequence[Strategy], random: Random, state: State | None = None
) -> tuple[list[Action], tuple[Any, ...]]:
    """One game: seat `i` follows `strategies[i]`. Its actions, chance's included, and the payoffs."""
    state = game.start() if state is None else state
    line: list[Action] = []
    while not game.terminal(state):
        mover = game.player(state)
        if mover == CHANCE:
            from zermelo.equilibrium.extensive.sequences.treeplex import chance_probabilities

            outcomes = chance_probabilities(game, state)
            action = random.choices([outcome for outcome, _ in outcomes], [float(share) for _, share in outcomes])[0]
        else:
            action = strategies[mover].choose(state, random)
        line.append(action)
        state = game.result(state, action)
    return line, payoff_vector(game, state)


def _read_json(text: str) -> dict[str, dict[str, Any]]:
    """Information set → action → probability."""
    try:
        data = from_json(text)
    except json.JSONDecodeError as error:
        raise ZermeloError(f"This is not a strategy in JSON: line {error.lineno}, column {error.colno}: {error.msg}.") from error
    except ValueError as error:
        raise ZermeloError(f"This is not a strategy in JSON: {error}.") from error
    if isinstance(data, dict) and isinstance(data.get("strategies"), dict):
        data = data["strategies"]
    numbers = int | float
    fits = isinstance(data, dict) and all(
        isinstance(weights, dict) and all(isinstance(weight, numbers) for weight in weights.values()) for weights in data.values()
    )
    if not fits:
        raise ZermeloError("A strategy in JSON is an object: information set → action → probability.")
    known: dict[str, dict[str, Any]] = data
    return known


def _distribution(weights: Sequence[float], arrays: Arrays, player: int, number: int) -> list[float]:
    """The weights, made to add up to 1 exactly; they must nearly do so already."""
    total = sum(weights)
    if min(weights) < 0 or abs(total - 1) > LOOSE:
        name = arrays.set_name(player, number)
        raise ZermeloError(f"The probabilities of the information set {name!r} must be at least 0 and add up to 1, not to {total:g}.")
    return [weight / total for weight in weights]
