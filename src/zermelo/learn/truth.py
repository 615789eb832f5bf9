"""Positions whose truth is known, by a proof or from a database: what a player is measured by, and what it can learn from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from zermelo.learn.practice import Trainer
from zermelo.limits import Limits
from zermelo.results import SearchResult
from zermelo.rules import Action, Game, State, legal_actions, payoff_vector
from zermelo.runtime.backend import Backend
from zermelo.search.proof.prove import Prove
from zermelo.solve.data_folder import database_of

__all__ = ["NODES", "Truth", "least_payoff", "random_position", "share_of_best", "solved_positions", "solver_of"]

NODES = 50_000  # for the proof of a position; those that need more are left out
TRIES = 40  # positions that are looked at for each that is wanted
ALL_NODES = 20_000_000  # for all proofs together
LONGEST = 300  # moves of a random game

Solver = Callable[[State], SearchResult]


@dataclass(frozen=True)
class Truth:
    """What is known about one position."""

    state: State
    value: float  # Max's payoff under best play
    best: frozenset[Action]  # every action of that value


def random_position(game: Game, random: Random) -> tuple[State, int]:
    """A state from a random game, any move as likely as another, in which somebody is to move, and how many moves lead to it."""
    states = [game.start()]
    while len(states) <= LONGEST and (legal := legal_actions(game, states[-1])):
        states.append(game.result(states[-1], random.choice(legal)))
    moves = random.randrange(len(states) - 1 if len(states) > 1 else 1)
    return states[moves], moves


def solver_of(game: Game, backend: Backend = "auto") -> Solver:
    """Who knows the truth: a database in the data folder that holds the whole game, otherwise the prover within a limit."""
    if database_of(game) is not None:
        from zermelo.solve.lookup import Lookup

        return lambda state: Lookup().search(game, state)
    return lambda state: Prove(memory=1 << 24, backend=backend).search(game, state, limits=Limits(nodes=NODES))


def solved_positions(
    game: Game,
    count: int,
    seed: int,
    beyond: int | None = None,
    tell: Callable[[int], object] | None = None,
    backend: Backend = "auto",
) -> list[Truth]:
    """Different positions from random games that could be solved; fewer than `count` where there are not so many within reach.

    With `beyond`, only those that tell players apart who look so many actions ahead: see `tells_apart`. Proofs that fail, early in a game,
    make positions that are as early rarer.
    """
    random, solve = Random(f"{seed} truth"), solver_of(game, backend)
    found: dict[State, Truth] = {}
    spent = earliest = 0
    for _ in range(TRIES * count):
        if len(found) >= count or spent >= ALL_NODES:
            break
        state, moves = random_position(game, random)
        if state in found or game.terminal(state) or moves < earliest:
            continue
        result = solve(state)
        spent += result.nodes
        if not result.exact:
            earliest += (moves - earliest) // 4
        elif beyond is None or tells_apart(result, beyond):
            found[state] = Truth(state, float(result.value), frozenset(result.actions))
            if tell is not None:
                tell(len(found))
    return list(found.values())


def tells_apart(result: SearchResult, beyond: int) -> bool:
    """Of the actions after which the game is not decided within so many actions, are some best and others not?"""
    open_ones = {action for action, distance in result.distances.items() if distance is None or distance > beyond}
    return bool(open_ones & set(result.actions)) and bool(open_ones - set(result.actions))


def share_of_best(trainer: Trainer, truths: Sequence[Truth], judge: str, depth: int) -> float | None:
    """The share of positions in which an evaluation, so many actions deep, chooses a best action; None where no position is known."""
    if not truths:
        return None
    chosen, _ = trainer.choose([truth.state for truth in truths], judge, depth)
    return sum(action in truth.best for action, truth in zip(chosen, truths, strict=True)) / len(truths)


def least_payoff(game: Game, seat: int, choose: Callable[[State], Action]) -> float:
    """The least that a player in this seat gets who always makes the chosen move, over all replies of the others: every one is tried, so
    this is for small games."""

    def least(state: State) -> float:
        if game.terminal(state):
            return float(payoff_vector(game, state)[seat])
        actions = [choose(state)] if game.player(state) == seat else legal_actions(game, state)
        return min(least(game.result(state, action)) for action in actions)

    return least(game.start())
