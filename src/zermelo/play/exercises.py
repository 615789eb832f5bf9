"""Exercises with one right answer, from a seed: minimax values, cut-offs, expectimax, backward induction, mixed equilibria.

Payoffs are drawn until nothing is tied, so that every question has exactly one answer. The same kind, seed and level always give the same
exercise, so that a sheet and its solutions fit together and a link leads to the same question.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.trees.backward_induction import BackwardInduction
from zermelo.trees.branches import Chance, Leaf, Max, Min, Player
from zermelo.trees.exact_numbers import exact_number
from zermelo.trees.matrix import Matrix
from zermelo.trees.tree import Tree

__all__ = ["KINDS", "LEVELS", "Exercise", "exercise", "right"]

LEVELS = (1, 2, 3)
ATTEMPTS = 10_000  # draws until an exercise without ties is found
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Exercise:
    """A question about a tree or a table, and its answers."""

    kind: str
    seed: int
    level: int
    title: str
    question: str
    subject: Tree | Matrix
    answers: tuple[tuple[str, str], ...]  # what is asked for → the one right answer
    solution: str  # in one or two sentences


def exercise(kind: str, seed: int = 1, level: int = 1) -> Exercise:
    """The exercise of a kind, from a seed.

    Parameters
    ----------
    kind : {"minimax", "cutoffs", "expectimax", "induction", "mixed"}
    seed : int
        The same seed gives the same exercise.
    level : {1, 2, 3}
        How large the tree or the table is.

    Raises
    ------
    ZermeloError
        For a kind or a level that there is not.

    Examples
    --------
    >>> exercise("minimax", seed=3).answers[0]
    ('value', '-2')
    """
    if kind not in KINDS:
        raise ZermeloError(f"There are no exercises of the kind {kind!r}: choose {', '.join(KINDS)}.")
    if level not in LEVELS:
        raise ZermeloError(f"Exercises have the levels 1, 2 and 3, not {level}.")
    random = Random(f"{kind} {level} {seed}")
    for _ in range(ATTEMPTS):
        made = KINDS[kind](random, seed, level)
        if made is not None:
            return made
    raise ZermeloError("No exercise was found for this seed: choose another one.")  # pragma: no cover  # never seen


def right(made: Exercise, given: dict[str, str]) -> dict[str, bool]:
    """Which of the answers that somebody gives are right; numbers may be written as fractions or decimals."""
    return {name: same(given.get(name, ""), answer) for name, answer in made.answers}


def same(given: str, answer: str) -> bool:
    wanted, offered = (parts(text) for text in (answer, given))
    return wanted == offered


def parts(text: str) -> list[Any]:
    """Numbers as fractions to a thousandth, anything else as small letters."""
    found: list[Any] = []
    for word in text.replace("−", "-").replace(",", " ").replace("(", " ").replace(")", " ").split():
        try:
            found.append(round(Fraction(exact_number(word)), 3))
        except (ValueError, ZeroDivisionError):
            found.append(word.lower())
    return found


# --- trees


SHAPES = {1: (2, 2), 2: (3, 2), 3: (2, 3, 2)}  # level → branches of each row


def drawn(random: Random, rows: tuple[int, ...]) -> list[Any]:
    """Nested lists of payoffs, all of them different."""
    payoffs = random.sample(range(-9, 16), math.prod(rows))

    def build(row: int) -> Any:
        return payoffs.pop() if row == len(rows) else [build(row + 1) for _ in range(rows[row])]

    made: list[Any] = build(0)
    return made


def branch(nested: Any, maximizes: bool, label: Callable[[], str] | None = None) -> Any:
    if not isinstance(nested, list):
        return Leaf(nested, label=label()) if label is not None else nested
    children = {LETTERS[number]: branch(child, not maximizes, label) for number, child in enumerate(nested)}
    return (Max if maximizes else Min)(children)


def minimax(random: Random, seed: int, level: int) -> Exercise | None:
    nested = drawn(random, SHAPES[level])
    tree = Tree.of(branch(nested, True), title="Minimax")
    found = BackwardInduction().search(tree)
    values = [value_of(child, False) for child in nested]
    if len(set(values)) < len(values):
        return None
    move = LETTERS[values.index(max(values))]
    told = ", ".join(f"{LETTERS[number]} is worth {value}" for number, value in enumerate(values))
    return Exercise(
        "minimax",
        seed,
        level,
        "Minimax values",
        "Max moves first, then both in turn. What is the root worth, and which move should Max make?",
        tree,
        (("value", str(found.value)), ("move", move)),
        f"From the leaves up, {told}; Max takes the largest: {move}, worth {found.value}.",
    )


def value_of(nested: Any, maximizes: bool) -> Any:
    if not isinstance(nested, list):
        return nested
    return (max if maximizes else min)(value_of(child, not maximizes) for child in nested)


CUT_SHAPES = {1: (2, 3), 2: (3, 3), 3: (2, 2, 3)}


def cutoffs(random: Random, seed: int, level: int) -> Exercise | None:
    nested = drawn(random, CUT_SHAPES[level])
    names = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    tree = Tree.of(branch(nested, True, lambda: next(names)), title="Alpha-beta")
    seen: list[int] = []
    value = alpha_beta(nested, True, -math.inf, math.inf, seen, iter(range(1000)))
    leaves = math.prod(CUT_SHAPES[level])
    missing = [chr(ord("A") + leaf) for leaf in range(leaves) if leaf not in seen]
    if not 1 <= len(missing) <= leaves // 2:
        return None
    return Exercise(
        "cutoffs",
        seed,
        level,
        "Cut-offs",
        "Alpha-beta goes through this tree from left to right, Max first. Which leaves does it never look at, and what is the root worth?",
        tree,
        (("leaves", " ".join(missing)), ("value", str(value))),
        f"{len(seen)} of {leaves} leaves are looked at; {', '.join(missing)} cannot matter any more when their turn comes.",
    )


def alpha_beta(nested: Any, maximizes: bool, alpha: float, beta: float, seen: list[int], leaves: Any) -> Any:
    """The textbook's search; `seen` gets the numbers of the leaves that it looks at."""
    if not isinstance(nested, list):
        seen.append(next(leaves))
        return nested
    best = -math.inf if maximizes else math.inf
    for number, child in enumerate(nested):
        worth = alpha_beta(child, not maximizes, alpha, beta, seen, leaves)
        best = max(best, worth) if maximizes else min(best, worth)
        alpha, beta = (max(alpha, best), beta) if maximizes else (alpha, min(beta, best))
        if alpha >= beta:
            for skipped in nested[number + 1 :]:
                for _ in range(size(skipped)):
                    next(leaves)
            break
    return best


def size(nested: Any) -> int:
    return sum(map(size, nested)) if isinstance(nested, list) else 1


def expectimax(random: Random, seed: int, level: int) -> Exercise | None:
    wide = 2 if level < 3 else 3
    weights = {1: (1, 1), 2: (1, 3), 3: (1, 1, 2)}[level]
    rows = [[random.randint(-6, 12) for _ in weights] for _ in range(wide)]
    means = [Fraction(sum(weight * payoff for weight, payoff in zip(weights, row, strict=True)), sum(weights)) for row in rows]
    if len(set(means)) < len(means) or any(mean.denominator > 2 for mean in means) or any(len(set(row)) < len(row) for row in rows):
        return None
    chances = {LETTERS[number]: Chance(*zip(weights, row, strict=True)) for number, row in enumerate(rows)}
    best = max(means)
    move = LETTERS[means.index(best)]
    told = ", ".join(f"{LETTERS[number]}: {decimal(mean)}" for number, mean in enumerate(means))
    return Exercise(
        "expectimax",
        seed,
        level,
        "Expected values",
        "Max moves, then chance, with the weights that are shown. What is the root worth, and which move should Max make?",
        Tree.of(Max(chances), title="Expectimax"),
        (("value", decimal(best)), ("move", move)),
        f"The means are {told}; Max takes the largest.",
    )


def decimal(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def induction(random: Random, seed: int, level: int) -> Exercise | None:
    rows = {1: (2, 2), 2: (3, 2), 3: (2, 2, 2)}[level]
    leaves = math.prod(rows)
    first, second = (random.sample(range(10), leaves) if leaves <= 10 else random.sample(range(20), leaves) for _ in range(2))
    payoffs = list(zip(first, second, strict=True))

    def build(row: int) -> Any:
        if row == len(rows):
            return payoffs.pop()
        return Player(row % 2 + 1, {LETTERS[number]: build(row + 1) for number in range(rows[row])})

    tree = Tree.of(build(0), title="Backward induction")
    found = BackwardInduction().search(tree)
    line = " ".join(found.line_names())
    if tree.total is not None:
        return None
    return Exercise(
        "induction",
        seed,
        level,
        "Backward induction",
        "Both players know the tree and want much for themselves: the first number is Player 1's, the second Player 2's. "
        "Which moves are made, and what does each player get?",
        tree,
        (("moves", line), ("payoffs", " ".join(str(value) for value in found.value))),
        f"From the ends: {line} is played, and the payoffs are {', '.join(str(value) for value in found.value)}.",
    )


# --- tables


def mixed(random: Random, seed: int, level: int) -> Exercise | None:
    from zermelo.equilibrium.matrix.methods import solve_matrix

    wide = 3 if level == 3 else 2
    if level == 2:  # general sum
        tables = [[[random.randint(0, 6) for _ in range(wide)] for _ in range(wide)] for _ in range(2)]
    else:
        table = [[random.randint(-4, 6) for _ in range(wide)] for _ in range(wide)]
        tables = [table, [[-payoff for payoff in row] for row in table]]
    matrix = Matrix.of(*tables, title="Mixed strategies")
    found = solve_matrix(matrix, "all")
    if len(found.equilibria) != 1 or not found.equilibria[0].exact:
        return None
    profile = found.equilibria[0]
    if any(weight == 0 for mix in profile.strategies for weight in mix) or any(
        Fraction(weight).denominator > 12 for mix in profile.strategies for weight in mix
    ):
        return None
    rows, columns = (" ".join(str(weight) for weight in mix) for mix in profile.strategies)
    value = str(profile.value[0])
    return Exercise(
        "mixed",
        seed,
        level,
        "A mixed equilibrium",
        "How often does each player make each choice in the equilibrium, and what does the row player get?",
        matrix,
        (("rows", rows), ("columns", columns), ("value", value)),
        f"Each makes the other indifferent: rows {rows.replace(' ', ', ')}; columns {columns.replace(' ', ', ')}; value {value}.",
    )


KINDS: dict[str, Callable[[Random, int, int], Exercise | None]] = {
    "minimax": minimax,
    "cutoffs": cutoffs,
    "expectimax": expectimax,
    "induction": induction,
    "mixed": mixed,
}
