"""Game theorist: Kuhn-like poker with NamedTuples, Fractions as weights, information strings."""
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple
from zermelo import CHANCE, Game

class Node(NamedTuple):
    cards: tuple = ()
    history: str = ""

DEALS = list(permutations("JQK", 2))
RANK = {c: i for i, c in enumerate("JQK")}

class Kuhn(Game):
    players = 2
    payoffs = (-2, 2)
    def start(self):
        return Node()
    def player(self, node):
        return CHANCE if not node.cards else len(node.history) % 2
    def chances(self, node):
        for d in DEALS:
            yield d, Fraction(1, len(DEALS))
    def actions(self, node):
        return ["p", "b"]
    def result(self, node, action):
        if not node.cards:
            return node._replace(cards=action)
        return node._replace(history=node.history + action)
    def terminal(self, node):
        return node.history in ("pp", "pbp", "pbb", "bp", "bb")
    def utility(self, node):
        h = node.history
        if h == "pbp":
            return -1
        if h == "bp":
            return 1
        sign = 1 if RANK[node.cards[0]] > RANK[node.cards[1]] else -1
        return sign * (2 if "b" in h else 1)
    def information(self, node, player):
        return (node.cards[player] if node.cards else "?", node.history)
