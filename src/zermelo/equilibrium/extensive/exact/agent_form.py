"""The agent form (Selten 1975): every information set gets an agent of its own, who is paid what the player is paid.

An equilibrium of the agent form is a behaviour that nobody gains from changing at one information set alone. Every equilibrium of the tree
is one; the converse fails where a player gains only by changing at several sets at once.
"""

from dataclasses import replace

from zermelo.equilibrium.extensive.exact.behaviour import information_sets
from zermelo.errors import ZermeloError
from zermelo.rules import Game
from zermelo.trees.tree import Tree
from zermelo.trees.unfolding import unfold

__all__ = ["agent_form"]


def agent_form(game: Game) -> Tree:
    """The tree in which each information set has a player of its own, the first player's sets first."""
    tree = game if isinstance(game, Tree) else unfold(game)
    agents = [each for own in information_sets(tree) for each in own]
    if not agents:
        raise ZermeloError("Nobody moves in this tree, so it has no agents.")
    movers = list(tree.movers)
    for number, agent in enumerate(agents):
        for node in agent.nodes:
            movers[node] = number
    utilities = tuple(None if payoffs is None else tuple(payoffs[agent.player] for agent in agents) for payoffs in tree.utilities)
    names = tuple(f"{agent.player + 1}: {agent.name(tree)}" for agent in agents)
    return replace(tree, movers=tuple(movers), utilities=utilities, players=len(agents), total=None, names=names, source=None, states=())
