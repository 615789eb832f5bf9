"""Knowledge that only the exact value can prove wrong: `bounds`, `candidates` and `heuristic`, on states with small trees below them."""

import heapq
from collections.abc import Iterable
from typing import Any

from zermelo.check import core_rules
from zermelo.check.core_rules import brief
from zermelo.check.examination import Examination, Test
from zermelo.check.paths import Position
from zermelo.check.report import Promise
from zermelo.check.value_kinds import TOLERANCE, finite, whole
from zermelo.rules import CHANCE, MAX, Game, ask, cost_function, draw_value, has, simple_payoff
from zermelo.scores import Score, leaf, lift, score

__all__ = ["Solver", "UnsolvableError", "compare", "compare_heuristic", "tests"]

BOUNDS = Promise("bounds", "`bounds` gives (low, high), made by `score`, with the exact score of the state between them.")
CANDIDATES = Promise(
    "candidates", "`candidates` has an action of best value and distance, or nothing where every action loses to the next reply."
)
HEURISTIC = Promise("heuristic", "`heuristic` is never above the cost to go, and 0 at the end.")
SOLVABLE = Promise("solvable", "`solvable` is True or False, and True wherever a way leads to an end.")

ALONE = ("heuristic", "solvable")  # what only a single player's rules promise


class UnsolvableError(Exception):
    """Why the exact value of a state is not known here."""


def tests(game: Game) -> list[Test]:
    """What can be seen without the exact value."""
    offered = [
        ("bounds", Test("bounds", bounds)),
        ("candidates", Test("candidates", candidates)),
        ("heuristic", Test("heuristic", heuristic)),
        ("solvable", Test("solvable", solvable)),
    ]
    return [test for method, test in offered if has(game, method) and (method not in ALONE or game.players == 1)]


def bounds(exam: Examination, position: Position) -> None:
    if position.terminal or position.player == CHANCE or not exam.open(BOUNDS):
        return
    answer = ask(exam.game, "bounds", position.state)
    if not isinstance(answer, tuple) or len(answer) != 2 or not all(map(whole, answer)):
        exam.broken(BOUNDS, f"it gave {answer!r}, which are not two ints", position)
    elif answer[0] > answer[1]:
        exam.broken(BOUNDS, f"it gave {answer!r}: low is above high", position)


def candidates(exam: Examination, position: Position) -> None:
    if position.terminal or position.player == CHANCE or not exam.open(CANDIDATES):
        return
    chosen = list(ask(exam.game, "candidates", position.state))
    strange = [action for action in chosen if action not in position.actions]
    if strange:
        exam.broken(CANDIDATES, f"it gave {brief(chosen)}, of which {brief(strange)} is not legal", position)
    elif len(set(chosen)) < len(chosen):
        exam.broken(CANDIDATES, f"it gave {brief(chosen)}, which has an action twice", position)


def heuristic(exam: Examination, position: Position) -> None:
    if not exam.open(HEURISTIC):
        return
    estimate = ask(exam.game, "heuristic", position.state)
    if not finite(estimate):
        exam.broken(HEURISTIC, f"it gave {estimate!r}", position)
    elif position.terminal and estimate != 0:
        exam.broken(HEURISTIC, f"it is {estimate!r} where the game is over", position)


def solvable(exam: Examination, position: Position) -> None:
    if not exam.open(SOLVABLE):
        return
    answer = ask(exam.game, "solvable", position.state)
    if answer not in (True, False):
        exam.broken(SOLVABLE, f"it gave {answer!r}", position)
    elif position.terminal and not answer:
        exam.broken(SOLVABLE, "it is False where the game is over", position)


class Solver:
    """Exact scores by depth-first search with memory, for two players, a constant total, no chance and no cycles."""

    def __init__(self, exam: Examination) -> None:
        self.exam = exam
        self.draw = draw_value(exam.game)
        self.scores: dict[int, Score] = {}  # by a position's number

    def solve(self, root: Position, budget: int) -> Score:
        """The exact score of a position; looks at no more than `budget` others, or says why not."""
        stack, on_line = [root], {root.number}
        while stack:
            position = stack[-1]
            if position.number in self.scores:
                stack.pop()
                on_line.discard(position.number)
                continue
            waiting = [child for child in self.below(position) if child.number not in self.scores]
            if not waiting:
                self.scores[position.number] = self.backed_up(position)
                budget -= 1
            elif budget <= len(stack):
                raise UnsolvableError("the trees are too large for the budget")
            elif waiting[-1].number in on_line:
                raise UnsolvableError("states return, so a value depends on the way to it")
            else:
                stack.append(waiting[-1])
                on_line.add(waiting[-1].number)
        return self.scores[root.number]

    def below(self, position: Position) -> list[Position]:
        """The positions after each action. New ones are asked about all six rules first."""
        if not position.sound:
            with self.exam.guard("the six rules", position):
                core_rules.look(self.exam, position)
        if not position.sound:
            raise UnsolvableError("the rules break other promises")
        if not position.terminal and position.player == CHANCE:
            raise UnsolvableError("chance moves")
        atlas = self.exam.atlas
        return [atlas.add(child, position.number, action)[0] for action, child in zip(position.actions, position.children, strict=True)]

    def backed_up(self, position: Position) -> Score:
        if position.terminal:
            return leaf(simple_payoff(self.exam.game, position.state))
        best = max if position.player == MAX else min
        return best(self.after(position))

    def after(self, position: Position) -> list[Score]:
        """[action's place] the score of the position if that action is chosen."""
        return [lift(self.scores[child.number], self.draw) for child in self.below(position)]


def compare(exam: Examination, positions: Iterable[Position], per_position: int, total: int) -> int:
    """Solve what can be solved, compare `bounds` and `candidates` with it, shortest way first; returns how many were solved."""
    game = exam.game
    wanted = [promise for promise, method in ((BOUNDS, "bounds"), (CANDIDATES, "candidates")) if has(game, method)]
    if not wanted:
        return 0
    solver, reason = Solver(exam), "no state could be solved"
    if game.players != 2 or game.total is None:
        reason, positions = "exact scores are for two players with a constant total", ()
    for position in positions:
        if len(solver.scores) >= total or exam.stopped:
            break
        try:
            solver.solve(position, per_position)
        except UnsolvableError as why:
            reason = str(why)
            if reason.startswith(("states return", "chance")):
                break
    found = [exam.atlas.positions[number] for number in solver.scores]
    solved = sorted((position for position in found if not position.terminal), key=lambda position: position.depth)
    for position in solved:
        with exam.guard("bounds and candidates", position):
            compare_bounds(exam, solver, position)
            compare_candidates(exam, solver, position)
    if not solved:
        exam.untested.update({f"{promise.name} against exact scores": reason for promise in wanted})
    return len(solved)


def compare_bounds(exam: Examination, solver: Solver, position: Position) -> None:
    if not has(exam.game, "bounds") or not exam.open(BOUNDS):
        return
    low, high = ask(exam.game, "bounds", position.state)
    exact = solver.scores[position.number]
    packed = score(exact.value - solver.draw, exact.distance())
    if not low <= packed <= high:
        exam.broken(BOUNDS, f"it gave ({low}, {high}); the exact score is {packed}, a payoff of {ended(exact)}", position)


def compare_candidates(exam: Examination, solver: Solver, position: Position) -> None:
    if not has(exam.game, "candidates") or not exam.open(CANDIDATES):
        return
    chosen = list(ask(exam.game, "candidates", position.state))
    exact, after = solver.scores[position.number], dict(zip(position.actions, solver.after(position), strict=True))
    lost = exact.value < solver.draw if position.player == MAX else exact.value > solver.draw
    names = ", ".join(exam.atlas.name(position.state, action) for action, value in after.items() if value == exact)
    if chosen and not any(after[action] == exact for action in chosen):
        best = f"best is {names}, with a payoff of {ended(exact)}"
        exam.broken(CANDIDATES, f"it gave {' '.join(exam.atlas.name(position.state, a) for a in chosen)}; {best}", position)
    elif not chosen and not (lost and exact.distance() <= 2):
        exam.broken(CANDIDATES, f"it gave nothing, but {names} leads to a payoff of {ended(exact)}", position)


def ended(exact: Score) -> str:
    """A score in words."""
    return f"{exact.value}" + (f" in {exact.distance()} actions" if exact.distance() else "")


def compare_heuristic(exam: Examination) -> int:
    """Compare `heuristic` and `solvable` with the cheapest way to an end along the states that were found: the cost to go is never above
    it."""
    game: Any = exam.game
    given = [method for method in ALONE if has(game, method)]
    if not given or game.players != 1:
        return 0
    ways: dict[int, list[tuple[int, Any]]] = {}  # position → positions before it, with the cost of that step
    for position in exam.atlas.positions:
        for action, child in zip(position.actions, position.children, strict=False):
            if child in exam.atlas.numbers:
                price = cost_function(game)(position.state, action)
                ways.setdefault(exam.atlas.numbers[child], []).append((position.number, price))
    found: dict[int, Any] = {}
    queue: list[tuple[Any, int]] = [(0, position.number) for position in exam.atlas.positions if position.terminal and position.sound]
    if not queue:
        exam.untested.update({f"{method} against exact costs": "no end of the game was found within the budget" for method in given})
        return 0
    heapq.heapify(queue)
    while queue:
        cost, number = heapq.heappop(queue)
        if number not in found:
            found[number] = cost
            for before, price in ways.get(number, ()):
                heapq.heappush(queue, (cost + price, before))
    for number in sorted(found):
        position = exam.atlas.positions[number]
        if has(game, "solvable") and exam.open(SOLVABLE) and not game.solvable(position.state):
            exam.broken(SOLVABLE, f"it is False, and there is a way to the end that costs {found[number]!r}", position)
        if has(game, "heuristic") and exam.open(HEURISTIC) and game.heuristic(position.state) > found[number] + TOLERANCE:
            happened = f"it is {game.heuristic(position.state)!r}, and there is a way to the end that costs {found[number]!r}"
            exam.broken(HEURISTIC, happened, position)
    return len(found)
