"""Ghost-like word building over a trie of nested dicts made at import time."""

from zermelo import Game

WORDS = """game gamete gamut gate gather gear gem gene genre gist give giver glad glade glass""".split()
END = "$"


def make_trie(words):
    root = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node[END] = word
    return root


TRIE = make_trie(WORDS)


class TrieGhost(Game):
    def start(self):
        return "g"

    def node(self, prefix):
        node = TRIE
        for letter in prefix:
            node = node[letter]
        return node

    def player(self, prefix):
        return (len(prefix) - 1) % 2

    def actions(self, prefix):
        return sorted(letter for letter in self.node(prefix) if letter != END)

    def result(self, prefix, letter):
        return prefix + letter

    def terminal(self, prefix):
        return END in self.node(prefix) and len(prefix) > 3

    def utility(self, prefix):
        # whoever completes a word loses
        completed_by = (len(prefix) - 2) % 2
        return {0: -1, 1: 1}[completed_by]
