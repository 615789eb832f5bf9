"""Games whose rules do not compile, behind the same kernels: states are numbered, each is asked once, and the answers are kept.

The kernels see numbers only (`interned_code`). A state's record holds what the rules have said about it so far, each of its actions what
it leads to. Where an answer is missing, the kernel calls Python, the rule is asked as it is written, and the answer is noted.
"""

import ctypes
import itertools
import random
import secrets
import struct
import sys
import threading
import types
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compiler.content import ASKED, OPTIONAL
from zermelo.compiler.faults import CAPACITY, Fault
from zermelo.compiler.game import Facts
from zermelo.compiler.interned_code import BITS, EDGE, NO_ANSWER, ON_EDGES, InternedProgram, Layout
from zermelo.compiler.kernel import Kernel
from zermelo.compiler.kernels import made
from zermelo.compiler.machine import Context, quick_code
from zermelo.errors import RulesError
from zermelo.rules import CHANCE, Game, State, chance_weights, legal_actions, payoff_vector, simple_payoff

__all__ = ["InternedGame", "interned_game"]

MEMORY = 1 << 30  # bytes that the states of a game may take
MOST_STATES = 1 << 22
OPAQUE = 1 << 12  # bytes that an object of another language is taken to have
MEASURED = 64  # states from which the size of all is estimated
MOST_REMEMBERED = 2  # games of one process
BLOCK = 1 << BITS  # records
EDGES = 1 << 12  # of a block
LARGEST = 1 << 53  # up to which whole numbers are exact as floats
FIRST_NUMBERED = 1 << 40  # words of actions that are no small whole numbers
SAMPLED, LONGEST, OFTEN = 600, 60, 0.95  # states that random games visit in all, a game at most, and that are new where few return
ORDERS = 40  # random lines in which two actions change places
PROBED = 200  # actions of the game from which the kind of payoffs is learnt
ANSWER = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


class Unfit(Exception):  # noqa: N818 - a signal from the tables to whoever runs the search
    """Tables cannot hold what a rule says: the reference backend takes over."""


class Tables:
    """The states of one game, what its rules have said about them, and how to ask for more.

    `refusal` says why the tables cannot be used any more; `version` counts how often kernels had to be made again.
    """

    def __init__(self, game: Any) -> None:
        self.game = game
        self.meaning = meaning_of(game)
        self.token = secrets.token_hex(8)  # numbers of states mean nothing elsewhere
        self.refusal: RulesError | None = None
        self.version = 0
        self.failures: dict[int, BaseException] = {}  # by thread: why Python could not answer
        self.numbers: dict[State, int] = {}
        self.states: list[State] = []
        self.most = MOST_STATES
        self.known: dict[Any, int] = {}  # keys and information, numbered alike
        self.action_words: dict[Any, int] = {}
        self.actions: list[Any] = []
        self.layout = layout_for(game)
        self.blocks = np.zeros(MOST_STATES // BLOCK, np.int64)  # addresses
        self.records: list[NDArray[np.int64]] = []
        self.whole: list[Any] = []  # [block] its records as a memoryview of whole numbers
        self.real: list[Any] = []  # likewise of floats
        self.edges = new_edges(EDGES)
        self.edges_used = 0
        self.kept_edges = [self.edges]
        self.integer_payoffs = has_integer_payoffs(game)
        asked: list[Callable[[int, int], int]] = [getattr(self, f"ask_{rule}") for rule in self.layout.rules]
        self.asked = asked + [getattr(self, f"ask_{rule}") for rule in ON_EDGES]
        self.answer = ANSWER(self.answered)
        self.intern(game.start())

    def answered(self, rule: int, number: int, extra: int) -> int:
        """What a kernel calls where a table has no answer."""
        try:
            return int(self.asked[rule](number, extra))
        except BaseException as error:
            self.failures[threading.get_ident()] = error
            return NO_ANSWER

    def failure(self) -> BaseException:
        """Why Python could not answer: an exception of the rules as it was raised, or a fault of the tables."""
        error = self.failures.pop(threading.get_ident())
        if isinstance(error, Unfit):
            self.refusal = RulesError(str(error))
            return Fault(CAPACITY).within(self, None)
        return error

    def grow(self, fault: Fault, state: Any) -> None:
        """After a fault the search begins again: with kernels for other payoffs, or on the reference backend."""
        if fault.status != CAPACITY:
            self.refusal = RulesError(f"compiled code stops ({Fault(fault.status)})")

    # --- numbers

    def intern(self, state: State) -> int:
        """The number of a state."""
        try:
            number = self.numbers.get(state)
        except TypeError:
            raise Unfit(f"the state {state!r} cannot be hashed") from None
        if number is not None:
            return number
        number = len(self.states)
        if number >= self.most:
            raise Unfit(f"it has more than the {self.most:,} states that are kept")
        if number >> BITS == len(self.records):
            self.add_block()
        self.states.append(state)
        self.numbers[state] = number
        if number == MEASURED:
            each = sum(map(size_of, self.states)) // len(self.states) + 8 * self.layout.words + 200
            self.most = min(MOST_STATES, MEMORY // each)
        return number

    def add_block(self) -> None:
        records = np.zeros(BLOCK * self.layout.words, np.int64)
        view = records.data.cast("B")
        self.whole.append(view.cast("q"))
        self.real.append(view.cast("d"))
        self.blocks[len(self.records)] = records.ctypes.data
        self.records.append(records)

    def word(self, action: Any) -> int:
        """An action as a word: a small whole number is its own."""
        if type(action) is int and abs(action) < FIRST_NUMBERED:
            return action
        try:
            word = self.action_words.get(action)
        except TypeError:
            raise Unfit(f"the action {action!r} cannot be hashed") from None
        if word is None:
            word = self.action_words[action] = FIRST_NUMBERED + len(self.actions)
            self.actions.append(action)
        return word

    def action(self, word: int) -> Any:
        return word if word < FIRST_NUMBERED else self.actions[word - FIRST_NUMBERED]

    def number_of(self, knowledge: Any) -> int:
        """A number that is equal where keys, or what players know, are equal."""
        try:
            return self.known.setdefault(knowledge, len(self.known))
        except TypeError:
            raise Unfit(f"the key or information {knowledge!r} cannot be hashed") from None

    # --- notes in a record

    def put(self, number: int, rule: str, *values: int) -> int:
        at = (number & BLOCK - 1) * self.layout.words + self.layout.offsets[rule]
        cells = self.whole[number >> BITS]
        try:
            for place, value in enumerate(values, at):
                cells[place] = value
        except (TypeError, ValueError, struct.error):
            raise Unfit(f"`{rule}` gives {values!r} in {self.states[number]!r}") from None
        return 0

    def put_real(self, number: int, rule: str, *values: Any) -> int:
        at = (number & BLOCK - 1) * self.layout.words + self.layout.offsets[rule]
        cells = self.real[number >> BITS]
        for place, value in enumerate(values, at):
            cells[place] = exact_float(value)
        return 0

    def put_edges(self, number: int, rule: str, words: Sequence[int], weights: Sequence[float] = ()) -> int:
        count = len(words)
        if self.edges_used + count > len(self.edges):
            self.edges, self.edges_used = new_edges(max(EDGES, count)), 0
            self.kept_edges.append(self.edges)
        rows = self.edges[self.edges_used : self.edges_used + count]
        if count:
            rows[:, 0] = words
            if weights:
                rows.view(np.float64)[:, 1] = weights
        self.edges_used += count
        return self.put(number, rule, rows.ctypes.data, count)

    # --- the rules

    def ask_player(self, number: int, _: int) -> int:
        return self.put(number, "player", self.game.player(self.states[number]))

    def ask_terminal(self, number: int, _: int) -> int:
        return self.put(number, "terminal", bool(self.game.terminal(self.states[number])))

    def ask_actions(self, number: int, _: int) -> int:
        return self.put_edges(number, "actions", [self.word(action) for action in self.game.actions(self.states[number])])

    def ask_candidates(self, number: int, _: int) -> int:
        return self.put_edges(number, "candidates", [self.word(action) for action in self.game.candidates(self.states[number])])

    def ask_chances(self, number: int, _: int) -> int:
        outcomes = chance_weights(self.game, self.states[number])
        return self.put_edges(
            number, "chances", [self.word(action) for action, _ in outcomes], [exact_float(weight) for _, weight in outcomes]
        )

    def ask_result(self, number: int, word: int) -> int:
        return self.intern(self.game.result(self.states[number], self.action(word)))

    def ask_max_payoff(self, number: int, _: int) -> int:
        return self.put_payoff(number, "max_payoff", simple_payoff(self.game, self.states[number]))

    def ask_evaluate(self, number: int, _: int) -> int:
        found = self.game.evaluate(self.states[number])
        return self.put_payoff(number, "evaluate", found[0] if isinstance(found, tuple) else found)

    def put_payoff(self, number: int, rule: str, payoff: Any) -> int:
        if not self.integer_payoffs:
            return self.put_real(number, rule, payoff)
        if isinstance(payoff, int):
            return self.put(number, rule, payoff)
        self.integer_payoffs = False
        self.forget("max_payoff", "evaluate")
        raise Fault(CAPACITY).within(self, None)

    def forget(self, *rules: str) -> None:
        """Have rules asked again, by kernels that are made again."""
        self.version += 1
        bits = sum(1 << self.layout.flag(rule) for rule in rules if rule in self.layout.rules)
        for records in self.records:
            records[:: self.layout.words] &= ~bits

    def ask_payoffs(self, number: int, _: int) -> int:
        return self.put_real(number, "payoffs", *self.vector(payoff_vector(self.game, self.states[number])))

    def ask_estimates(self, number: int, _: int) -> int:
        found = self.game.evaluate(self.states[number])
        if not isinstance(found, tuple):
            found = (found,) if self.game.players == 1 else (found, (self.game.total or 0) - found)
        return self.put_real(number, "estimates", *self.vector(found))

    def vector(self, found: tuple[Any, ...]) -> tuple[Any, ...]:
        if len(found) != self.game.players:
            raise Unfit(f"{len(found)} payoffs do not fit {self.game.players} players")
        return found

    def ask_bounds(self, number: int, _: int) -> int:
        low, high = self.game.bounds(self.states[number])
        return self.put(number, "bounds", low, high)

    def ask_heuristic(self, number: int, _: int) -> int:
        return self.put_real(number, "heuristic", self.game.heuristic(self.states[number]))

    def ask_key(self, number: int, _: int) -> int:
        return self.put(number, "key", self.number_of(("key", self.game.key(self.states[number]))))

    def ask_information(self, number: int, player: int) -> int:
        found = self.number_of(("information", self.game.information(self.states[number], player)))
        self.whole[number >> BITS][(number & BLOCK - 1) * self.layout.words + self.layout.offsets["information"] + player] = found
        return 0

    def ask_quiet(self, number: int, _: int) -> int:
        return self.put(number, "quiet", bool(self.game.quiet(self.states[number])))

    def ask_passed(self, number: int, _: int) -> int:
        return self.put(number, "passed", self.intern(self.game.passed(self.states[number])))

    def ask_tier(self, number: int, _: int) -> int:
        return self.put(number, "tier", self.game.tier(self.states[number]))

    def ask_rank(self, number: int, _: int) -> int:
        return self.put(number, "rank", self.game.rank(self.states[number]))

    def ask_canonical(self, number: int, _: int) -> int:
        twin, symmetry = self.game.canonical(self.states[number])
        return self.put(number, "canonical", self.intern(twin), symmetry)

    def ask_rest(self, number: int, _: int) -> int:
        rest, lead = self.game.rest(self.states[number])
        return self.put(number, "rest", self.intern(rest), bits_of(exact_float(lead)))

    def ask_order(self, number: int, word: int) -> int:
        return answer(self.game.order(self.states[number], self.action(word)), "order")

    def ask_cost(self, number: int, word: int) -> int:
        return bits_of(exact_float(self.game.cost(self.states[number], self.action(word))))

    def ask_image(self, word: int, symmetry: int) -> int:
        return self.word(self.game.image(self.action(word), symmetry))


def layout_for(game: Any) -> Layout:
    """Records for the rules that a game has; `information` last, because it has a flag for each player."""
    optional = [name for name in (*OPTIONAL, *ASKED) if callable(getattr(game, name, None))]
    found = ["player", "terminal", "actions", "max_payoff", "payoffs"]
    found += [name for name in optional if hasattr(Tables, f"ask_{name}") and name not in (*ON_EDGES, "information")]
    found += ["estimates"] * ("evaluate" in optional) + ["information"] * ("information" in optional)
    return Layout(game.players, tuple(found))


def new_edges(count: int) -> NDArray[np.int64]:
    return np.zeros((count, EDGE), np.int64)


def exact_float(value: Any) -> float:
    """A number as a float that is equal to it, or nearest to a fraction."""
    if not isinstance(value, int | float | Fraction | np.number) or (isinstance(value, int) and abs(value) > LARGEST):
        raise Unfit(f"{value!r} is no number that a machine's floats hold")
    return float(value)


def bits_of(value: float) -> int:
    """The bits of a float as a whole number."""
    return int(struct.unpack("<q", struct.pack("<d", value))[0])


def answer(value: Any, rule: str) -> int:
    if not isinstance(value, int | np.integer) or not NO_ANSWER < value < -NO_ANSWER:
        raise Unfit(f"`{rule}` gives {value!r}")
    return int(value)


def has_integer_payoffs(game: Any) -> bool:
    """Are payoffs whole numbers, as far as one line of play shows? Rules that raise here will say so in the search."""
    try:
        state = game.start()
        if callable(getattr(game, "evaluate", None)) and not integral(game.evaluate(state)):
            return False
        for _ in range(PROBED):
            if game.terminal(state):
                return integral(game.utility(state))
            outcomes = chance_weights(game, state) if game.player(state) == CHANCE else ((action, 1) for action in game.actions(state))
            state = game.result(state, next(iter(outcomes))[0])
    except Exception:
        return True
    return True


def integral(value: Any) -> bool:
    return isinstance(value[0] if isinstance(value, tuple) else value, int)


def size_of(item: Any) -> int:
    """Bytes that an object takes with all that belongs to it alone, roughly."""
    seen: dict[int, Any] = {}
    waiting, opaque = [item], 0
    while waiting and len(seen) < 1000:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, type | types.ModuleType | types.FunctionType):
            continue
        seen[id(each)] = each
        if isinstance(each, dict):
            waiting += itertools.chain(each.keys(), each.values())
        elif isinstance(each, list | tuple | set | frozenset):
            waiting += each
        else:
            parts = [vars(each)] if hasattr(each, "__dict__") else []
            parts += [getattr(each, name) for name in slots_of(type(each)) if hasattr(each, name)]
            waiting += parts
            opaque += not parts and type(each).__module__ != "builtins"
    return sum(map(sys.getsizeof, seen.values())) + OPAQUE * opaque


def reordered(game: Any, state: State, actions: list[Any]) -> Any:
    """Where these actions lead if the last and the first change places; None where they are the same, or not legal then."""
    if actions[0] == actions[-1]:
        return None
    for action in [actions[-1], *actions[1:-1], actions[0]]:
        if action not in legal_actions(game, state):
            return None
        state = game.result(state, action)
    return state


def slots_of(kind: type) -> list[str]:
    """The names in `__slots__` of a class and its bases."""
    found: list[str] = []
    for base in kind.__mro__:
        names = vars(base).get("__slots__", ())
        found += [names] if isinstance(names, str) else names
    return found


def meaning_of(game: Any) -> dict[tuple[Any, str], Any]:
    """What the names mean that a game's methods use, and its attributes: answers are kept as long as these stay the same."""
    found: dict[tuple[Any, str], Any] = {("attribute", name): value for name, value in getattr(game, "__dict__", {}).items()}
    for kind in type(game).__mro__:
        for name, function in vars(kind).items():
            function = getattr(function, "__func__", function)
            if isinstance(function, types.FunctionType):
                found[kind, name] = function
                globals_ = function.__globals__
                found |= {(kind, f"{name} {used}"): globals_[used] for used in function.__code__.co_names if used in globals_}
    return found


def means_the_same(game: Any, before: dict[tuple[Any, str], Any]) -> bool:
    now = meaning_of(game)
    return all(key in now and now[key] is value for key, value in before.items())


class InternedKernel(Kernel):
    """The kernels of a family on the tables of a game."""

    growth: Tables

    def context(self) -> Context:
        if not hasattr(self.local, "context"):
            context = Context()
            context.words[5] = self.growth.blocks.ctypes.data
            context.words[6] = ctypes.cast(self.growth.answer, ctypes.c_void_p).value or 0
            self.local.context = context
        return self.local.context  # type: ignore[no-any-return]

    def use(self, tables: Tables) -> None:
        """Work with other tables of the same game."""
        self.growth, self.local = tables, threading.local()

    def fault(self, status: int, context: Context) -> BaseException:
        return self.growth.failure() if threading.get_ident() in self.growth.failures else super().fault(status, context)


class InternedGame:
    """A game on interned states, with the interface of `CompiledGame`. Rules are never left out: Python runs them all."""

    backend = "interned"
    words = 1
    without: tuple[str, ...] = ()

    def __init__(self, game: Game, tables: Tables | None = None, asked: tuple[str, ...] = ()) -> None:
        self.game, self.asked = game, asked
        self.growth = tables or Tables(game)
        self.asking_more: dict[tuple[str, ...], InternedGame] = {}
        self.build()

    def build(self) -> None:
        self.made_for = self.growth.version
        self.kernels: dict[str, InternedKernel] = {}
        self.program = self.kernel_program()

    def forget(self) -> None:
        """Begin with empty tables; the kernels stay."""
        self.growth = Tables(self.game)
        self.made_for = self.growth.version
        for kernel in self.kernels.values():
            kernel.use(self.growth)

    @cached_property
    def repetitive(self) -> bool:
        """Do random games come back to states? If not, there is little to gain by keeping what playouts visit, and much to keep."""
        choose, seen, visited = random.Random(1913), set(), 0
        while visited < SAMPLED:
            state, plies = self.game.start(), 0
            while plies < LONGEST and (actions := legal_actions(self.game, state)):
                state, plies = self.game.result(state, choose.choice(actions)), plies + 1
                seen.add(state)
            visited += max(plies, 1)
        return len(seen) < OFTEN * visited

    @cached_property
    def transposing(self) -> bool:
        """Does more than one line lead to a state? If not, a search meets hardly a state twice."""
        choose, game = random.Random(1913), self.game
        for _ in range(ORDERS):
            states = [game.start()]
            taken: list[Any] = []
            for _ in range(choose.randrange(2, 8)):
                actions = legal_actions(game, states[-1])
                if not actions:
                    break
                taken.append(choose.choice(actions))
                states.append(game.result(states[-1], taken[-1]))
            if states[-1] in states[:-1]:
                return True
            for apart in (1, 2):
                if len(taken) > apart and reordered(game, states[-apart - 2], taken[-apart - 1 :]) == states[-1]:
                    return True
        return False

    def kernel_program(self) -> InternedProgram:
        return InternedProgram(self.game, self.growth.layout, self.asked, self.growth.integer_payoffs)

    def asking(self, *rules: str) -> "InternedGame":
        """The same for a kernel that asks rules which others do without."""
        if rules not in self.asking_more:
            self.asking_more[rules] = type(self)(self.game, self.growth, rules)
        return self.asking_more[rules]

    def has(self, name: str) -> bool:
        return self.program.has(name)

    def ready(self, family: str) -> Kernel:
        """The kernels of a family."""
        if self.made_for != self.growth.version:
            self.build()
        if family not in self.kernels:
            program = self.kernel_program()
            names = program.write_family(family)
            program.module.exported = set(program.signatures)
            self.kernels[family] = InternedKernel(made(names, program), quick_code(program.module.text()), program.module.text, self.growth)
        return self.kernels[family]

    module = ready

    def identity(self, family: str) -> str:
        """Tables of one game in one process may be used again, those of others never."""
        return f"interned {self.growth.token} {family}"

    def blamed(self, rules: tuple[str, ...], error: RulesError) -> tuple[str, str]:
        return rules[-1], str(error)

    @property
    def facts(self) -> Facts:
        return Facts(self.growth.integer_payoffs, 1, 1)

    # --- states and actions

    def packed(self, state: State) -> list[int]:
        return [self.numbered(lambda: self.growth.intern(state))]

    def row(self, state: State) -> NDArray[np.int64]:
        return np.array(self.packed(state), np.int64)

    def rows(self, states: Sequence[State]) -> NDArray[np.int64]:
        return np.array([self.packed(state) for state in states], np.int64).reshape(-1, 1)

    def state(self, row: Any) -> State:
        return self.growth.states[int(row[0])]

    def action(self, word: int) -> Any:
        return self.growth.action(int(word))

    def word(self, action: Any) -> int:
        return self.numbered(lambda: self.growth.word(action))

    def numbered(self, number: Callable[[], int]) -> int:
        try:
            return number()
        except Unfit as error:
            self.growth.failures[threading.get_ident()] = error
            raise self.growth.failure() from None


known: dict[Any, InternedGame] = {}


def interned_game(game: Game) -> InternedGame:
    """The interned form of a game, kept for the next search. Raises `RulesError` where its states cannot be interned."""
    try:
        hash(game)
        key: Any = game
    except TypeError:
        key = id(game)
    found = known.pop(key, None)
    if found is None or not means_the_same(game, found.growth.meaning):
        try:
            found = InternedGame(game)
        except Unfit as error:
            raise RulesError(str(error)) from None
    known[key] = found
    while len(known) > MOST_REMEMBERED:
        del known[next(iter(known))]
    if found.growth.refusal is not None:
        raise found.growth.refusal.with_traceback(None)
    return found
