"""Monte Carlo tree search: UCT and what improves on it, for any number of players, with chance, on any rules.

Four steps make a playout (AIPT chapter, "Monte Carlo Tree Search"): *selection* of a way down the tree by UCB1, *expansion* by one node,
*simulation* of the rest of the game, *backpropagation* of the payoffs. Every node keeps the payoffs of every player, and the player to move
looks at their own: no sign is changed anywhere.
"""

import math
import secrets
import time
from concurrent.futures import Executor
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from zermelo.algorithm import Algorithm
from zermelo.compiler.faults import Unsupported, resilient
from zermelo.compiler.layout import layout_of
from zermelo.errors import ZermeloError, hidden_error
from zermelo.limits import Limits, Watch
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Game, State, ask, has, hidden_information
from zermelo.search.montecarlo.guide import Guide, LineGame
from zermelo.search.montecarlo.mcts_parallel import spread
from zermelo.search.montecarlo.mcts_root import Final, Follow, over, run, write
from zermelo.search.montecarlo.mcts_settings import LONGEST_PLAYOUT, Judge, Kind, Policy, Priors, Settings, provable
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree, TreeOfPlayouts
from zermelo.search.plan import Backend, check_backend

__all__ = ["DEFAULT_PLAYOUTS", "MCTS", "MCTSSession"]

DEFAULT_PLAYOUTS = 10_000  # where no limit is given
DEFAULT_MEMORY = 1 << 30
WORD = (1 << 64) - 1
TEMPERATURES = {"order": 1.0, "evaluate": 0.1}  # of priors
TEXTBOOK_EXPLORATION = 1.0  # the AIPT chapter's 2, for payoffs from −1 to 1
EXPLORATIONS = {"uct": 0.35, "puct": 1.4}  # what wins most: benchmarks/mcts_settings.py
CHOSEN_EPSILON, ASKED_EPSILON = 0.25, 0.1  # of a policy that the search chooses, likewise; of one that it was asked for


@dataclass(frozen=True)
class MCTS(Algorithm[SearchResult]):
    """Monte Carlo tree search.

    The visits of the root's moves add up to the simulations. As they grow, the value of the chosen move approaches the minimax value
    (the max^n value for more players). With one thread, the same seed gives the same search on both backends.

    Parameters
    ----------
    playouts : int, optional
        Simulations; None: until another limit is reached, or `DEFAULT_PLAYOUTS` where there is none.
    exploration : float, optional
        Constant of UCB1 or PUCT for payoffs from 0 to 1, scaled to the game's range; None takes the measured best.
    final : Final, default "visits"
        How the move is chosen in the end: most visits, best mean, or best lower end of the interval ("secure").
    solver : bool, default True
        Prove wins, losses and draws; a proven root ends the search.
    selection : Literal[auto, uct, puct], default "auto"
        "auto" takes what won most matches.
    priors : Kind | Literal[rules] | Priors, optional
        PUCT's priors: from `order`, `evaluate`, the rules' `priors`, or a function.
    temperature : float, optional
        Of priors from `order` (1) and `evaluate` (0.1 of the range of payoffs).
    policy : Kind | Policy | Literal[auto], default "auto"
        Of simulations: random, greedy by `order` or `evaluate`, or a function.
    epsilon : float, optional
        How often a policy moves at random all the same; None: 0.25 where the policy is "auto", else 0.1.
    cutoff : int, optional
        Actions of a simulation; `evaluate` stands for the rest. 0: no simulation at all.
    judge : Judge, optional
        A function that values leaves, instead of simulations.
    urgency : float, optional
        First-play urgency: an untried move is worth its node's mean and this part of the range; None tries all first.
    rave : int, optional
        All moves as first, kept at nodes with so many visits: 0 is RAVE, more is GRAVE.
    rave_bias : float, default 1e-3
        RAVE's bias.
    bias : float, default 0.0
        Weight of progressive bias, by `evaluate`.
    transpositions : bool, default False
        One node for a state that is reached in several ways.
    open_loop : bool, default False
        Keep chance outside the tree.
    threads : int, default 1
        Threads that share one tree, with virtual loss.
    memory : int, optional
        Bytes of the tree.
    seed : int, optional
        Seed of all random numbers; None takes a new one each time.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    textbook : bool, default False
        UCT as the books have it: random simulations, no proofs, an exploration of 1, and the move with the best mean.
    """

    playouts: int | None = None
    exploration: float | None = None
    final: Final = "visits"
    solver: bool = True
    selection: Literal["auto", "uct", "puct"] = "auto"
    priors: Kind | Literal["rules"] | Priors | None = None
    temperature: float | None = None
    policy: Kind | Policy | Literal["auto"] = "auto"
    epsilon: float | None = None
    cutoff: int | None = None
    judge: Judge | None = None
    urgency: float | None = None
    rave: int | None = None
    rave_bias: float = 1e-3
    bias: float = 0.0
    transpositions: bool = False
    open_loop: bool = False
    threads: int = 1
    memory: int | None = None
    seed: int | None = None
    perfect_information: bool = False
    backend: Backend = "auto"
    textbook: bool = False

    anytime = True

    def definite(self, game: Game) -> "MCTS":
        """The same with nothing left open: PUCT where priors are given, or where the rules have `evaluate` and no other way of choosing is
        asked for; otherwise UCT; each with its own constant. In the second case playouts follow `evaluate`, too, where `cheap` says so."""
        if self.textbook:
            return replace(
                self,
                textbook=False,
                selection="uct",
                priors=None,
                policy="random",
                epsilon=0.0,
                solver=False,
                final="value",
                exploration=TEXTBOOK_EXPLORATION if self.exploration is None else self.exploration,
            )
        selection, priors, policy = self.selection, self.priors, self.policy
        if selection == "auto":
            other = self.exploration is not None or self.urgency is not None or self.rave is not None or self.bias or self.open_loop
            if priors is None and not other and has(game, "evaluate"):
                priors = "evaluate"
                policy = "evaluate" if policy == "auto" and cheap(game) else policy
            selection = "uct" if priors is None else "puct"
        return replace(
            self,
            selection=selection,
            priors=priors,
            exploration=EXPLORATIONS[selection] if self.exploration is None else self.exploration,
            policy="random" if policy == "auto" else policy,
            epsilon=self.epsilon if self.epsilon is not None else CHOSEN_EPSILON if self.policy == "auto" else ASKED_EPSILON,
        )

    def run(
        self,
        game: Game,
        state: State | None = None,
        history: tuple[State, ...] = (),
        limits: Limits | None = None,
        follow: Follow | None = None,
        executor: Executor | None = None,
        parts: int = 2,
    ) -> SearchResult:
        """The best move by playouts.

        `follow` is told a `Snapshot` of the root's moves about ten times a second. An `executor` grows so many `parts`, each a tree of
        its own, which are added up at the root; of the limits it takes the time.
        """
        if executor is not None:
            return self._spread(game, game.start() if state is None else state, history, limits or Limits(), executor, parts)
        return MCTSSession(self, game).search(state, history, limits, follow)

    def _spread(self, game: Game, state: State, history: tuple[State, ...], limits: Limits, executor: Executor, parts: int) -> SearchResult:
        if isinstance(parts, bool) or not isinstance(parts, int) or parts < 1:
            raise ZermeloError(f"A search has a whole number of parts of at least 1, not {parts!r}.")
        if limits.nodes is not None or limits.stop is not None:
            raise ZermeloError("A search in parts takes a number of playouts or a time, no other limit.")
        session = MCTSSession(self, game)
        parameters = session.algorithm.parameters()
        if game.terminal(state):
            return over(game, state, session.seed, parameters)
        begun, playouts = time.perf_counter(), session.budget(limits)
        trees = spread(self, game, state, history, limits.time, playouts, session.seed, executor, parts)
        return write(
            game,
            state,
            trees,
            final=self.final,
            stopped=None,
            unasked_cutoff=None,
            seconds=time.perf_counter() - begun,
            seed=session.seed,
            parameters=parameters,
            notes=list(trees.notes),
            threads=self.threads,
        )

    def grow(
        self, game: Game, state: State | None = None, history: tuple[State, ...] = (), limits: Limits | None = None, size: int = 60
    ) -> tuple[SearchResult, MonteCarloTree]:
        """The same, with the `size` most visited nodes of the tree to draw."""
        session = MCTSSession(self, game)
        result = session.search(state, history, limits)
        if session.tree is None:
            raise ZermeloError("There is no tree to draw: the game is over.")
        return result, session.tree.sketch(size, list(result.line))

    def keep(self, game: Game) -> "MCTSSession":
        """A searcher that keeps its tree from one move to the next."""
        return MCTSSession(self, game, reuse=True)

    # --- checks

    def check(self, game: Game) -> None:
        """Raises where the parameters make no sense, or not for this game."""
        check_backend(self.backend)
        self._check_numbers()
        self._check_words()
        if hidden_information(game) and not self.perfect_information:
            raise hidden_error("mcts", game)
        for parameter, given in (("policy", self.policy), ("priors", self.priors)):
            if given in ("order", "evaluate") and not has(game, str(given)):
                raise ZermeloError(f"The {parameter} {given!r} needs the rules' `{given}`, which {type(game).__name__} does not have.")
        if self.priors == "rules" and not has(game, "priors"):
            raise ZermeloError(f"priors='rules' needs the rules' `priors`, which {type(game).__name__} does not have.")
        if self.bias and not has(game, "evaluate"):
            raise ZermeloError(f"Progressive bias needs the rules' `evaluate`, which {type(game).__name__} does not have.")
        if self.rave is not None and game.players == 1:
            raise ZermeloError("All moves as first (rave) needs at least two players.")

    def _check_numbers(self) -> None:
        for name, least in (("playouts", 1), ("threads", 1), ("memory", 1 << 16), ("cutoff", 0), ("rave", 0)):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
                raise ZermeloError(f"{name} is a whole number of at least {least:,}, not {value!r}.")
        for name, low, high in (
            ("exploration", 0, math.inf),
            ("epsilon", 0, 1),
            ("bias", 0, math.inf),
            ("rave_bias", 0, math.inf),
            ("temperature", 1e-12, math.inf),
            ("urgency", -math.inf, math.inf),
        ):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, int | float) and math.isfinite(value) and low <= value <= high):
                wanted = f"from {low} to {high}" if high == 1 else "above 0" if low == 1e-12 else "of at least 0" if low == 0 else "finite"
                raise ZermeloError(f"{name} is a number {wanted}, not {value!r}.")

    def _check_words(self) -> None:
        for name, known in (
            ("final", ("visits", "value", "secure")),
            ("selection", ("auto", "uct", "puct")),
            ("policy", ("auto", "random", "order", "evaluate")),
            ("priors", ("random", "order", "evaluate", "rules", None)),
        ):
            value = getattr(self, name)
            if not callable(value) and value not in known:
                raise ZermeloError(f"{name} is one of {', '.join(str(each) for each in known if each)}, not {value!r}.")
        if self.priors is not None and self.selection == "uct":
            raise ZermeloError("Priors are used by selection='puct' only.")
        if self.open_loop and (self.selection == "puct" or self.priors is not None or self.bias or self.transpositions):
            raise ZermeloError("The open loop has no priors, no bias and no transpositions: leave one of them out.")

    def settings(self, game: Game, seed: int, playouts: int | None) -> Settings:
        """The search made definite for a game."""
        chosen = self.definite(game)
        assert chosen.exploration is not None
        assert chosen.epsilon is not None
        priors, policy = chosen.priors or "random", chosen.policy
        assert policy != "auto"
        kind: Any = rules_priors if priors == "rules" else priors
        temperature = self.temperature if self.temperature is not None else TEMPERATURES.get(str(kind), 1.0)
        return Settings(
            seed=seed,
            exploration=float(chosen.exploration),
            puct=chosen.selection == "puct",
            priors=kind,
            temperature=float(temperature),
            policy=policy,
            epsilon=float(chosen.epsilon),
            judge=self.judge,
            cutoff=LONGEST_PLAYOUT if self.cutoff is None else self.cutoff,
            urgency=None if self.urgency is None else float(self.urgency),
            keeping=-1 if self.rave is None else self.rave,
            keeping_bias=float(self.rave_bias),
            bias=float(self.bias),
            solving=chosen.solver and not self.open_loop and provable(game),
            sharing=self.transpositions and game.repetition is None,
            open_loop=self.open_loop,
            threads=self.threads,
            memory=DEFAULT_MEMORY if self.memory is None else self.memory,
            playouts=playouts,
        )

    def parameters(self) -> dict[str, Any]:
        """The parameters as the result records them; functions by their names."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: getattr(value, "__qualname__", str(value)) if callable(value) else value for name, value in values.items()}


def cheap(game: Game) -> bool:
    """Is it worth while to ask `evaluate` about every move of a playout? It is where compiled code does it: where states have a compiled
    form, and nobody has to remember them. Both backends then do the same."""
    try:
        layout_of([game.start()])
    except Unsupported:
        return False
    return game.repetition is None


def rules_priors(game: Game, state: State, actions: list[int]) -> list[float]:
    """The rules' own priors, which come in the order of `actions(state)`, in the order that is asked for."""
    given = dict(zip(game.actions(state), ask(game, "priors", state), strict=True))
    return [given[action] for action in actions]


SPARE = ("bounds", "candidates", "key", "heuristic")  # rules that playouts do without


class MCTSSession:
    """One search after another in one game, each in a fresh tree or, with `reuse`, in what the last one left below the new root."""

    def __init__(self, algorithm: MCTS, game: Game, reuse: bool = False) -> None:
        algorithm.check(game)
        self.algorithm, self.game, self.reuse = algorithm.definite(game), game, reuse
        self.seed = secrets.randbits(32) if algorithm.seed is None else algorithm.seed & WORD
        self.tree: TreeOfPlayouts | None = None
        self.notes: list[str] = []

    @resilient
    def search(
        self,
        state: State | None = None,
        history: tuple[State, ...] = (),
        limits: Limits | None = None,
        follow: Follow | None = None,
    ) -> SearchResult:
        """The best move in a state."""
        algorithm, game = self.algorithm, self.game
        place = game.start() if state is None else state
        playouts = self.budget(limits)
        if game.terminal(place):
            return over(game, place, self.seed, algorithm.parameters())
        self.notes = []
        before, self.tree = self.tree, None  # a tree whose growth fails is not used again
        inherited = self.reuse and before is not None and before.move_root(place)
        tree = before if inherited and before is not None else self.plant(place, history, playouts)
        begun = time.perf_counter()
        stopped = run(tree, playouts, Watch(limits), follow)
        self.tree = tree
        return write(
            game,
            place,
            self.tree,
            final=algorithm.final,
            stopped=stopped,
            unasked_cutoff=LONGEST_PLAYOUT if algorithm.cutoff is None else None,
            seconds=time.perf_counter() - begun,
            seed=self.seed,
            parameters=algorithm.parameters(),
            notes=self.notes,
            threads=algorithm.threads if self.tree.backend != "reference" else 1,
        )

    def budget(self, limits: Limits | None) -> int | None:
        """How many playouts; None where another limit ends the search."""
        if limits is not None and limits.time == 0:
            raise ZermeloError("A search needs some time: give a time limit above 0 seconds.")
        if self.algorithm.playouts is not None:
            return self.algorithm.playouts
        limited = limits is not None and (limits.time is not None or limits.nodes is not None or limits.stop is not None)
        return None if limited else DEFAULT_PLAYOUTS

    def plant(self, state: State, history: tuple[State, ...], playouts: int | None) -> TreeOfPlayouts:
        """A fresh tree, on the backend that can and may grow it."""
        algorithm, game, notes = self.algorithm, self.game, self.notes
        settings = algorithm.settings(game, self.seed, playouts)
        if algorithm.transpositions and not settings.sharing:
            notes.append(f'No transpositions: with repetition = "{game.repetition}" a value depends on the line that led there.')
        if settings.open_loop and game.player(state) == CHANCE:
            raise ZermeloError("The open loop cannot begin where chance moves: give a position in which a player moves, or leave it out.")
        obstacle = self.obstacle(settings)
        compiled = None
        if obstacle is None and algorithm.backend != "reference":
            from zermelo.runtime.backend import choose

            choice = choose(game, algorithm.backend, SPARE, "mcts")
            notes.extend(choice.notes)
            compiled = choice.compiled
        elif obstacle is not None and algorithm.backend == "compiled":
            raise ZermeloError(f"The compiled backend cannot run this: {obstacle}; use backend auto or reference.")
        elif obstacle is not None and algorithm.backend == "auto":
            notes.append(f"The reference backend searched: {obstacle}.")
        if compiled is not None:
            from zermelo.search.montecarlo.mcts_driver import PlayoutTree

            return PlayoutTree(compiled, game, state, settings)
        if algorithm.threads > 1:
            notes.append("One thread searched: the reference backend has no use for more.")
        return plain_tree(game, state, replace(settings, threads=1), history)

    def obstacle(self, settings: Settings) -> str | None:
        """Why the compiled backend cannot run this, if so."""
        if settings.by_functions:
            return "only it can call functions of Python"
        if self.game.repetition is not None:
            return f'with repetition = "{self.game.repetition}" a playout must remember its line'
        return None


def plain_tree(game: Game, state: State, settings: Settings, history: tuple[State, ...] = ()) -> TreeOfPlayouts:
    """A tree of the reference backend: the same kernel in Python, which can ask functions of the user's and remember the line."""
    from zermelo.compiler.plain import ReferenceGame, reference_game
    from zermelo.search.montecarlo.mcts_driver import PlayoutTree

    rules: Any = game if game.repetition is None else LineGame(game)
    guide = Guide(game, settings)
    plain: Any = ReferenceGame(rules, guide.words) if settings.by_functions else reference_game(rules)
    guide.action = plain.action
    return PlayoutTree(plain, game, state if rules is game else rules.begin(state, history), settings)
