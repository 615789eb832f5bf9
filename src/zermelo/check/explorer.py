"""Finding states: all of them breadth first within a budget, then random games to the end, and for puzzles a way to a goal."""

import heapq
from dataclasses import dataclass
from typing import Any

from zermelo.check import core_rules
from zermelo.check.examination import Examination, Test
from zermelo.check.paths import NO_PARENT, Position
from zermelo.check.patience import answering
from zermelo.rules import State, has

__all__ = ["Explorer"]


@dataclass
class Explorer:
    """Looks at states, and tries every test in each of them once."""

    exam: Examination
    tests: list[Test]
    depth: int = 0  # every state within so many actions was looked at
    exhaustive: bool = False
    games: int = 0
    unfinished: int = 0
    longest: int = 0

    def look(self, position: Position) -> None:
        """All tests in one position."""
        with self.exam.guard("the six rules", position), answering(self.exam.game):
            core_rules.look(self.exam, position)
        if position.sound:
            for test in self.tests:
                with self.exam.guard(test.asked, position):
                    test.run(self.exam, position)
        self.longest = max(self.longest, position.depth)

    def search(self, start: State, budget: int) -> None:
        """Breadth first, until everything or `budget` states were looked at."""
        atlas = self.exam.atlas
        atlas.add(start, NO_PARENT, 0)
        for position in atlas.positions:  # grows while it is read
            if position.number >= budget or self.exam.stopped:
                self.depth = position.depth - 1
                return
            self.look(position)
            if self.exam.hopeless:
                return
            for action, child in zip(position.actions, position.children, strict=False):
                atlas.add(child, position.number, action)
        self.exhaustive = all(position.sound for position in atlas.positions)  # nothing was hidden behind a fault
        self.depth = self.longest

    def play(self, games: int, longest: int) -> None:
        """Random games from the start; states that were not seen before are looked at."""
        for _ in range(games):
            if self.exam.stopped:
                return
            self.games += 1
            position = self.exam.atlas.positions[0]
            for _ in range(longest):
                if not position.children or self.exam.stopped:
                    break
                place = self.exam.random.randrange(len(position.children))
                position = self.visit(position.children[place], position, position.actions[place])
            else:
                self.unfinished += 1

    def visit(self, state: State, parent: Position, action: int) -> Position:
        """The position of a state, looked at if it was not before."""
        position, _ = self.exam.atlas.add(state, parent.number, action)
        if not position.sound and not position.children:
            self.look(position)
        return position

    def head_for_goal(self, budget: int) -> None:
        """In a puzzle random play hardly ever ends: follow the heuristic instead, best state first."""
        game: Any = self.exam.game
        if game.players != 1 or not has(game, "heuristic") or any(position.terminal for position in self.exam.atlas.positions):
            return
        with self.exam.guard("heuristic"):
            start = self.exam.atlas.positions[0]
            queue, waiting = [(game.heuristic(start.state), 0)], {0}
            for _ in range(budget):
                if not queue or self.exam.stopped:
                    return
                position = self.exam.atlas.positions[heapq.heappop(queue)[1]]
                for action, child in zip(position.actions, position.children, strict=False):
                    below = self.visit(child, position, action)
                    if below.terminal:
                        return
                    if below.number not in waiting:
                        waiting.add(below.number)
                        heapq.heappush(queue, (game.heuristic(child), below.number))
