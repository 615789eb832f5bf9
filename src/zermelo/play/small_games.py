"""Games small enough to be solved whole, where a search of one position suits them badly.

What players must mix in a game with hidden information no search of one position finds, and where positions return a search may never
end. Below these sizes the whole game is solved instead, and the answer read from that.
"""

from zermelo.formats.position import Position
from zermelo.limits import Limits, Observer
from zermelo.play.choosing import returns
from zermelo.results import SearchResult
from zermelo.rules import Game, hidden_information

__all__ = ["MOST_PROVEN", "WHOLE_POSITIONS", "WHOLE_SECONDS", "solved_graph", "solved_hidden"]

WHOLE_POSITIONS, WHOLE_SECONDS = 500_000, 10.0  # of a game whose positions return: one that is larger is searched instead
MOST_PROVEN = 1_000_000  # the same where a proof is asked for


def solved_hidden(game: Game, place: Position) -> SearchResult | None:
    """The answer of a game with hidden information; None for another kind of game, and for a larger one."""
    from zermelo.play.equilibrium_algorithm import Equilibrium, TooManyHistoriesError

    if not hidden_information(game):
        return None
    try:
        return Equilibrium().search(game, place.state)
    except TooManyHistoriesError:
        return None


def solved_graph(
    game: Game, place: Position, seconds: float | None, observer: Observer | None = None, positions: int = WHOLE_POSITIONS
) -> SearchResult | str | None:
    """The answer of a game whose positions return; None for another kind of game, a sentence for a larger one."""
    from zermelo.search.classic.position_graph import Graph, TooLargeError

    if not returns(game):
        return None
    try:
        return Graph(positions).search(game, place.state, history=place.history, limits=Limits(seconds), observer=observer)
    except TooLargeError as error:
        return str(error)
