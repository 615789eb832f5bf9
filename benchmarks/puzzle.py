"""One player alone, measured: `python benchmarks/puzzle.py` prints what this machine does, and asserts every answer.

Korf's arrangements of the 15-puzzle by compiled IDA*, the thirty with the fewest slides, with the Manhattan distance and with linear
conflicts. Compiled against reference on the same search. LRTA* from every arrangement of the 8-puzzle, in two trials. `--quick` does a
part of each.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

from zermelo.games.eightpuzzle import EightPuzzle, Tiles
from zermelo.games.fifteenpuzzle import FifteenPuzzle
from zermelo.rules import Game
from zermelo.search.puzzles.idastar import IDAStar
from zermelo.search.puzzles.journey import travel
from zermelo.search.puzzles.lrta import LRTA

KORF = Path(__file__).with_name("korf100.txt")
EASIEST = 30  # of the hundred: those that need the fewest slides
DISTANCES = 181_440  # arrangements of the 8-puzzle that can be solved (Johnson and Story, 1879)


def instances() -> list[tuple[int, int, tuple[int, ...]]]:
    """(fewest slides, number, tiles) of the easiest, easiest first."""
    rows = [list(map(int, line.split())) for line in KORF.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert len(rows) == 100
    return sorted((row[1], row[0], tuple(row[2:])) for row in rows)[:EASIEST]


def fifteen(count: int) -> None:
    """The first `count` of the easiest arrangements with both heuristics."""
    engine = IDAStar(textbook=True, backend="compiled")
    totals: dict[bool, tuple[int, float]] = {}
    for conflicts in (False, True):
        game = FifteenPuzzle(tiles=(1, 0, *range(2, 16)), gap_first=True, conflicts=conflicts)
        engine.search(game)  # compiled, and in the cache
        nodes, seconds = 0, 0.0
        for slides, number, tiles in instances()[:count]:
            began = time.process_time()
            found = engine.search(game, game.arranged(tiles))
            seconds += time.process_time() - began
            nodes += found.nodes
            assert (found.value, found.exact, found.backend) == (-slides, True, "compiled"), number
        totals[conflicts] = nodes, seconds
        name = "with linear conflicts" if conflicts else "Manhattan distance"
        print(f"15-puzzle, {count} of Korf's arrangements, {name}: {nodes:,} nodes, {seconds:.1f} s")
        print(f"    {nodes / seconds / 1e6:.1f} million nodes a second")
    (many, long), (few, short) = totals[False], totals[True]
    assert few < many
    print(f"    linear conflicts: {many / few:.1f} times fewer nodes, {long / short:.1f} times faster")


def engines(quick: bool) -> None:
    """The same search on both backends."""
    game = EightPuzzle(tiles=(8, 6, 7, 2, 5, 4, 3, 0, 1), conflicts=quick)
    quickly = IDAStar(textbook=True, backend="compiled")
    quickly.search(game)
    times, found = [], []
    for engine, repeat in ((replace(quickly, backend="reference"), 1), (quickly, 20)):
        began = time.process_time()
        for _ in range(repeat):
            result = engine.search(game)
        times.append((time.process_time() - began) / repeat)
        found.append((result.value, result.line, result.nodes))
    assert found[0] == found[1]
    assert found[0][0] == -31  # A. Reinefeld, IJCAI 1993
    print(f"8-puzzle, IDA* on one of the two hardest arrangements: {found[0][2]:,} nodes")
    print(f"    reference {times[0] * 1e3:,.0f} ms, compiled {times[1] * 1e3:,.1f} ms: {times[0] / times[1]:,.0f} times")


class Known(Game):
    """The 8-puzzle as a graph that was unfolded before, so that the time is LRTA*'s own. A state is a number, the goal is 0."""

    players = 1

    def __init__(self) -> None:
        puzzle = EightPuzzle()
        states: list[Tiles] = [puzzle.arranged(puzzle.goal)]
        numbers = {states[0]: 0}
        self.distances = [0]  # [state] fewest slides, by breadth-first search
        self.after: list[tuple[int, ...]] = []  # [state] the states one slide further
        for number, state in enumerate(states):  # which grows
            following = []
            for near in neighbours(puzzle, state):
                if near not in numbers:
                    numbers[near] = len(states)
                    states.append(near)
                    self.distances.append(self.distances[number] + 1)
                following.append(numbers[near])
            self.after.append(tuple(following))
        self.estimates = [puzzle.heuristic(state) for state in states]

    def start(self) -> int:
        return len(self.after) - 1

    def player(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> Any:
        return range(len(self.after[state]) if state else 0)

    def result(self, state: int, action: int) -> int:
        return self.after[state][action]

    def terminal(self, state: int) -> bool:
        return state == 0

    def utility(self, state: int) -> int:
        return 0

    def heuristic(self, state: int) -> int:
        return self.estimates[state]


def neighbours(puzzle: EightPuzzle, tiles: Tiles) -> list[Tiles]:
    """The arrangements one slide further, also from the goal, where the game is over."""
    row, column = divmod(tiles.gap, 3)
    steps = [(-3, row > 0), (-1, column > 0), (1, column < 2), (3, row < 2)]
    return [puzzle.result(tiles, tiles.gap + step) for step, possible in steps if possible]


def learning(quick: bool) -> None:
    """LRTA* from every arrangement, each trial with what all journeys before have learned."""
    game = Known()
    assert (len(game.after), max(game.distances)) == (DISTANCES, 31)
    learner = LRTA().learner(game)
    states = range(1, DISTANCES, 97 if quick else 1)
    means = []
    began = time.process_time()
    for _ in range(2):
        journeys = []
        for state in states:
            journey = travel(learner, state)
            assert journey.arrived
            journeys.append(journey.cost)
        means.append(mean(journeys))
    seconds = time.process_time() - began
    assert means[1] <= means[0]
    best = mean(game.distances[state] for state in states)
    assert best <= means[1]
    print(f"8-puzzle, LRTA* from {len(states):,} arrangements: all reached the goal, {seconds:.0f} s for two trials")
    print(f"    mean slides {means[0]:.2f}, then {means[1]:.2f}; the fewest are {best:.2f}")


def main() -> None:
    quick = "--quick" in sys.argv[1:]
    engines(quick)
    fifteen(3 if quick else EASIEST)
    learning(quick)


if __name__ == "__main__":
    main()
