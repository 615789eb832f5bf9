"""Information-state UCT (Heinrich and Silver, 2015): self-play from the start of the game, one tree a player.

Every player has a tree over what they know and chooses in it by UCB1. What comes out is a strategy for every information set that the
playouts have met: each action as often as it was tried. It need not converge to an equilibrium; `smooth` is made for that.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal

from zermelo.errors import ZermeloError
from zermelo.limits import Limits, Watch
from zermelo.results import SearchResult
from zermelo.rules import MAX, Action, Game, State
from zermelo.search.montecarlo.hidden.information_tree import Plan
from zermelo.search.montecarlo.hidden.sampled_search import WORD, HiddenSearch, new_tree
from zermelo.search.montecarlo.hidden.worlds import Worlds
from zermelo.search.montecarlo.mcts_root import Follow, run
from zermelo.search.montecarlo.splitmix import SplitMix, stream

__all__ = ["ISUCT", "Table"]

Table = dict[Any, dict[Action, float]]  # information → action → probability


@dataclass(frozen=True)
class ISUCT(HiddenSearch):
    """IS-UCT: one tree a player, grown by playing against each other."""

    begin: Literal["start", "here"] = "start"  # where playouts begin: with the game, or in a state that is possible in the position

    name = "isuct"

    def check(self, game: Game) -> None:
        super().check(game)
        if self.begin not in ("start", "here"):
            raise ZermeloError(f"begin is start or here, not {self.begin!r}.")

    def plan(self, mover: int) -> Plan:
        return Plan("mover", mover)

    def possible(self, game: Game, state: State, random: SplitMix) -> Worlds:
        return Worlds(game, game.start(), None, random) if self.begin == "start" else super().possible(game, state, random)

    def instead(self, playouts: int) -> tuple[HiddenSearch, str]:
        note = f"None of {playouts:,} playouts from the start came by this position: as many again began in states that are possible."
        return replace(self, begin="here"), note

    def run(self, game: Game, state: State | None = None, limits: Limits | None = None, follow: Follow | None = None) -> SearchResult:
        """The most frequent move of the average strategy in this position; the strategy itself is `extra["strategy"]`."""
        found = super().run(game, state, limits, follow)
        visits = found.extra["visits"]
        whole = sum(visits.values())
        strategy = {name: tries / whole for name, tries in visits.items()} if whole else {}
        return replace(found, extra={**found.extra, "strategy": strategy})

    def strategy(self, game: Game, limits: Limits | None = None) -> tuple[Table, ...]:
        """[player] information → action → probability: the average strategies of one search from the start of the game.

        `zermelo.equilibrium.extensive.sequences.strategy.Strategy(game, tables)` measures them.
        """
        self.check(game)
        seed, playouts = (self.seed or 0) & WORD, self.budget(limits)
        settings, random = self.settings(game, seed, playouts), SplitMix(stream(seed, 0))
        worlds = Worlds(game, game.start(), None, random)
        tree = new_tree(game, settings, random, self.plan(MAX), worlds, None, self.choice(game, settings).compiled)
        run(tree, playouts, Watch(limits), None)
        tables: tuple[Table, ...] = tuple({} for _ in range(game.players))
        for mover, known, tries in tree.found():
            whole = sum(tries.values())
            if whole:
                tables[mover][known] = {action: count / whole for action, count in tries.items()}
        return tables
