"""Playing: what lies on the table, who sits there, a match under way, algorithms within limits, experiments. Prints nothing."""

from typing import TYPE_CHECKING

from zermelo.lazily import lazily

if TYPE_CHECKING:
    from zermelo.play.algorithms import ALGORITHMS, Budget, make_algorithm, think
    from zermelo.play.choosing import default_algorithm
    from zermelo.play.experiment import Comparison, compare
    from zermelo.play.explaining import Watched, watch
    from zermelo.play.match import Match
    from zermelo.play.players import PLAYERS, default_player, parse_player, parse_seats
    from zermelo.play.setup import open_game, open_position

__all__ = [
    "ALGORITHMS",
    "PLAYERS",
    "Budget",
    "Comparison",
    "Match",
    "Watched",
    "compare",
    "default_algorithm",
    "default_player",
    "make_algorithm",
    "open_game",
    "open_position",
    "parse_player",
    "parse_seats",
    "think",
    "watch",
]

HOMES = {
    "default_algorithm": "choosing",
    "ALGORITHMS": "algorithms",
    "Budget": "algorithms",
    "make_algorithm": "algorithms",
    "think": "algorithms",
    "Comparison": "experiment",
    "compare": "experiment",
    "Watched": "explaining",
    "watch": "explaining",
    "Match": "match",
    "PLAYERS": "players",
    "default_player": "players",
    "parse_player": "players",
    "parse_seats": "players",
    "open_game": "setup",
    "open_position": "setup",
}
__getattr__ = lazily(__name__, HOMES)
