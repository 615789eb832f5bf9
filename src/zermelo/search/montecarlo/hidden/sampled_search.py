"""What all searches by playouts under hidden information have in common: parameters, checks, and one search within limits."""

import math
import secrets
import time
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar

from zermelo.algorithm import Algorithm
from zermelo.compiler.faults import resilient
from zermelo.errors import ZermeloError
from zermelo.limits import Limits, Watch
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Game, State, action_name, has, knowledge, legal_actions
from zermelo.search.montecarlo.guide import Guide
from zermelo.search.montecarlo.hidden.information_tree import Plan, TreeOfKnowledge
from zermelo.search.montecarlo.hidden.worlds import Worlds
from zermelo.search.montecarlo.mcts_root import Final, Follow, over, run, write
from zermelo.search.montecarlo.mcts_settings import LONGEST_PLAYOUT, Kind, Policy, Settings
from zermelo.search.montecarlo.mcts_statistics import TreeOfPlayouts
from zermelo.search.montecarlo.splitmix import SplitMix, stream
from zermelo.search.plan import Backend, check_backend

if TYPE_CHECKING:
    from zermelo.compiler.game import CompiledGame
    from zermelo.runtime.backend import Choice

__all__ = ["DEFAULT_PLAYOUTS", "HiddenSearch", "new_tree"]

IMAGINED = "Values are means over sampled play, no bounds on what the game is worth: zermelo equilibrium finds that."

DEFAULT_PLAYOUTS = 10_000  # where no limit is given
DEFAULT_MEMORY = 1 << 30
WORD = (1 << 64) - 1
LOOKED_AT = 200  # states, for choices that others do not see
MIXED = (0.5, 0.5, 0.0)  # `Plan.shares` where there are such: every other choice by the average strategy, as in fictitious play
WORTH_COMPILING = 20_000  # playouts: interpreted, they take a second or two, less than it takes to compile the rules once


@dataclass(frozen=True)
class HiddenSearch(Algorithm[SearchResult]):
    """A search by simulations that knows no more than the player for whom it searches.

    Parameters
    ----------
    playouts : int, optional
        Simulations; None: until another limit is reached, or `DEFAULT_PLAYOUTS` where there is none.
    exploration : float, default 0.7
        UCB1's constant for payoffs from 0 to 1, scaled to the game's own range.
    final : {"visits", "value", "secure"}, default "visits"
        How the move is chosen in the end: most visits, best mean, or best lower end of the interval.
    policy : {"random", "order", "evaluate"} or callable, default "random"
        Of simulations.
    epsilon : float, default 0.1
        How often a policy moves at random all the same.
    cutoff : int, optional
        Actions of a simulation; `evaluate` stands for the rest.
    memory : int, optional
        Bytes of the tree.
    seed : int, optional
        Seed of all random numbers; None takes a new one each time.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        "auto" compiles the rules unless so few simulations are asked for that compiling takes longer.
    """

    playouts: int | None = None
    exploration: float = 0.7
    final: Final = "visits"
    policy: Kind | Policy = "random"
    epsilon: float = 0.1
    cutoff: int | None = None
    memory: int | None = None
    seed: int | None = None
    backend: Backend = "auto"

    name: ClassVar[str]
    anytime: ClassVar[bool] = True
    worth_compiling: ClassVar[int] = WORTH_COMPILING

    @resilient
    def run(self, game: Game, state: State | None = None, limits: Limits | None = None, follow: Follow | None = None) -> SearchResult:
        """The best move for the player to move, by what that player knows. `follow` is told a `Snapshot` about ten times a second."""
        self.check(game)
        seed = secrets.randbits(32) if self.seed is None else self.seed & WORD
        place = game.start() if state is None else state
        if game.terminal(place):
            return replace(over(game, place, seed, self.parameters()), algorithm=self.name)
        if game.player(place) == CHANCE:
            example = f", such as `position={' '.join(first_deal(game, place))!r}`" if place == game.start() else ""
            raise ZermeloError(f"Chance moves here: give {self.name} a position in which a player moves{example}.")
        playouts, random = self.budget(limits), SplitMix(stream(seed, 0))
        settings = self.settings(game, seed, playouts)
        choice = self.choice(game, settings)
        notes = list(choice.notes)
        tree = self.plant(game, place, settings, random, choice.compiled)  # compiles where that is wanted, which does not count
        begun = time.perf_counter()
        stopped = run(tree, playouts, Watch(limits), follow)
        if not any(move.visits for move in tree.moves()):
            other, note = self.instead(tree.playouts)
            notes.append(note)
            spent, visited = time.perf_counter() - begun, tree.visited
            tree = other.plant(game, place, settings, random, choice.compiled)
            left = Limits(time=0) if stopped == "interrupted" else (limits or Limits()).after(spent, visited)
            stopped = run(tree, playouts, Watch(left), follow) or stopped
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
        unknown = dict.fromkeys(found.extra["intervals"])  # of a mean over imagined play, and so not about the game's value
        return replace(found, algorithm=self.name, notes=(*found.notes, IMAGINED), extra=found.extra | {"intervals": unknown})

    def choice(self, game: Game, settings: Settings) -> "Choice":
        """Compiled rules where the kernel can and should grow the tree; both backends grow the same from the same seed."""
        from zermelo.runtime.backend import Choice, choose

        obstacle = self.obstacle()
        few = settings.playouts is not None and settings.playouts < self.worth_compiling
        if self.backend == "reference" or (obstacle is None and self.backend == "auto" and few):
            return Choice(None)
        if obstacle is None:
            return choose(game, self.backend, ("bounds", "candidates", "key", "heuristic"), "informationsets")
        if self.backend == "compiled":
            raise ZermeloError(f"The compiled backend cannot run this: {obstacle}; use backend auto or reference.")
        return Choice(None, (f"The reference backend searched: {obstacle}.",))

    def obstacle(self) -> str | None:
        """Why the compiled backend cannot run this, if so."""
        return "only it can call functions of Python" if callable(self.policy) else None

    def plan(self, mover: int) -> Plan:
        """What this search is, for the player to move."""
        raise NotImplementedError

    def possible(self, game: Game, state: State, random: SplitMix) -> Worlds:
        """Where playouts begin: in states that the player to move holds possible."""
        return Worlds(game, state, game.player(state), random)

    def plant(self, game: Game, state: State, settings: Settings, random: SplitMix, compiled: "CompiledGame | None") -> TreeOfPlayouts:
        """The tree to grow."""
        plan = self.plan(game.player(state))
        if plan.shares is None and plan.view != "planner" and hides_choices(game, state):
            plan = replace(plan, shares=MIXED)
        return new_tree(game, settings, random, plan, self.possible(game, state, random), state, compiled)

    def instead(self, playouts: int) -> tuple["HiddenSearch", str]:
        """What to search by where none of the playouts has come by the position; and a note of it."""
        raise ZermeloError(f"{self.name} made no playout from this position: give it more time.")

    def budget(self, limits: Limits | None) -> int | None:
        """How many playouts; None where another limit ends the search."""
        if limits is not None and limits.time == 0:
            raise ZermeloError("A search needs some time: give a time limit above 0 seconds.")
        if self.playouts is not None:
            return self.playouts
        limited = limits is not None and (limits.time is not None or limits.nodes is not None or limits.stop is not None)
        return None if limited else DEFAULT_PLAYOUTS

    def check(self, game: Game) -> None:
        """Raises where the parameters make no sense, or not for this game."""
        check_backend(self.backend)
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


def new_tree(
    game: Game, settings: Settings, random: SplitMix, plan: Plan, worlds: Worlds, root: State | None, compiled: "CompiledGame | None"
) -> TreeOfKnowledge:
    """A tree over what players know, on the compiled backend where there is one; nobody asks about moves where there is no root."""
    from zermelo.search.montecarlo.hidden.information_tree_driver import InformationTree

    if compiled is None:
        from zermelo.compiler.plain import ReferenceGame, reference_game

        guide = Guide(game, settings, plan.others)
        guided = settings.by_functions or plan.others is not None
        plain: Any = ReferenceGame(game, guide.words) if guided else reference_game(game)
        guide.action, compiled = plain.action, plain
    return InformationTree(compiled, game, settings, random, plan, worlds, root)


def hides_choices(game: Game, state: State) -> bool:
    """Is there a choice soon that whoever moves next does not see, such as one of two that are made at the same moment?

    UCB1 on both sides then runs in lockstep and may settle anywhere: on Cooperate in the prisoner's dilemma, or on −1 in matching pennies.
    """
    seen, queue = {state}, [state]
    for place in queue:  # grows while it is read
        if game.terminal(place):
            continue
        mover, known = game.player(place), set()
        for action in legal_actions(game, place):
            child = game.result(place, action)
            if child not in seen and len(seen) < LOOKED_AT:
                seen.add(child)
                queue.append(child)
            follower = mover if game.terminal(child) else game.player(child)
            if mover != CHANCE and follower not in (mover, CHANCE):
                view = (follower, knowledge(game, child, follower))
                if view in known:
                    return True
                known.add(view)
    return False


def first_deal(game: Game, state: State) -> list[str]:
    """What chance may do until a player moves: the first of its actions each time."""
    names = []
    while not game.terminal(state) and game.player(state) == CHANCE:
        action = legal_actions(game, state)[0]
        names.append(action_name(game, state, action))
        state = game.result(state, action)
    return names
