"""Regression: weights for which tanh(sum of weight × feature) comes nearest to values that are known, by least squares.

The values come from solved positions, or from a search with the game's own evaluation. A small penalty on the size of weights decides
where the positions do not; it is made in units in which every feature has the same spread.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from zermelo.engine.backend import Backend
from zermelo.errors import ZermeloError, nearest
from zermelo.learn.practice import Layout
from zermelo.learn.truth import random_position, solved_positions
from zermelo.limits import Limits
from zermelo.rules import Game, State, has
from zermelo.search.deepening.deepening import Deepening
from zermelo.weights import payoff_range

__all__ = ["TEACHERS", "examples", "fit"]

TEACHERS = ("solved", "search")
PENALTY = 1e-4  # for a weight of one unit, beside the mean square of errors
ROUNDS = 500  # of the minimisation
FEWEST = 10  # examples

Example = tuple[State, float]  # the value, from -1 to 1


def examples(
    game: Game, teacher: str, count: int, seed: int, nodes: int, tell: Callable[[int], object] | None = None, backend: Backend = "auto"
) -> list[Example]:
    """Different positions of random games with their values: proven ones, or what a search of so many nodes says."""
    if teacher not in TEACHERS:
        raise ZermeloError(f"There is no teacher {teacher}: {nearest(teacher, TEACHERS)}")
    middle, half = payoff_range(game)
    if teacher == "solved":
        truths = solved_positions(game, count, seed + 1, tell=tell, backend=backend)
        known = {truth.state: truth.value for truth in truths}
    else:
        if not has(game, "evaluate"):
            raise ZermeloError(f"{type(game).__name__} has no `evaluate` with which positions could be searched: learn from solved ones.")
        known = searched_positions(game, count, seed, nodes, tell, backend)
    if len(known) < FEWEST:
        raise ZermeloError(f"Only {len(known)} positions could be solved, which is too few to learn from: use `teacher='search'`.")
    return [(state, (value - middle) / half) for state, value in known.items()]


def searched_positions(
    game: Game, count: int, seed: int, nodes: int, tell: Callable[[int], object] | None = None, backend: Backend = "auto"
) -> dict[State, float]:
    """Positions of random games, with the values that a search gives them."""
    random, search = Random(f"{seed + 1} search"), Deepening(textbook=True, backend=backend)
    known: dict[State, float] = {}
    for _ in range(3 * count):
        if len(known) >= count:
            break
        state, _ = random_position(game, random)
        if state not in known and not game.terminal(state):
            known[state] = float(search.search(game, state, limits=Limits(nodes=nodes)).value)
            if tell is not None:
                tell(len(known))
    return known


def fit(game: Game, layout: Layout, known: Sequence[Example]) -> list[float]:
    """The weights that fit best."""
    import numpy as np
    from scipy.optimize import minimize

    matrix, wanted = features_matrix(game, layout, [state for state, _ in known]), np.array([value for _, value in known])
    scale = np.array([1 / spread**0.5 for spread in layout.spreads] + [1.0] * (layout.weights - len(layout.names)))
    scaled = matrix.multiply(scale).tocsr()

    def loss(weights: Any) -> tuple[float, Any]:
        values = np.tanh(scaled @ weights)
        errors = values - wanted
        slope = scaled.T @ (2 / len(wanted) * errors * (1 - values**2)) + 2 * PENALTY * weights
        return float(errors @ errors / len(wanted) + PENALTY * weights @ weights), slope

    found = minimize(loss, np.zeros(layout.weights), jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS})
    return [float(number) for number in found.x * scale]


def features_matrix(game: Game, layout: Layout, states: Sequence[State]) -> Any:
    """[example, weight] the features, as a sparse matrix."""
    import numpy as np
    from scipy.sparse import csr_matrix

    rows, columns, amounts = [], [], []
    for row, state in enumerate(states):
        for place, amount in layout.describe(game, state):
            rows.append(row)
            columns.append(place)
            amounts.append(amount)
    return csr_matrix((np.array(amounts), (rows, columns)), shape=(len(states), layout.weights))
