"""Zermelo: write the rules of a game once, in plain Python, and get every answer its tree holds."""

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import CHANCE, MAX, MIN, Game
from zermelo.scores import score
from zermelo.words import Word, bits, lsb, popcount, replace, shift, u64, u128, u256

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "MAX",
    "MIN",
    "Game",
    "RulesError",
    "Word",
    "ZermeloError",
    "__version__",
    "bits",
    "lsb",
    "popcount",
    "replace",
    "score",
    "shift",
    "u64",
    "u128",
    "u256",
]
