"""What all searches by playouts under hidden information have in common: parameters, checks, and one search within limits."""

import math
import secrets
import time
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from zermelo.engine.limits import Limits, Watch
from zermelo.errors import ZermeloError
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Game, State, has
from zermelo.search.mcts_root import Final, Follow, over, run, write
from zermelo.search.mcts_settings import LONGEST_PLAYOUT, Kind, Policy, Settings
from zermelo.search.mcts_statistics import TreeOfPlayouts
from zermelo.search.splitmix import SplitMix, stream

__all__ = ["DEFAULT_PLAYOUTS", "HiddenSearch"]

DEFAULT_PLAYOUTS = 10_000  # where no limit is given
DEFAULT_MEMORY = 1 << 30
WORD = (1 << 64) - 1


@dataclass(frozen=True)
class HiddenSearch:
    """A search by playouts that knows no more than the player for whom it searches."""

    playouts: int | None = None  # None: until another limit strikes, DEFAULT_PLAYOUTS where there is none
    exploration: float = 0.7  # UCB1's constant, for payoffs from 0 to 1; scaled to the game's own range
    final: Final = "visits"  # how the move is chosen in the end: most visits, best mean, or best lower end of the interval ("secure")
    policy: Kind | Policy = "random"  # of playouts: random, greedy by `order` or `evaluate`, or a function
    epsilon: float = 0.1  # how often a policy moves at random all the same
    cutoff: int | None = None  # actions of a playout; what `evaluate` says stands for the rest
    memory: int | None = None  # bytes of the tree
    seed: int | None = None

    name: ClassVar[str]
    anytime: ClassVar[bool] = True

    def search(self, game: Game, state: State | None = None, limits: Limits | None = None, follow: Follow | None = None) -> SearchResult:
        """The best move for whoever moves, by what that player knows. `follow` is told a `Snapshot` about ten times a second."""
        self.check(game)
        seed = secrets.randbits(32) if self.seed is None else self.seed & WORD
        place = game.start() if state is None else state
        if game.terminal(place):
            return replace(over(game, place, seed, self.parameters()), algorithm=self.name)
        if game.player(place) == CHANCE:
            raise ZermeloError(f"Chance moves here: give {self.name} a position in which a player moves.")
        playouts, begun, notes = self.budget(limits), time.perf_counter(), []
        tree = self.plant(game, place, self.settings(game, seed, playouts), SplitMix(stream(seed, 0)))
        stopped = run(tree, playouts, Watch(limits), follow)
        if not any(move.visits for move in tree.moves()):
            tree, more = self.again(game, place, tree)
            notes.append(more)
            stopped = run(tree, playouts, Watch(limits), follow) or stopped
        found = write(
            game,
            place,
            tree,
            final=self.final,
            stopped=stopped,
            unasked_cutoff=LONGEST_PLAYOUT if self.cutoff is None else None,
            seconds=time.perf_counter() - begun,
            seed=seed,
            parameters=self.parameters(),
            notes=notes,
        )
        return replace(found, algorithm=self.name)

    def plant(self, game: Game, state: State, settings: Settings, random: SplitMix) -> TreeOfPlayouts:
        """The tree to grow."""
        raise NotImplementedError

    def again(self, game: Game, state: State, tree: TreeOfPlayouts) -> tuple[TreeOfPlayouts, str]:
        """What to do where no playout has come by the position; and a note of it."""
        raise ZermeloError(f"{self.name} made no playout from this position: give it more time.")

    def budget(self, limits: Limits | None) -> int | None:
        """How many playouts; None where another limit ends the search."""
        if limits is not None and limits.seconds == 0:
            raise ZermeloError("A search needs some time: give a time limit above 0 seconds.")
        if self.playouts is not None:
            return self.playouts
        limited = limits is not None and (limits.seconds is not None or limits.nodes is not None or limits.stop is not None)
        return None if limited else DEFAULT_PLAYOUTS

    def check(self, game: Game) -> None:
        """Raises where the parameters make no sense, or not for this game."""
        for name, least in (("playouts", 1), ("memory", 1 << 16), ("cutoff", 0)):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
                raise ZermeloError(f"{name} is a whole number of at least {least:,}, not {value!r}.")
        for name, high in (("exploration", math.inf), ("epsilon", 1.0)):
            value = getattr(self, name)
            if not (isinstance(value, int | float) and 0 <= value <= high and math.isfinite(value)):
                raise ZermeloError(f"{name} is a number {'from 0 to 1' if high == 1 else 'of at least 0'}, not {value!r}.")
        if self.final not in ("visits", "value", "secure"):
            raise ZermeloError(f"final is one of visits, value, secure, not {self.final!r}.")
        if not callable(self.policy) and self.policy not in ("random", "order", "evaluate"):
            raise ZermeloError(f"policy is one of random, order, evaluate, or a function, not {self.policy!r}.")
        if self.policy in ("order", "evaluate") and not has(game, str(self.policy)):
            raise ZermeloError(f"The policy {self.policy!r} needs the rules' `{self.policy}`, which {type(game).__name__} does not have.")
        if game.repetition is not None:
            raise ZermeloError(f'{self.name} has no use for repetition = "{game.repetition}": there what counts is more than a position.')

    def settings(self, game: Game, seed: int, playouts: int | None) -> Settings:
        """The search made definite for a game."""
        return Settings(
            seed=seed,
            exploration=float(self.exploration),
            puct=False,
            priors="random",
            temperature=1.0,
            policy=self.policy,
            epsilon=float(self.epsilon),
            judge=None,
            cutoff=LONGEST_PLAYOUT if self.cutoff is None else self.cutoff,
            urgency=None,
            keeping=-1,
            keeping_bias=0.0,
            bias=0.0,
            solving=False,
            sharing=False,
            open_loop=False,
            threads=1,
            memory=DEFAULT_MEMORY if self.memory is None else self.memory,
            playouts=playouts,
        )

    def parameters(self) -> dict[str, Any]:
        """The parameters as the result records them; functions by their names."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: getattr(value, "__qualname__", str(value)) if callable(value) else value for name, value in values.items()}
