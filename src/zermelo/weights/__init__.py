"""Linear evaluations: weights of features and of patterns, kept as text, and games that judge their positions by them."""

from zermelo.weights.learned_game import learned, with_weights
from zermelo.weights.linear import Weights, feature_names, features_of, payoff_range
from zermelo.weights.patterns import Patterns, patterns_of
from zermelo.weights.weights_file import identity_of, read_weights, weights_text, write_weights

__all__ = [
    "Patterns",
    "Weights",
    "feature_names",
    "features_of",
    "identity_of",
    "learned",
    "patterns_of",
    "payoff_range",
    "read_weights",
    "weights_text",
    "with_weights",
    "write_weights",
]
