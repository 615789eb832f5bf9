"""Kuhn poker; the state is one string: two cards, a colon, the betting so far (p pass, b bet)."""
from itertools import permutations
from zermelo import CHANCE, Game

DECK = "JQK"


class KuhnWords(Game):
    def start(self):
        return ""

    def player(self, state):
        if not state:
            return CHANCE
        cards, history = state.split(":")
        return len(history) % 2

    def chances(self, state):
        for pair in permutations(DECK, 2):
            yield "".join(pair), 1

    def actions(self, state):
        return ["p", "b"]

    def result(self, state, action):
        return action + ":" if state == "" else state + action

    def terminal(self, state):
        return state.endswith(("pp", "bp", "bb"))

    def utility(self, state):
        cards, history = state.split(":")
        stake = 2 if history.endswith("bb") else 1
        if history == "bp":
            return 1
        if history == "pbp":
            return -1
        return stake if DECK.index(cards[0]) > DECK.index(cards[1]) else -stake

    def information(self, state, player):
        if not state:
            return ""
        cards, history = state.split(":")
        return f"{cards[player]}:{history}"
