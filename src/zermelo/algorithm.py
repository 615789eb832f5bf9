"""The protocol of every algorithm: parameters are stored at construction, `search` validates, works and returns a frozen result."""

import inspect
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, Generic, TypeVar

from zermelo.errors import ZermeloError
from zermelo.limits import Limits, Observer
from zermelo.rules import Game, State

__all__ = ["Algorithm", "WholeGame"]

Found = TypeVar("Found", covariant=True)


class Algorithm(Generic[Found]):
    """A frozen dataclass whose fields are the parameters. A subclass writes `run`, with as many of the keywords below as it can use."""

    run: Any  # (game, state, *, history, limits, recorder, …) -> Found

    def search(
        self,
        game: Game,
        state: State | None = None,
        *,
        history: Sequence[State] = (),
        limits: Limits | None = None,
        observer: Observer | None = None,
        **resources: Any,
    ) -> Found:
        """Search a game from a state.

        Parameters
        ----------
        game : Game
            The rules.
        state : optional
            Where to search from; the start by default.
        history : sequence of states, optional
            The states before it, for games that know `repetition`.
        limits : Limits, optional
            Time, nodes, depth, memory, threads and seed of this search.
        observer : Observer, optional
            Who is told of progress, records the trace and may stop the search.
        **resources
            What some algorithms can use besides: `table`, `oracle`, `executor`.

        Returns
        -------
        SearchResult
            What was found, and how sure it is.

        Raises
        ------
        ZermeloError
            Where the game is of another kind, or the algorithm cannot keep a limit.
        """
        wanted, watcher, algorithm = limits or Limits(), observer or Observer(), self
        if own := wanted.parameters():
            for name in own.keys() - {field.name for field in fields(self)}:  # type: ignore[arg-type]  # subclasses are dataclasses
                raise ZermeloError(f"{type(self).__name__} has no {name}: leave this limit out or choose another algorithm.")
            algorithm = replace(self, **own)  # type: ignore[type-var]  # likewise
        known = inspect.signature(self.run).parameters
        offered = {"history": tuple(history), "limits": wanted.watched(watcher), "recorder": watcher.trace}
        if "limits" not in known and (wanted.time, wanted.nodes, watcher.stop or wanted.stop) != (None, None, None):
            raise ZermeloError(f"{type(self).__name__} cannot stop early: leave the limits out or choose another algorithm.")
        if "recorder" not in known and watcher.trace is not None:
            raise ZermeloError(f"{type(self).__name__} records no trace: choose another algorithm.")
        found: Found = algorithm.run(game, state, **{name: offered[name] for name in offered.keys() & known} | resources)
        return found


class WholeGame(Algorithm[Found]):
    """An algorithm that answers for a whole game, such as an equilibrium. A subclass writes `solve(game)`.

    `Limits.time` and the observer fill its fields `seconds`, `stop` and `progress`; a limit without a field is refused.
    """

    solve: Any  # (game) -> Found

    def run(self, game: Game, state: State | None = None, *, limits: Limits | None = None) -> Found:
        """The answer from the start of the game."""
        name, bounds = type(self).__name__, limits or Limits()
        if state is not None and state != game.start():
            raise ZermeloError(f"{name} answers for the whole game: leave the position out.")
        given = {"seconds": bounds.time, "nodes": bounds.nodes, "stop": bounds.stop, "progress": bounds.progress}
        wanted = {field: value for field, value in given.items() if value is not None}
        known = {field.name for field in fields(self)}  # type: ignore[arg-type]  # subclasses are dataclasses
        if wanted.keys() - known - {"progress"}:  # who has nothing to tell is silent
            raise ZermeloError(f"{name} cannot stop early: leave the limits out or choose another algorithm.")
        algorithm = replace(self, **{field: value for field, value in wanted.items() if field in known})  # type: ignore[type-var]
        try:
            found: Found = algorithm.solve(game)
        except KeyboardInterrupt:
            if bounds.stop is None or not bounds.stop.is_set():
                raise
            raise ZermeloError(f"{name} was stopped before it had an answer.") from None
        return found
