"""Information-state UCT (document 003; Heinrich and Silver, 2015): self-play from the start of the game, one tree a player.

Every player has a tree over what they know and chooses in it by UCB1. What comes out is a strategy for every information set that the
playouts have met: each action as often as it was tried. It need not converge to an equilibrium; `smooth` is made for that.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal

from zermelo.engine.limits import Limits, Watch
from zermelo.errors import ZermeloError
from zermelo.results import SearchResult
from zermelo.rules import Action, Game, State, knowledge
from zermelo.search.hidden.information_tree import InformationTree, Manner, upper_confidence
from zermelo.search.hidden.sampling import WORD, HiddenSearch
from zermelo.search.hidden.worlds import Worlds
from zermelo.search.mcts_root import Follow, run
from zermelo.search.mcts_settings import Settings
from zermelo.search.mcts_statistics import TreeOfPlayouts
from zermelo.search.splitmix import SplitMix, stream

__all__ = ["ISUCT", "Table"]

Table = dict[Any, dict[Action, float]]  # information → action → probability


@dataclass(frozen=True)
class ISUCT(HiddenSearch):
    """IS-UCT: one tree a player, grown by playing against each other."""

    begin: Literal["start", "here"] = "start"  # where playouts begin: with the game, or in a state that is possible in the position

    name = "isuct"

    def manner(self) -> Manner:
        """How players choose in their trees."""
        return upper_confidence

    def check(self, game: Game) -> None:
        super().check(game)
        if self.begin not in ("start", "here"):
            raise ZermeloError(f"begin is start or here, not {self.begin!r}.")

    def plant(self, game: Game, state: State, settings: Settings, random: SplitMix) -> InformationTree:
        begin = game.start if self.begin == "start" else Worlds(game, state, game.player(state), random).draw

        def view(place: State, mover: int) -> Any:
            return mover, knowledge(game, place, mover)

        return InformationTree(game, settings, random, begin, view, self.manner(), view(state, game.player(state)))

    def again(self, game: Game, state: State, tree: TreeOfPlayouts) -> tuple[TreeOfPlayouts, str]:
        assert isinstance(tree, InformationTree)
        here = replace(self, begin="here").plant(game, state, tree.settings, tree.random)
        note = f"None of {tree.playouts:,} playouts from the start came by this position: as many again began in states that are possible."
        return here, note

    def search(self, game: Game, state: State | None = None, limits: Limits | None = None, follow: Follow | None = None) -> SearchResult:
        """The most frequent move of the average strategy in this position; the strategy itself is `extra["strategy"]`."""
        found = super().search(game, state, limits, follow)
        visits = found.extra["visits"]
        whole = sum(visits.values())
        strategy = {name: tries / whole for name, tries in visits.items()} if whole else {}
        return replace(found, extra={**found.extra, "strategy": strategy})

    def strategy(self, game: Game, limits: Limits | None = None) -> tuple[Table, ...]:
        """[player] information → action → probability: the average strategies of one search from the start of the game.

        `zermelo.equilibrium.strategy.Strategy(game, tables)` measures them.
        """
        self.check(game)
        seed = self.seed or 0
        playouts = self.budget(limits)
        tree = replace(self, begin="start").learner(game, seed & WORD, playouts)
        run(tree, playouts, Watch(limits), None)
        tables: tuple[Table, ...] = tuple({} for _ in range(game.players))
        for (mover, known), node in tree.nodes.items():
            whole = sum(choice.tries for choice in node.choices.values())
            if whole:
                tables[mover][known] = {action: choice.tries / whole for action, choice in sorted(node.choices.items())}
        return tables

    def learner(self, game: Game, seed: int, playouts: int | None) -> InformationTree:
        """The trees of all players, at the start of the game."""

        def view(place: State, mover: int) -> Any:
            return mover, knowledge(game, place, mover)

        random = SplitMix(stream(seed, 0))
        return InformationTree(game, self.settings(game, seed, playouts), random, game.start, view, self.manner(), None)
