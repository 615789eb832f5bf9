"""Small lawful games, one of each kind, with all that a game can promise. Each test breaks one promise of one of them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from zermelo import CHANCE, MAX, Game, score


class Counters(NamedTuple):
    left: int
    turn: int


@dataclass(frozen=True)
class Take(Game):
    """Take one or two counters; who takes the last one wins. Multiples of three are lost for the player to move."""

    counters: int = 5
    log: list[Any] = field(default_factory=list, compare=False, repr=False)  # where a broken game keeps what it should not
    payoffs = (-1, 1)

    def start(self) -> Counters:
        return Counters(self.counters, 0)

    def player(self, state: Counters) -> int:
        return state.turn

    def actions(self, state: Counters) -> Iterator[int]:
        yield from range(1, min(state.left, 2) + 1)

    def result(self, state: Counters, action: int) -> Counters:
        return Counters(state.left - action, 1 - state.turn)

    def terminal(self, state: Counters) -> bool:
        return state.left == 0

    def utility(self, state: Counters) -> Any:
        return 1 if state.turn == 1 else -1

    def evaluate(self, state: Counters) -> Any:
        return 0.5 if (state.left % 3 != 0) == (state.turn == 0) else -0.5

    def features(self, state: Counters) -> Any:
        return (state.left, state.left % 3)

    def quiet(self, state: Counters) -> Any:
        return state.left > 2

    def passed(self, state: Counters) -> Any:
        return Counters(state.left, 1 - state.turn)

    def priors(self, state: Counters) -> Any:
        return (1, 2) if state.left > 1 else (1,)

    def order(self, state: Counters, action: int) -> Any:
        return int((state.left - action) % 3 == 0)

    def bounds(self, state: Counters) -> Any:
        if state.left > 2:
            return (score(-1, 2), score(1, 3)) if state.turn == 0 else (score(-1, 3), score(1, 2))
        return (score(1, 1), score(1, 1)) if state.turn == 0 else (score(-1, 1), score(-1, 1))

    def candidates(self, state: Counters) -> Any:
        if state.left == 3:
            return []  # whatever is taken, the rest goes at once
        return [state.left] if state.left <= 2 else list(self.actions(state))

    def key(self, state: Counters) -> Any:
        return 2 * state.left + state.turn

    def rank(self, state: Counters) -> Any:
        return 2 * state.left + state.turn

    def unrank(self, number: int) -> Any:
        return Counters(number // 2, number % 2)

    def size(self) -> int:
        return 2 * (self.counters + 1)

    def tier(self, state: Counters) -> Any:
        return self.counters - state.left

    def predecessors(self, state: Counters) -> Any:
        return [Counters(state.left + taken, 1 - state.turn) for taken in (1, 2)]

    def show(self, state: Counters) -> Any:
        return f"{state.left} left, {('Max', 'Min')[state.turn]} to move"

    def read(self, text: str) -> Any:
        left, mover = text.split(" left, ")
        return Counters(int(left), ("Max", "Min").index(mover.split()[0]))

    def name(self, state: Counters, action: int) -> Any:
        return ("one", "two")[action - 1]

    def board(self, state: Counters) -> Any:
        return {"kind": "piles", "piles": [state.left]}


class Bare(Take):
    """The six rules alone, with names."""

    evaluate = features = quiet = passed = priors = order = bounds = candidates = key = rank = tier = predecessors = None  # type: ignore[assignment]
    show = read = board = None  # type: ignore[assignment]


class Toss(NamedTuple):
    stake: int  # 0 until Max has bet
    face: int  # 0 not tossed, 1 heads, 2 tails


@dataclass(frozen=True)
class Coin(Game):
    """Max bets one or two on a coin that falls on heads two times out of three."""

    log: list[Any] = field(default_factory=list, compare=False, repr=False)
    payoffs = (-2, 2)

    def start(self) -> Toss:
        return Toss(0, 0)

    def player(self, state: Toss) -> int:
        return CHANCE if state.stake else MAX

    def actions(self, state: Toss) -> Iterator[int]:
        if not state.face:
            yield from (1, 2)

    def chances(self, state: Toss) -> Any:
        return [(1, 2), (2, 1)]

    def result(self, state: Toss, action: int) -> Toss:
        return Toss(state.stake, action) if state.stake else Toss(action, 0)

    def terminal(self, state: Toss) -> bool:
        return state.face != 0

    def utility(self, state: Toss) -> Any:
        return state.stake if state.face == 1 else -state.stake


@dataclass(frozen=True)
class Three(Game):
    """Three players choose 1 or 2 in turn; the payoff is what everybody chose himself."""

    players = 3
    total = None
    payoffs = (1, 2)

    def start(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return len(state)

    def actions(self, state: tuple[int, ...]) -> Iterator[int]:
        if len(state) < 3:
            yield from (1, 2)

    def result(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def terminal(self, state: tuple[int, ...]) -> bool:
        return len(state) == 3

    def utility(self, state: tuple[int, ...]) -> Any:
        return state

    def evaluate(self, state: tuple[int, ...]) -> Any:
        return (1.5, 1.5, 1.5)


class Cards(NamedTuple):
    card: int  # 0 not dealt, 1 low, 2 high; only Max has seen it
    claim: int  # 0 none yet, 1 low, 2 high: what Max says
    guess: int  # 0 none yet, 1 low, 2 high: what Min believes
    second: int  # 0 none yet, 1 or 2: what Max does in the end


@dataclass(frozen=True)
class Liar(Game):
    """Max sees a card and says something about it, Min guesses, Max says yes or no; Min's guess decides."""

    payoffs = (-1, 1)

    def start(self) -> Cards:
        return Cards(0, 0, 0, 0)

    def player(self, state: Cards) -> int:
        return CHANCE if not state.card else MAX if not state.claim or state.guess else 1

    def chances(self, state: Cards) -> Iterator[tuple[int, int]]:
        yield from ((1, 1), (2, 1))

    def actions(self, state: Cards) -> Iterator[int]:
        if not state.second:
            yield from (1, 2)

    def result(self, state: Cards, action: int) -> Cards:
        if not state.card:
            return state._replace(card=action)
        if not state.claim:
            return state._replace(claim=action)
        return state._replace(second=action) if state.guess else state._replace(guess=action)

    def terminal(self, state: Cards) -> bool:
        return state.second != 0

    def utility(self, state: Cards) -> int:
        return -1 if state.guess == state.card else 1

    def information(self, state: Cards, player: int) -> Any:
        return (state.card if player == MAX else 0, state.claim, state.guess)

    def sample(self, state: Cards, player: int, random: Random) -> Any:
        return state if player == MAX or not state.card else state._replace(card=random.choice((1, 2)))

    def name(self, state: Cards, action: int) -> str:
        return ("low", "high")[action - 1]

    def name_information(self, information: Any) -> Any:
        return " ".join("?lh"[item] for item in information)


class Spot(NamedTuple):
    at: int
    turn: int


@dataclass(frozen=True)
class Ring(Game):
    """Push one token round a ring by a step either way; who brings it to the spot opposite the start wins. Left and right are alike."""

    spots: int = 6
    payoffs = (-1, 1)
    repetition = "draw"

    def start(self) -> Spot:
        return Spot(0, 0)

    def player(self, state: Spot) -> int:
        return state.turn

    def actions(self, state: Spot) -> Iterator[int]:
        if not self.terminal(state):
            yield from (1, -1)

    def result(self, state: Spot, action: int) -> Spot:
        return Spot((state.at + action) % self.spots, 1 - state.turn)

    def terminal(self, state: Spot) -> bool:
        return state.at == self.spots // 2

    def utility(self, state: Spot) -> Any:
        return 1 if state.turn == 1 else -1

    def canonical(self, state: Spot) -> Any:
        mirrored = Spot(-state.at % self.spots, state.turn)
        return (mirrored, 1) if mirrored.at < state.at else (state, 0)

    def image(self, action: int, symmetry: int) -> int:
        return -action if symmetry else action


@dataclass(frozen=True)
class Road(Game):
    """A puzzle: from 0 to the goal, by one step for a cost of 1 or by three for 2."""

    goal: int = 6
    players = 1

    def start(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return MAX

    def actions(self, state: int) -> Iterator[int]:
        yield from (step for step in (1, 3) if state + step <= self.goal)

    def result(self, state: int, action: int) -> int:
        return state + action

    def terminal(self, state: int) -> bool:
        return state == self.goal

    def utility(self, state: int) -> int:
        return 0

    def cost(self, state: int, action: int) -> Any:
        return 1 if action == 1 else 2

    def heuristic(self, state: int) -> Any:
        return 2 * (self.goal - state) / 3


class Judged(Road):
    """The same road with a word on whether the goal can still be reached."""

    def solvable(self, state: int) -> bool:
        return state <= self.goal


class Coins(NamedTuple):
    first: int  # coins of a row from here
    last: int  # up to here are left
    lead: int  # what Max has taken less what Min has
    turn: int


@dataclass(frozen=True)
class Row(Game):
    """Take the first or the last coin of a row until all are taken; the payoff is the difference."""

    coins: tuple[int, ...] = (1, 4, 2, 3)
    payoffs = (-10, 10)

    def start(self) -> Coins:
        return Coins(0, len(self.coins), 0, 0)

    def player(self, state: Coins) -> int:
        return state.turn

    def actions(self, state: Coins) -> Iterator[int]:
        yield from range(min(2, state.last - state.first))

    def result(self, state: Coins, action: int) -> Coins:
        first, last = (state.first + 1, state.last) if action == 0 else (state.first, state.last - 1)
        taken = self.coins[state.first] if action == 0 else self.coins[last]
        return Coins(first, last, state.lead + taken if state.turn == 0 else state.lead - taken, 1 - state.turn)

    def terminal(self, state: Coins) -> bool:
        return state.first == state.last

    def utility(self, state: Coins) -> Any:
        return state.lead

    def rest(self, state: Coins) -> Any:
        return state._replace(lead=0), state.lead


LAWFUL = (Take(), Bare(), Coin(), Three(), Liar(), Ring(), Road(), Judged(), Row())
