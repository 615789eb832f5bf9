"""What is each device of the deepening search worth? Self-play at fixed nodes, in Elo with error bars; nodes and time to a depth.

    python benchmarks/features.py [GAME …] [--pairs N] [--nodes N] [--whole] [--depth N] [--quick] [--only FEATURE …]

The search with one switch changed plays against the default search. Every opening, a few random moves, is played twice with sides
swapped; a pair of games is one sample, so that an opening that is won for one side says nothing. The interval is that of 95 %. A row ends
after N pairs, at Ctrl-C, or, without `--whole`, as soon as a sequential test knows whether the change gains 15 Elo or costs as much. Each
side keeps its own table during a game. Fixed nodes and fixed seeds: a run can be repeated exactly, and other work on the machine changes
nothing. `--base FEATURE` changes a switch of both sides: with `--base "no order"` they do not know the game's `order`.

With `--depth` no games are played: it prints how many times as many nodes the changed search visits to that depth, and how many times the
processor time it takes, over twelve openings (`--openings N`) or, with `--start`, from the start; both without reductions, with which a
depth is no measure of what was looked at. The time is the least of three runs (`--runs N`), and means something on an idle machine only.
With `--depth N --kept` it asks what a table is worth that is kept between moves, and between games, as Lan et al. (2023, §3.5) propose: two
games, from different first moves, in which both sides look N actions ahead, with a fresh table for every move, for each game, for both.
"""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

from zermelo.limits import Limits
from zermelo.play.arena.rating import Duel, Sequential, duel
from zermelo.registry import find
from zermelo.rules import Game, State, legal_actions, payoff_vector
from zermelo.search.deepening.deepening import Deepening

DEFAULT = Deepening(textbook=True, memory=1 << 22)
CHANGES: dict[str, dict[str, Any]] = {
    "no table": {"memory": 0},
    "no null windows": {"windows": False},
    "aspiration": {"aspiration": True},
    "no foresight": {"foresight": False},
    "killers": {"killers": 1},
    "killers before order": {"killers": 2},
    "no history": {"history": 0},
    "history before order": {"history": 2},
    "no order": {"ordering": False},
    "no symmetry": {"symmetry": False},
    "no bounds, no candidates": {"knowledge": False},
    "no extensions": {"extensions": False},
    "no reductions": {"reductions": False},
    "null move": {"null_move": True},
    "no futility": {"futility": False},
    "no quiescence": {"quiescence": 0},
}
NEEDS = {  # a rule without which a switch does nothing
    "no order": "order",
    "history before order": "order",
    "killers before order": "order",
    "no symmetry": "canonical",
    "no bounds, no candidates": "bounds",
    "null move": "passed",
    "no futility": "quiet",
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
    return 1.0 if mine > theirs else 0.0 if mine < theirs else 0.5


def measure(game: Game, base: Deepening, change: dict[str, Any], pairs: int, nodes: int, whole: bool) -> Duel:
    """The changed search against the one without the change; `whole`: all the pairs, without a sequential test."""
    random, test = Random(1913), Sequential(-DECISIVE, DECISIVE)
    changed = replace(base, **change)
    samples: list[tuple[float, float]] = []
    with suppress(KeyboardInterrupt):  # what was played by then counts
        while len(samples) < pairs and (whole or len(samples) < FEWEST or test.verdict(samples) is None):
            begin = opening(game, random)
            samples.append((play(game, begin, (changed, base), nodes), 1 - play(game, begin, (base, changed), nodes)))
    return duel(samples)


def effort(game: Game, search: Deepening, states: Sequence[State]) -> tuple[int, float]:
    """Nodes and seconds of the processor to the search's depth from all of the states."""
    started = time.process_time()
    nodes = sum(search.search(game, state).nodes for state in states)
    return nodes, time.process_time() - started


def efforts(game: Game, searches: dict[str, Deepening], states: Sequence[State], runs: int) -> dict[str, tuple[int, float]]:
    """The effort of each, the least time of several runs that take turns."""
    effort(game, searches[""], states[:1])  # compiles
    found = [{label: effort(game, search, states) for label, search in searches.items()} for _ in range(runs)]
    return {label: min(run[label] for run in found) for label in searches}


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


def changes_for(game: Game, only: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The changes that are asked for and that do something in this game."""
    return {label: change for label, change in CHANGES.items() if (not only or label in only) and hasattr(game, NEEDS.get(label, "start"))}


def compare_efforts(name: str, base: Deepening, words: Namespace) -> None:
    """Nodes and time to a depth."""
    game, random = find(name), Random(1913)
    states = [game.start()] if words.start else [opening(game, random) for _ in range(words.openings)]
    steady = replace(base, depth=words.depth, reductions=False)
    changed = {label: replace(steady, **change) for label, change in changes_for(game, words.only).items()}
    changed = {label: search for label, search in changed.items() if search != steady}
    found = efforts(game, {"": steady} | changed, states, words.runs)
    nodes, seconds = found.pop("")
    print(
        f"{name}: {nodes:,} nodes to depth {words.depth} in {seconds:.2f} s; how many times as many, and the time, with one switch changed"
    )
    for label, (more, longer) in found.items():
        print(f"  {label:26} {more / nodes:5.2f} {longer / seconds:5.2f}", flush=True)


def compare_tables(name: str, words: Namespace) -> None:
    """What a table is worth that is kept."""
    for fresh in ("move", "game", "run"):
        spent = " and ".join(f"{nodes:,}" for nodes in nodes_of_games(find(name), words.depth, fresh))
        print(f"  a fresh table for each {fresh}: {spent} nodes")


def compare_play(name: str, base: Deepening, words: Namespace) -> None:
    """Games at fixed nodes."""
    game = find(name)
    print(f"{name}: {words.pairs} pairs of games, {words.nodes:,} nodes a move; the search against itself with one switch changed")
    for label, change in changes_for(game, words.only).items():
        found = measure(game, base, change, words.pairs, words.nodes, words.whole)
        assert 0 <= found.score <= 1
        interval = f"{found.low:+.0f} … {found.high:+.0f}"
        print(f"  {label:26} {2 * found.pairs:5} games {100 * found.score:5.1f} %   {found.elo:+6.0f} Elo ({interval})", flush=True)


def parsed() -> Namespace:
    """The command line."""
    parser = ArgumentParser(description="What is each device of the deepening search worth?")
    parser.add_argument("games", nargs="*", metavar="GAME")
    for name in ("pairs", "nodes", "depth"):
        parser.add_argument(f"--{name}", type=int)
    parser.add_argument("--openings", type=int, default=12)
    parser.add_argument("--runs", type=int, default=3)
    for name in ("whole", "start", "kept", "quick"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--only", nargs="+", choices=CHANGES, default=[])
    parser.add_argument("--base", nargs="+", choices=CHANGES, default=[])
    words = parser.parse_args()
    words.games = words.games or (["connect4(width=5,height=4)"] if words.quick else ["connect4", "breakthrough(columns=6,rows=6)"])
    words.pairs, words.nodes = words.pairs or (2 if words.quick else 500), words.nodes or (300 if words.quick else 2_000)
    return words


def main() -> None:
    words, base = parsed(), DEFAULT
    for label in words.base:
        base = replace(base, **CHANGES[label])
    for name in words.games:
        if words.depth and words.kept:
            compare_tables(name, words)
        elif words.depth:
            compare_efforts(name, base, words)
        else:
            compare_play(name, base, words)


if __name__ == "__main__":
    main()
