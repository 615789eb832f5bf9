"""Regression: weights for which tanh(sum of weight × feature) comes nearest to values that are known, by least squares.

The values come from solved positions, from a search with the game's own evaluation, or from how games end that this search plays against
itself (P. Österlund's tuning method for his chess program Texel, 2014). A small penalty on the size of weights decides
where the positions do not; it is made in units in which every feature has the same spread.
"""

from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean
from typing import Any

from zermelo.errors import ZermeloError, nearest
from zermelo.learn.practice import Layout
from zermelo.learn.truth import random_position, solved_positions
from zermelo.limits import Limits
from zermelo.rules import Game, State, ask, draw_value, has, legal_actions, simple_payoff
from zermelo.runtime.backend import Backend
from zermelo.search.deepening.deepening import Deepening
from zermelo.weights import payoff_range

__all__ = ["TEACHERS", "examples", "fit"]

TEACHERS = ("solved", "search", "games")
PENALTY = 1e-4  # for a weight of one unit, beside the mean square of errors
ROUNDS = 500  # of the minimisation
FEWEST = 10  # examples
OPENING = 8  # moves at random, at most, that begin a game
LONGEST = 300  # moves, after which a game counts as drawn

Example = tuple[State, float]  # the value, from -1 to 1


def examples(
    game: Game, teacher: str, count: int, seed: int, nodes: int, tell: Callable[[int], object] | None = None, backend: Backend = "auto"
) -> list[Example]:
    """Different positions of random games with their values: proven ones, what a search of so many nodes says, or what its games pay."""
    if teacher not in TEACHERS:
        raise ZermeloError(f"There is no teacher {teacher}: {nearest(teacher, TEACHERS)}")
    middle, half = payoff_range(game)
    if teacher == "solved":
        truths = solved_positions(game, count, seed + 1, tell=tell, backend=backend)
        known = {truth.state: truth.value for truth in truths}
    else:
        if not has(game, "evaluate"):
            raise ZermeloError(f"{type(game).__name__} has no `evaluate` with which positions could be searched: learn from solved ones.")
        look = searched_positions if teacher == "search" else played_positions
        known = look(game, count, seed, nodes, tell, backend)
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


def played_positions(
    game: Game, count: int, seed: int, nodes: int, tell: Callable[[int], object] | None = None, backend: Backend = "auto"
) -> dict[State, float]:
    """Positions of games that a search of so many nodes a move plays against itself, with what they paid in the mean.

    Only quiet ones, where the game knows `quiet`: the others are not judged by an evaluation.
    """
    random, engine = Random(f"{seed + 1} games"), Deepening(textbook=True, memory=1 << 20, backend=backend)
    payoffs: dict[State, list[float]] = {}
    for _ in range(count):
        if len(payoffs) >= count:
            break
        line, payoff = played_game(game, engine, nodes, random)
        for state in line:
            if not has(game, "quiet") or ask(game, "quiet", state):
                payoffs.setdefault(state, []).append(payoff)
        if tell is not None:
            tell(len(payoffs))
    return {state: fmean(seen) for state, seen in list(payoffs.items())[:count]}


def played_game(game: Game, engine: Deepening, nodes: int, random: Random) -> tuple[list[State], float]:
    """The states of one game in which the search moved, and Max's payoff; a game that is proven is not played on."""
    state, line = game.start(), []  # type: State, list[State]
    for _ in range(random.randint(0, OPENING)):
        if not game.terminal(state):
            state = game.result(state, random.choice(legal_actions(game, state)))
    while not game.terminal(state) and len(line) < LONGEST:
        found = engine.search(game, state, limits=Limits(nodes=nodes))
        if found.exact:
            return line, float(found.value)
        line.append(state)
        state = game.result(state, found.action)
    return line, float(simple_payoff(game, state) if game.terminal(state) else draw_value(game))


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
