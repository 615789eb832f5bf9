"""Does it pay to look for symmetry below a state? Canonical states cost time, and are worth it where lines mirror each other."""

from zermelo.rules import Game, State, ask, legal_actions

__all__ = ["has_twins"]


def has_twins(game: Game, state: State) -> bool:
    """Do two actions of the state lead to states that are alike by the game's `canonical`?"""
    children = [ask(game, "canonical", game.result(state, action))[0] for action in legal_actions(game, state)]
    return len(set(children)) < len(children)
