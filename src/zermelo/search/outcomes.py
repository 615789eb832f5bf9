"""Chance in a search: the outcomes of a state with their probabilities, checked."""

from typing import Any, NamedTuple

from zermelo.errors import RulesError
from zermelo.rules import Action, Game, State, chance_weights

__all__ = ["TOLERANCE", "Outcome", "outcomes_of", "weight_fault"]

TOLERANCE = 1e-9  # by how much weights that are not whole may miss 1


class Outcome(NamedTuple):
    """What chance may do, and how likely that is."""

    action: Action
    probability: Any  # above 0; exact where the rules give a Fraction


def outcomes_of(game: Game, state: State) -> list[Outcome]:
    """The outcomes that can happen, in order; their probabilities add up to 1. Raises `RulesError` where they are not a distribution."""
    weights = chance_weights(game, state)
    fault = weight_fault(game, state, [weight for _, weight in weights])
    if fault is not None:
        raise fault
    whole = sum(weight for _, weight in weights)
    return [Outcome(action, weight / whole) for action, weight in weights if weight > 0]


def weight_fault(game: Game, state: State, weights: list[Any]) -> RulesError | None:
    """What is wrong with the weights of a state, in one sentence that names the state and the sum."""
    name = f"{type(game).__name__}.chances"
    if not weights:
        return RulesError(f"{name} gives no outcome in the state {state!r}: chance needs at least one.")
    for weight in weights:
        if not weight >= 0:
            return RulesError(f"{name} gives the weight {weight} in the state {state!r}: probabilities are not negative.")
    whole = sum(weights)
    if all(float(weight).is_integer() for weight in weights):
        return None if whole > 0 else RulesError(f"{name} gives only weights of 0 in the state {state!r}: their sum must be above 0.")
    if abs(whole - 1) > TOLERANCE:
        return RulesError(f"{name} gives probabilities that add up to {float(whole):.12g}, not 1, in the state {state!r}.")
    return None
