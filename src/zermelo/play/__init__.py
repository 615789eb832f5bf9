"""Playing: what lies on the table, who sits there, a match under way, engines with a budget, and experiments with them. Prints nothing."""

from typing import TYPE_CHECKING

from zermelo.lazily import lazily

if TYPE_CHECKING:
    from zermelo.play.choosing import default_engine
    from zermelo.play.engines import ENGINES, Budget, make_engine, think
    from zermelo.play.experiment import Comparison, compare
    from zermelo.play.explaining import Watched, watch
    from zermelo.play.match import Match
    from zermelo.play.players import PLAYERS, default_player, parse_player, parse_seats
    from zermelo.play.setup import open_game, open_position

__all__ = [
    "ENGINES",
    "PLAYERS",
    "Budget",
    "Comparison",
    "Match",
    "Watched",
    "compare",
    "default_engine",
    "default_player",
    "make_engine",
    "open_game",
    "open_position",
    "parse_player",
    "parse_seats",
    "think",
    "watch",
]

HOMES = {
    "default_engine": "choosing",
    "ENGINES": "engines",
    "Budget": "engines",
    "make_engine": "engines",
    "think": "engines",
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
