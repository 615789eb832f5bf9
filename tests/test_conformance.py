"""One suite for every game that has a name: its rules are lawful, its counts and values are those that are known, its page exists.

Knowledge about a game is data: tests/known/<name>.toml, found by the game's name. A file has any number of

    [[perft]]             leaves = [lines of 1, 2, … moves], or ends = [the same with finished games kept as leaves];
                          turns = true: of completed turns
    [[tree]]              nodes and games of the whole tree, histories counted
    [[states]]            count of different states that can be reached
    [[information_sets]]  count over all players
    [[value]]             value for Max (a list: for every player) under best play, and the distance to the end where it is known
    [[equilibrium]]       value for Max of a game with hidden information, by linear programming
    [[profile]]           play = {what the mover knows = [a probability an action]}: an equilibrium, and Max's value in it

Each has a `source`; `parameters` of the game, `position` (moves from the start) and `slow` are optional.
"""

import heapq
import itertools
import math
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from zermelo import CHANCE, MAX, Game
from zermelo.check import check
from zermelo.equilibrium.extensive.solver import EquilibriumSolver
from zermelo.formats.position import parse_position
from zermelo.registry import find, names
from zermelo.rules import State, chance_weights, draw_value, has, hidden_information, legal_actions, payoff_vector, probabilities
from zermelo.runtime.backend import choose
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.search.classic.perft import perft

ROOT = Path(__file__).resolve().parent.parent
KNOWN = ROOT / "tests" / "known"
KINDS = {
    "perft": {"leaves", "ends", "turns"},
    "tree": {"nodes", "games"},
    "states": {"count"},
    "information_sets": {"count"},
    "value": {"value", "distance"},
    "profile": {"value", "play"},
    "equilibrium": {"value"},
}
COMMON = {"source", "parameters", "position", "slow"}
# many moves, or rules that take long in plain Python
LONG = {"racingkings", "connect6", "gomoku", "pentago", "amazons", "quoridor", "xiangqi"}


def known(name: str) -> dict[str, list[dict[str, Any]]]:
    """The file of known values of a game."""
    return tomllib.loads((KNOWN / f"{name}.toml").read_text(encoding="utf-8"))


def rows(kind: str) -> list[Any]:
    """Every known fact of one kind, about every game, as a parameter of a test."""
    found = []
    for name in names():
        for number, row in enumerate(known(name).get(kind, []) if (KNOWN / f"{name}.toml").exists() else []):
            marks = [pytest.mark.slow] if row.get("slow") else []
            found.append(pytest.param(name, row, id=f"{name}-{number}", marks=marks))
    return found


def setting(name: str, row: dict[str, Any]) -> tuple[Game, State]:
    """The game and the position that a row speaks of."""
    game = find(f"{name}({row['parameters']})" if "parameters" in row else name)
    return game, parse_position(game, row.get("position")).state


# --- every game


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in names()])
def test_a_game_is_lawful(name: str) -> None:
    report = check(find(name), states=400, games=4, longest=120, backend="reference")
    assert report.lawful, report.text()
    assert report.look.states > 3


@pytest.mark.parametrize("name", names())
def test_a_game_begins(name: str) -> None:
    game = find(name)
    assert not game.terminal(game.start())
    assert has(game, "show")


@pytest.mark.parametrize("name", names())
def test_a_game_has_a_page_that_names_its_source_and_a_command(name: str) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    assert "## Rules" in page
    assert "## What is known" in page
    assert "$ zermelo " in page
    fields = getattr(type(find(name)), "__dataclass_fields__", {}) if type(find(name)).__module__.endswith(name) else {}
    for parameter in (field.name for field in fields.values() if field.init):
        assert f"`{parameter}`" in page, f"docs/games/{name}.md does not explain the parameter {parameter}"


@pytest.mark.parametrize("name", names())
def test_a_game_has_known_values_with_sources(name: str) -> None:
    facts = known(name)
    assert facts
    for kind, kind_rows in facts.items():
        assert kind in KINDS, f"{name}.toml: there is no kind {kind}"
        for row in kind_rows:
            assert row["source"]
            assert row.keys() <= KINDS[kind] | COMMON, f"{name}.toml: {row.keys() - KINDS[kind] - COMMON} mean nothing in {kind}"


def test_no_known_values_are_left_over() -> None:
    assert {file.stem for file in KNOWN.glob("*.toml")} <= set(names())
    assert {file.stem for file in (ROOT / "docs" / "games").glob("*.md")} - {"README"} <= set(names())


# --- counts


@pytest.mark.parametrize(("name", "row"), rows("perft"))
def test_lines_are_as_many_as_known(name: str, row: dict[str, Any]) -> None:
    game, state = setting(name, row)
    expected = row.get("leaves", row.get("ends"))
    for depth, count in enumerate(expected, 1):
        counted = perft(game, depth, state, backend="reference", turns=row.get("turns", False))
        assert counted.leaves + (counted.finished if "ends" in row else 0) == count, f"depth {depth}"


@pytest.mark.parametrize(("name", "row"), rows("tree"))
def test_a_tree_is_as_large_as_known(name: str, row: dict[str, Any]) -> None:
    game, state = setting(name, row)
    counted = perft(game, 1000, state, backend="reference")
    assert (counted.nodes, counted.finished) == (row["nodes"], row["games"])


@pytest.mark.parametrize(("name", "row"), rows("states"))
def test_states_are_as_many_as_known(name: str, row: dict[str, Any]) -> None:
    assert len(reachable(*setting(name, row))) == row["count"]


@pytest.mark.parametrize(("name", "row"), rows("information_sets"))
def test_information_sets_are_as_many_as_known(name: str, row: dict[str, Any]) -> None:
    game, state = setting(name, row)
    moving = [place for place in reachable(game, state) if not game.terminal(place) and game.player(place) != CHANCE]
    assert len({(game.player(place), game.information(place, game.player(place))) for place in moving}) == row["count"]


def reachable(game: Game, start: State) -> list[State]:
    """All states that can be reached, breadth first."""
    found = {start: None}
    queue = [start]
    for state in queue:  # grows while it is read
        for action in legal_actions(game, state):
            child = game.result(state, action)
            if child not in found:
                found[child] = None
                queue.append(child)
    return queue


# --- values


@pytest.mark.parametrize(("name", "row"), rows("value"))
def test_values_are_those_that_are_known(name: str, row: dict[str, Any]) -> None:
    game, state = setting(name, row)
    expected = row["value"]
    if isinstance(expected, list):
        assert list(value_for_all(game, state, {})) == expected
    elif game.players == 1 and not has(game, "chances"):
        assert cheapest(game, state) == -expected
    elif has(game, "chances") or game.repetition is not None:
        assert settled(game, state) == pytest.approx(expected, abs=1e-9)
    else:
        assert not hidden_information(game)
        found = AlphaBeta(backend="reference").search(game, state)
        assert found.exact
        assert found.value == expected
        if "distance" in row:
            assert found.distance == row["distance"]


def value_for_all(game: Game, state: State, memory: dict[State, Any]) -> tuple[Any, ...]:
    """Payoffs of all players when each does the best for himself, the first of several such actions."""
    if state not in memory:
        if game.terminal(state):
            memory[state] = payoff_vector(game, state)
        else:
            player = game.player(state)
            below = [value_for_all(game, game.result(state, action), memory) for action in game.actions(state)]
            memory[state] = max(below, key=lambda payoffs: payoffs[player])
    return memory[state]


def cheapest(game: Any, start: State) -> Any:
    """The cost of the cheapest way to the end (A*)."""
    heuristic = game.heuristic if has(game, "heuristic") else lambda state: 0
    queue, order, costs = [(heuristic(start), 0, start)], itertools.count(1), {start: 0}
    while queue:
        _, _, state = heapq.heappop(queue)
        if game.terminal(state):
            return costs[state]
        for action in game.actions(state):
            child, cost = game.result(state, action), costs[state] + game.cost(state, action)
            if cost < costs.get(child, math.inf):
                costs[child] = cost
                heapq.heappush(queue, (cost + heuristic(child), next(order), child))
    return math.inf


def settled(game: Game, start: State) -> float:
    """Max's value where states return: value iteration from a draw everywhere."""
    states = reachable(game, start)[::-1]
    values = {state: float(game.utility(state) if game.terminal(state) else draw_value(game)) for state in states}
    going = [(state, game.player(state), outcomes(game, state)) for state in states if not game.terminal(state)]
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for state, player, below in going:
            parts = [values[child] * weight for child, weight in below]
            value = sum(parts) if player == CHANCE else max(parts) if player == MAX else min(parts)
            change = max(change, abs(value - values[state]))
            values[state] = value
    return values[start]


def outcomes(game: Game, state: State) -> list[tuple[State, Any]]:
    """The states after each action, with chance's probabilities; 1 where a player chooses."""
    if game.player(state) != CHANCE:
        return [(game.result(state, action), 1) for action in game.actions(state)]
    actions, weights = zip(*chance_weights(game, state), strict=True)
    return [(game.result(state, action), weight) for action, weight in zip(actions, probabilities(weights), strict=True)]


# --- equilibria of small games with hidden information


@pytest.mark.parametrize(("name", "row"), rows("profile"))
def test_nobody_gains_by_leaving_a_known_equilibrium(name: str, row: dict[str, Any]) -> None:
    game, state = setting(name, row)
    play = {words: [Fraction(part) for part in parts] for words, parts in row["play"].items()}
    value = Fraction(row["value"])
    assert expected_payoff(game, state, play, None, {}) == value
    for player in (0, 1):
        best = max(expected_payoff(game, state, play, player, choice) * (1 - 2 * player) for choice in pure_strategies(game, state, player))
        assert best == value * (1 - 2 * player)


@pytest.mark.parametrize(("name", "row"), rows("equilibrium"))
def test_hidden_information_has_the_value_that_is_known(name: str, row: dict[str, Any]) -> None:
    game, state = setting(name, row)
    assert state == game.start()
    found = EquilibriumSolver(method="lp", backend="reference").solve(game)
    assert found.value[0] == pytest.approx(float(Fraction(row["value"])), abs=1e-9)


def pure_strategies(game: Any, start: State, player: int) -> Iterator[dict[Any, int]]:
    """Every way in which a player can decide for one action in each of his information sets."""
    sets: dict[Any, list[int]] = {}
    for state in reachable(game, start):
        if not game.terminal(state) and game.player(state) == player:
            sets[game.information(state, player)] = legal_actions(game, state)
    for choice in itertools.product(*sets.values()):
        yield dict(zip(sets, choice, strict=True))


def expected_payoff(game: Any, state: State, play: dict[str, list[Fraction]], deviator: int | None, choice: dict[Any, int]) -> Fraction:
    """Max's payoff when all follow the profile, except one player who follows his own choice."""
    if game.terminal(state):
        return Fraction(game.utility(state))
    player = game.player(state)
    if player == CHANCE:
        actions, weights = zip(*chance_weights(game, state), strict=True)
        parts = [Fraction(weight, sum(weights)) for weight in weights]
    elif player == deviator:
        actions, parts = (choice[game.information(state, player)],), [Fraction(1)]
    else:
        actions, parts = tuple(game.actions(state)), play[game.name_information(game.information(state, player))]
    steps = zip(actions, parts, strict=True)
    return sum(
        (part * expected_payoff(game, game.result(state, action), play, deviator, choice) for action, part in steps if part), Fraction(0)
    )


# --- wider than a machine word


@pytest.mark.slow
@pytest.mark.parametrize("position", ["", "10 10 10 9 9 10 9 10 8", "10 9 10 9 10 9 1 2 3 8"])
def test_connect_four_of_ten_columns_compiles_from_the_same_rules(position: str) -> None:
    """70 bits: stones of the last column are beyond bit 63."""
    game, state = setting("connect4", {"parameters": "width=10, height=6", "position": position})
    assert game.word == 70
    assert choose(game).compiled is not None
    slow, quick = (perft(game, 4, state, backend=backend) for backend in ("reference", "compiled"))
    assert quick.backend == "compiled"
    assert (slow.leaves, slow.finished, slow.nodes) == (quick.leaves, quick.finished, quick.nodes)
    assert slow.leaves > 1000


def test_dice_of_two_digits_are_read_as_they_are_shown() -> None:
    game = find("liarsdice(faces=12)")
    state = game.result(game.result(game.start(), 10), 12)
    assert game.show(state) == "10 | 12 | -"
    assert game.read(game.show(state)) == state
