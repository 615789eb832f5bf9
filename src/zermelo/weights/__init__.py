"""Linear evaluations: weights of features and of patterns, kept as text, and games that judge their positions by them."""

from typing import TYPE_CHECKING

from zermelo.lazily import lazily

if TYPE_CHECKING:
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

HOMES = {
    "learned": "learned_game",
    "with_weights": "learned_game",
    "Weights": "linear",
    "feature_names": "linear",
    "features_of": "linear",
    "payoff_range": "linear",
    "Patterns": "patterns",
    "patterns_of": "patterns",
    "identity_of": "weights_file",
    "read_weights": "weights_file",
    "weights_text": "weights_file",
    "write_weights": "weights_file",
}
__getattr__ = lazily(__name__, HOMES)
