"""Independent truths about the corpora: move counts, random games and values by brute force, in plain Python.

Every function takes `rules`: a game itself, or anything with the same methods, such as compiled rules. `python tests/corpus/truth.py`
writes truths.toml anew from the interpreter.
"""

import importlib.util
import random
import sys
import zlib
from enum import Enum
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any

from zermelo import CHANCE, Game

HERE = Path(__file__).parent
LOST = -1_000_000  # a puzzle's dead end
MOST_NODES = 300_000  # larger games are valued at a depth
PLAYOUTS = 20
LONGEST = 60


class TooLarge(Exception):
    """More states than brute force is meant for, or a game that can go round in circles."""


def load(path: Path) -> Game:
    """The one game of a file, with its default parameters."""
    name = f"corpus_{path.parent.name}_{path.stem}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    kinds = [
        kind
        for kind in vars(sys.modules[name]).values()
        if isinstance(kind, type) and issubclass(kind, Game) and kind.__module__ == name and not getattr(kind, "__abstractmethods__", ())
    ]
    assert len(kinds) == 1, f"{path} has {len(kinds)} games"
    return kinds[0]()


def text(value: Any) -> str:
    """A value as text that is the same in every process, and for values that are equal: sets in order, True as 1, 2.0 as 2."""
    if isinstance(value, Enum) and not isinstance(value, int):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.9g}"
    if isinstance(value, (int, float)):
        return str(int(value))
    if isinstance(value, complex):
        return f"{text(value.real)}+{text(value.imag)}j"
    if isinstance(value, (set, frozenset)):
        return "{" + ",".join(sorted(map(text, value))) + "}"
    if isinstance(value, (tuple, list)):
        return "(" + ",".join(map(text, value)) + ")"
    if hasattr(value, "__dataclass_fields__"):
        return type(value).__name__ + "(" + ",".join(text(getattr(value, name)) for name in value.__dataclass_fields__) + ")"
    if type(value).__repr__ is object.__repr__:
        names = [*getattr(type(value), "__slots__", ()), *getattr(value, "__dict__", {})]
        return type(value).__name__ + "(" + ",".join(text(getattr(value, name)) for name in names) + ")"
    return repr(value)


def moves(rules: Any, state: Any) -> list[tuple[Any, Any]]:
    """(action, weight) of whoever moves; the weight is None where a player does. None at the end."""
    if rules.terminal(state):
        return []
    if rules.player(state) == CHANCE:
        found = rules.chances(state)
        return list(found.items() if isinstance(found, dict) else found)
    return [(action, None) for action in rules.actions(state)]


def perft(rules: Any, state: Any, depth: int) -> int:
    """How many sequences of so many actions there are; a game that ends before counts no more."""
    if depth == 0:
        return 1
    after = [rules.result(state, action) for action, _ in moves(rules, state)]
    return len(after) if depth == 1 else sum(perft(rules, child, depth - 1) for child in after)


def checksum(game: Game, rules: Any, seed: int) -> int:
    """One random game in full: every state, player, action list, piece of information and payoff, as a number."""
    choice, state, lines = random.Random(seed), game.start(), []
    for _ in range(LONGEST):
        options = moves(rules, state)
        lines.append(text((state, [action for action, _ in options], [float(weight) for _, weight in options if weight is not None])))
        if hasattr(game, "information"):
            lines.append(text([rules.information(state, player) for player in range(game.players)]))
        if not options:
            break
        lines.append(text(rules.player(state)))
        state = rules.result(state, choice.choice(options)[0])
    if rules.terminal(state):
        lines.append(text(rules.utility(state)))
    return zlib.crc32("\n".join(lines).encode())


def vector(game: Game, payoff: Any) -> tuple[float, ...]:
    """Everybody's payoff."""
    if isinstance(payoff, tuple):
        return tuple(map(float, payoff))
    return (float(payoff), float(game.total - payoff)) if game.players == 2 and game.total is not None else (float(payoff),)


def value(game: Game, rules: Any, depth: int | None = None) -> float:
    """Max's payoff when all see everything and play for their own; 0 beyond the depth. Ties go to the first action."""
    known: dict[Any, tuple[float, ...] | None] = {}
    nodes = count(1)

    def search(state: Any, left: int | None) -> tuple[float, ...]:
        if next(nodes) > (MOST_NODES if depth is None else MOST_NODES // 10):
            raise TooLarge
        if rules.terminal(state):
            return vector(game, rules.utility(state))
        if left == 0:
            return (0.0,) * game.players
        key = (state, left)
        if key not in known:
            known[key] = None
            options = moves(rules, state)
            after = [search(rules.result(state, action), None if left is None else left - 1) for action, _ in options]
            if not options:
                known[key] = (float(LOST),) * game.players
            elif (player := rules.player(state)) == CHANCE:
                whole = sum(weight for _, weight in options)
                known[key] = tuple(
                    sum(float(w / whole) * v[i] for (_, w), v in zip(options, after, strict=True)) for i in range(game.players)
                )
            else:
                known[key] = max(after, key=lambda payoffs: payoffs[player])
        found = known[key]
        if found is None:
            raise TooLarge  # a circle
        return found

    return search(game.start(), depth)[0]


def cheapest(game: Game, rules: Any) -> float:
    """The value of a puzzle: its payoff at the end less the cheapest way there, by Dijkstra's algorithm."""
    best, ticket, closed = float(LOST), count(), set()
    queue = [(0, next(ticket), game.start())]
    while queue:
        cost, _, state = heappop(queue)
        if state in closed:
            continue
        closed.add(state)
        if len(closed) > MOST_NODES:
            raise TooLarge
        if rules.terminal(state):
            best = max(best, float(rules.utility(state) - cost))
            continue
        for action, _ in moves(rules, state):
            step = game.cost(state, action) if callable(getattr(game, "cost", None)) else 1
            heappush(queue, (cost + step, next(ticket), rules.result(state, action)))
    return best


def truths(path: Path) -> dict[str, Any]:
    """What is known about the game of a file."""
    game = load(path)
    counts = [1]
    while len(counts) < 7 and 0 < counts[-1] < 1_000:
        counts.append(perft(game, game.start(), len(counts)))
    entry: dict[str, Any] = {"perft": counts, "playouts": [checksum(game, game, seed) for seed in range(PLAYOUTS)]}
    try:
        puzzle = game.players == 1 and not hasattr(game, "chances")
        entry["value"] = cheapest(game, game) if puzzle else value(game, game)
    except (TooLarge, RecursionError):
        for depth in range(1, 13):
            try:
                entry["value"], entry["depth"] = value(game, game, depth), depth
            except TooLarge:
                break
    return entry


def main() -> None:
    """Write truths.toml."""
    lines = [
        "# Made by truth.py from the interpreter: perft from depth 0, checksums of random games by seed, and the value by brute force",
        "# (at a depth, where the whole game is too large).",
    ]
    for folder in ("natural", "natural19", "habits"):
        for path in sorted((HERE / folder).glob("*.py")):
            entry = truths(path)
            lines.append(f"\n[{folder}.{path.stem}]")
            lines += [
                f"{key} = {text(entry[key]) if isinstance(entry[key], float) else entry[key]}"
                for key in ("perft", "value", "depth", "playouts")
                if key in entry
            ]
            print(path.stem, {k: v for k, v in entry.items() if k != "playouts"}, flush=True)  # noqa: T201
    (HERE / "truths.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
