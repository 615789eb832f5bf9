"""What is each device of the deepening search worth? Self-play at fixed nodes, in Elo with error bars.

    python benchmarks/features.py [GAME …] [--pairs N] [--nodes N] [--depth N] [--quick] [--only FEATURE …]

The search with one switch changed plays against the default search. Every opening, a few random moves, is played twice with sides
swapped; a pair of games is one sample, so that an opening that is won for one side says nothing. The interval is that of 95 %. A row ends
after N pairs, at Ctrl-C, or as soon as a sequential test knows whether the change gains 15 Elo or costs as much. Each side keeps its own
table during a game. Fixed nodes and fixed seeds: a run can be repeated exactly.

With `--depth` no games are played: it prints how many times as many nodes the changed search visits to that depth, over twelve openings.
With `--depth N --kept` it asks what a table is worth that is kept between moves, and between games, as document 004 §3.5 proposes: two
games, from different first moves, in which both sides look N actions ahead, with a fresh table for every move, for each game, for both.
"""

import sys
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

from zermelo.engine.limits import Limits
from zermelo.play.arena.rating import Duel, Sequential, duel
from zermelo.registry import find
from zermelo.rules import Game, State, legal_actions, payoff_vector
from zermelo.search.deepening import Deepening

DEFAULT = Deepening(plain=True, memory=1 << 22)
CHANGES: dict[str, dict[str, Any]] = {
    "no table": {"memory": 0},
    "no null windows": {"windows": False},
    "aspiration": {"aspiration": True},
    "no foresight": {"foresight": False},
    "no killers": {"killers": 0},
    "killers before order": {"killers": 2},
    "no history": {"history": 0},
    "history before order": {"history": 2},
    "no order": {"ordering": False},
    "no symmetry": {"symmetry": False},
    "no bounds, no candidates": {"knowledge": False},
    "no extensions": {"extensions": False},
    "reductions": {"reductions": True},
    "null move": {"null_move": True},
    "no quiescence": {"quiescence": 0},
}
NEEDS = {  # a rule without which a switch does nothing
    "no order": "order",
    "history before order": "order",
    "killers before order": "order",
    "no symmetry": "canonical",
    "no bounds, no candidates": "bounds",
    "null move": "passed",
    "no quiescence": "quiet",
}
OPENING = (2, 8)  # random moves, at least and at most
DECISIVE, FEWEST = 15, 50  # Elo that decide, and pairs that are played at least
LONGEST_GAME = 400  # moves, after which a game counts as drawn


def opening(game: Game, random: Random, moves: tuple[int, int] = OPENING) -> State:
    """A state after a few random moves that is not the end."""
    while True:
        state = game.start()
        for _ in range(random.randint(*moves)):
            if not game.terminal(state):
                state = game.result(state, random.choice(legal_actions(game, state)))
        if not game.terminal(state):
            return state


def play(game: Game, state: State, sides: tuple[Deepening, Deepening], nodes: int) -> float:
    """Max's points: 1 for a win, 1/2 for a draw."""
    tables = [side.new_table(game) if side.memory else None for side in sides]
    states = [state]
    while not game.terminal(states[-1]) and len(states) < LONGEST_GAME:
        mover = game.player(states[-1])
        found = sides[mover].search(game, states[-1], history=tuple(states[:-1]), limits=Limits(nodes=nodes), table=tables[mover])
        if found.stopped == "interrupted":
            raise KeyboardInterrupt
        if found.action is None:
            break
        states.append(game.result(states[-1], found.action))
    if not game.terminal(states[-1]):
        return 0.5
    mine, theirs = payoff_vector(game, states[-1])
    return 0.5 + 0.5 * ((mine > theirs) - (mine < theirs))


def measure(game: Game, change: dict[str, Any], pairs: int, nodes: int) -> Duel:
    """The changed search against the default one."""
    random, test = Random(1913), Sequential(-DECISIVE, DECISIVE)
    changed = replace(DEFAULT, **change)
    samples: list[tuple[float, float]] = []
    with suppress(KeyboardInterrupt):  # what was played by then counts
        while len(samples) < pairs and (len(samples) < FEWEST or test.verdict(samples) is None):
            begin = opening(game, random)
            samples.append((play(game, begin, (changed, DEFAULT), nodes), 1 - play(game, begin, (DEFAULT, changed), nodes)))
    return duel(samples)


def effort(game: Game, search: Deepening) -> int:
    """Nodes to the search's depth over the same twelve openings."""
    random = Random(1913)
    return sum(search.search(game, opening(game, random)).nodes for _ in range(12))


def nodes_of_games(game: Game, depth: int, fresh: str) -> list[int]:
    """Nodes of each of two games that begin with another random move; a table is fresh for each "move", each "game", or the "run"."""
    search, random = replace(DEFAULT, memory=1 << 26, depth=depth), Random(1913)
    table, spent = search.new_table(game), []
    for _ in range(2):
        state, nodes = opening(game, random, (1, 1)), 0
        if fresh == "game":
            table = search.new_table(game)
        while not game.terminal(state):
            if fresh == "move":
                table = search.new_table(game)
            found = search.search(game, state, table=table)
            assert found.action is not None
            state, nodes = game.result(state, found.action), nodes + found.nodes
        spent.append(nodes)
    return spent


def option(words: list[str], name: str, default: int) -> int:
    return int(words[words.index(name) + 1]) if name in words else default


def main() -> None:
    words = sys.argv[1:]
    quick = "--quick" in words
    pairs, nodes = option(words, "--pairs", 2 if quick else 500), option(words, "--nodes", 300 if quick else 2_000)
    only = words[words.index("--only") + 1 :] if "--only" in words else []
    games = [word for word in (words[: words.index("--only")] if only else words) if not word.startswith("--") and not word.isdigit()]
    for name in games or (["connect4(width=5,height=4)"] if quick else ["connect4", "breakthrough(columns=6,rows=6)"]):
        game, depth = find(name), option(words, "--depth", 0)
        if depth and "--kept" in words:
            for fresh in ("move", "game", "run"):
                print(
                    f"  a fresh table for each {fresh}: {' and '.join(f'{nodes:,}' for nodes in nodes_of_games(game, depth, fresh))} nodes"
                )
            continue
        if depth:
            whole = effort(game, replace(DEFAULT, depth=depth))
            print(f"{name}: {whole:,} nodes to depth {depth}; how many times as many with one switch changed")
        else:
            print(f"{name}: {pairs} pairs of games, {nodes:,} nodes a move; the default search against itself with one switch changed")
        for label, change in CHANGES.items():
            if (only and label not in only) or not hasattr(game, NEEDS.get(label, "start")):
                continue
            if depth:
                print(f"  {label:26} {effort(game, replace(DEFAULT, depth=depth, **change)) / whole:5.2f}", flush=True)
                continue
            found = measure(game, change, pairs, nodes)
            assert 0 <= found.score <= 1
            interval = f"{found.low:+.0f} … {found.high:+.0f}"
            print(f"  {label:26} {2 * found.pairs:5} games {100 * found.score:5.1f} %   {found.elo:+6.0f} Elo ({interval})", flush=True)


if __name__ == "__main__":
    main()
