"""Perfect recall: a player remembers what he knew and did. Where an information set breaks that, the two histories are named.

Two states in which the mover knows the same must offer the same actions and lie behind the same own choices. Unfolding only notices
that they do not; this module walks the tree once more, slowly, and says which histories they are.
"""

from typing import Any

from zermelo.errors import RulesError
from zermelo.rules import CHANCE, Game, State, action_name, ask, has, legal_actions, player_name
from zermelo.trees.tree import Tree

__all__ = ["RecallError", "blame"]


class RecallError(RulesError):
    """A player forgets what he knew or did."""


Past = tuple[tuple[Any, int], ...]  # what the player knew and did, in order


def blame(game: Game, root: State, information: Any, player: int) -> RulesError:
    """The error that names two histories of this information set which differ in actions or in the player's own past."""
    name = type(game).__name__
    first: tuple[str, list[int], Past] | None = None
    level: list[tuple[State, tuple[str, ...], Past]] = [(root, (), ())]
    while level:
        deeper: list[tuple[State, tuple[str, ...], Past]] = []
        for state, history, past in level:
            if game.terminal(state):
                continue
            mover = game.player(state)
            actions = legal_actions(game, state)
            knows = None
            if mover == player and has(game, "information"):
                knows = ask(game, "information", state, player)
                if knows == information:
                    words = " ".join(history) or "the start"
                    if first is None:
                        first = (words, actions, past)
                    elif first[1] != actions:
                        return RulesError(
                            f"{name}: {player_name(game, player)} knows the same ({information}) after [{first[0]}] and after [{words}] "
                            f"but has other actions there; `information` must tell them apart."
                        )
                    elif first[2] != past:
                        tree = isinstance(game, Tree)
                        same = "stands in one information set" if tree else f"knows the same ({information})"
                        advice = "" if tree else "; `information` must keep what he knew and did"
                        return RecallError(
                            f"{'The tree' if tree else name} has imperfect recall: {player_name(game, player)} {same} after [{first[0]}] "
                            f"and after [{words}] although his own choices differ{advice}. "
                            "The methods auto, all, pure, supports and logit answer small games in mixed strategies all the same."
                        )
            for action in actions:
                own = (*past, (knows, action)) if mover == player != CHANCE else past
                deeper.append((game.result(state, action), (*history, action_name(game, state, action)), own))
        level = deeper
    return RulesError(f"{name}: the information set {information} of {player_name(game, player)} changes between two walks of the tree.")
