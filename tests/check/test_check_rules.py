"""The six rules: for every promise a small game that breaks it, found with the shortest way to it; mended, the game passes."""

from typing import Any, ClassVar

import pytest
from promised_games import LAWFUL, Bare, Coin, Counters, Liar, Road, Take, Three, Toss

from zermelo import Game, ZermeloError
from zermelo.check import check

NAN = float("nan")


@pytest.mark.parametrize("game", LAWFUL, ids=lambda game: type(game).__name__)
def test_lawful_games_are_found_lawful(game: Game) -> None:
    report = check(game, backend="reference")
    assert report.lawful, report.text()
    assert report.look.exhaustive
    assert report.look.ends > 0


# --- declarations


class NoPlayers(Bare):
    players = 0


class HalfPlayers(Bare):
    players: ClassVar[Any] = 2.5


class StrangeTotal(Bare):
    total: ClassVar[Any] = "zero"


class TurnedBounds(Bare):
    payoffs: ClassVar[Any] = (1, -1)


class SingleBound(Bare):
    payoffs: ClassVar[Any] = 1


class StrangeRepetition(Bare):
    repetition: ClassVar[Any] = "win"


class OneSeat(Bare):
    seats = ("White",)


class StrangeWord(Bare):
    word = 0


# --- states


class Listed(Bare):
    def result(self, state: Any, action: int) -> Any:
        return [state[0] - action, 1 - state[1]] if state.left == 3 else super().result(state, action)


class ListedStart(Bare):
    def start(self) -> Any:
        return [5, 0]


class NotANumber(Bare):
    def result(self, state: Any, action: int) -> Any:
        return Unequal(*super().result(state, action)) if state.left == 3 else super().result(state, action)


class Unequal(Counters):
    __hash__ = Counters.__hash__

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return True


class Heap:
    """A state that can change."""

    def __init__(self, left: int, turn: int) -> None:
        self.left, self.turn = left, turn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Heap) and (self.left, self.turn) == (other.left, other.turn)

    def __hash__(self) -> int:
        return hash(self.turn)


class OfHeaps(Bare):
    """Lawful: nothing changes the heap."""

    def start(self) -> Any:
        return Heap(5, 0)

    def result(self, state: Any, action: int) -> Any:
        return Heap(state.left - action, 1 - state.turn)


class ChangesItsState(OfHeaps):
    def terminal(self, state: Any) -> bool:
        if state.left == 3 and not self.log:
            self.log.append("now")
            state.left = 4
        return super().terminal(state)


# --- functions


class ImpureResult(Bare):
    def result(self, state: Counters, action: int) -> Counters:
        if state.left == 3:
            self.log.append(action)
            return Counters(state.left - 1 - len(self.log) % 2, 1 - state.turn)
        return super().result(state, action)


class ImpureStart(Bare):
    def start(self) -> Counters:
        self.log.append("started")
        return Counters(5, 0) if len(self.log) == 1 else Counters(4, 0)


class DriftingResult(Bare):
    def result(self, state: Counters, action: int) -> Counters:
        if (state, action) == ((3, 1), 1):
            self.log.append(action)
            return Counters(1 if len(self.log) > 2 else 2, 1 - state.turn)
        return super().result(state, action)


class ChangingActions(Bare):
    def actions(self, state: Counters) -> Any:
        if state.left == 3:
            self.log.append("asked")
            return [1, 2] if len(self.log) % 2 else [2, 1]
        return super().actions(state)


class DriftingActions(Bare):
    def actions(self, state: Counters) -> Any:
        if state == (5, 0):
            self.log.append("asked")
            return [1, 2] if len(self.log) <= 2 else [2, 1]
        return super().actions(state)


class ChangingTerminal(Bare):
    def terminal(self, state: Counters) -> bool:
        if state == (3, 0):
            self.log.append("asked")
            return len(self.log) % 2 == 0
        return super().terminal(state)


class ChangingPlayer(Bare):
    def player(self, state: Counters) -> int:
        if state.left == 3:
            self.log.append("asked")
            return len(self.log) % 2
        return super().player(state)


class ChangingUtility(Bare):
    def utility(self, state: Counters) -> Any:
        self.log.append("asked")
        return 1 if len(self.log) % 2 else -1


class ChangingChances(Coin):
    def chances(self, state: Toss) -> Any:
        self.log.append("asked")
        return [(1, 2), (2, 1)] if len(self.log) % 2 else [(1, 1), (2, 1)]


# --- players and actions


class ThirdPlayer(Bare):
    def player(self, state: Counters) -> int:
        return 2 if state.left == 3 else state.turn


class NobodyMoves(Bare):
    def player(self, state: Counters) -> int:
        return -1 if state.left == 3 else state.turn


class Stuck(Bare):
    def actions(self, state: Counters) -> Any:
        return [] if state.left == 3 else super().actions(state)


class StuckChance(Coin):
    def chances(self, state: Toss) -> Any:
        return [] if state.stake == 2 else super().chances(state)


class ListedActions(Bare):
    def actions(self, state: Counters) -> Any:
        return [[1]] if state.left == 3 else super().actions(state)


class MissingReturn(Bare):
    def actions(self, state: Counters) -> Any:
        return None if state.left == 3 else super().actions(state)


class SaysNothing(Bare):
    def terminal(self, state: Counters) -> Any:
        return None if state.left == 3 else super().terminal(state)


class NamedAsMethod(Bare):
    order = 3


class EndlessActions(Bare):
    def actions(self, state: Counters) -> Any:
        if state.left == 1:
            while True:
                yield 1
        yield from super().actions(state)


class TwiceListed(Bare):
    def actions(self, state: Counters) -> Any:
        return [1, 2, 1] if state.left == 3 else super().actions(state)


# --- chance


class NegativeChance(Coin):
    def chances(self, state: Toss) -> Any:
        return [(1, 2), (2, -1)] if state.stake == 2 else super().chances(state)


class FloatsBelowOne(Coin):
    def chances(self, state: Toss) -> Any:
        return [(1, 0.5), (2, 0.4)] if state.stake == 2 else super().chances(state)


class NoChance(Coin):
    def chances(self, state: Toss) -> Any:
        return [(1, 0), (2, 0)] if state.stake == 2 else super().chances(state)


class UnknownChance(Coin):
    def chances(self, state: Toss) -> Any:
        return [(1, NAN), (2, 0.5)] if state.stake == 2 else super().chances(state)


class OnlyActions(Coin):
    def chances(self, state: Toss) -> Any:
        return [1, 2] if state.stake == 2 else super().chances(state)


# --- payoffs


class UnknownPayoff(Coin):
    def utility(self, state: Toss) -> Any:
        return NAN if state == (2, 1) else super().utility(state)


class TextPayoff(Coin):
    def utility(self, state: Toss) -> Any:
        return "won" if state == (2, 1) else super().utility(state)


class TwoOfThree(Three):
    def utility(self, state: Any) -> Any:
        return state[:2] if state == (1, 2, 1) else state


class OneOfThree(Three):
    def utility(self, state: Any) -> Any:
        return 1 if state == (1, 2, 1) else state


class BeyondTheBounds(Coin):
    payoffs = (-1, 1)


class MinBeyondTheBounds(Coin):
    """Max never gets less than 0, but Min does."""

    payoffs = (0, 2)

    def utility(self, state: Toss) -> Any:
        return state.stake if state.face == 1 else 0


class SumsDiffer(Three):
    total = 4


ROWS: list[tuple[type[Game], str, str, str]] = [  # game, promise, moves, a part of what happened
    (NoPlayers, "declarations", "", "`players` is 0"),
    (HalfPlayers, "declarations", "", "`players` is 2.5"),
    (StrangeTotal, "declarations", "", "`total` is 'zero'"),
    (TurnedBounds, "declarations", "", "`payoffs` is (1, -1)"),
    (SingleBound, "declarations", "", "`payoffs` is 1"),
    (StrangeRepetition, "declarations", "", "`repetition` is 'win'"),
    (OneSeat, "declarations", "", "`seats` is ('White',)"),
    (StrangeWord, "declarations", "", "`word` is 0"),
    (Listed, "states", "two", "cannot be hashed"),
    (ListedStart, "states", "", "`start` gave"),
    (NotANumber, "states", "two", "not equal to itself"),
    (ChangesItsState, "states", "two", "changed the state"),
    (ImpureResult, "result is a function", "two", "Counters(left=1, turn=0), then Counters(left=2, turn=0)"),
    (ImpureStart, "result is a function", "", "`start` gave Counters(left=5, turn=0), then Counters(left=4, turn=0)"),
    (DriftingResult, "result is a function", "two", "asked again later"),
    (ChangingActions, "actions repeat", "two", "[1, 2], then [2, 1]"),
    (DriftingActions, "actions repeat", "", "[1, 2], and something else when asked again later"),
    (ChangingTerminal, "answers repeat", "one one", "`terminal` said False, then True"),
    (ChangingPlayer, "answers repeat", "two", "`player` said 1, then"),
    (ChangingUtility, "answers repeat", "one two two", "`utility` said"),
    (ChangingChances, "answers repeat", "1", "`chances` gave [(1, 2), (2, 1)]"),
    (ThirdPlayer, "player in range", "two", "2 in a game of 2"),
    (NobodyMoves, "player in range", "two", "no `chances`"),
    (Stuck, "actions while the game goes on", "two", "`actions` gives nothing"),
    (StuckChance, "actions while the game goes on", "2", "`chances` gives nothing"),
    (ListedActions, "actions are values", "two", "the action [1] cannot be hashed"),
    (MissingReturn, "actions are values", "two", "is a `return` or a `yield` missing?"),
    (EndlessActions, "actions are values", "two two", "went on"),
    (SaysNothing, "terminal answers", "two", "is a `return` missing?"),
    (NamedAsMethod, "names of methods", "", "`order` is 3"),
    (TwiceListed, "actions differ", "two", "1 is listed twice in [1, 2, 1]"),
    (NegativeChance, "chances are a distribution", "2", "[2, -1]"),
    (FloatsBelowOne, "chances are a distribution", "2", "add up to 0.9"),
    (NoChance, "chances are a distribution", "2", "all weights are 0"),
    (UnknownChance, "chances are a distribution", "2", "nan"),
    (OnlyActions, "chances are a distribution", "2", "not pairs"),
    (UnknownPayoff, "payoffs are numbers", "2 1", "nan"),
    (TextPayoff, "payoffs are numbers", "2 1", "'won'"),
    (TwoOfThree, "one payoff per player", "1 2 1", "2 payoffs for 3 players"),
    (OneOfThree, "one payoff per player", "1 2 1", "`utility` is 1"),
    (BeyondTheBounds, "payoffs inside the bounds", "2 1", "(2, -2), the bounds (-1, 1)"),
    (MinBeyondTheBounds, "payoffs inside the bounds", "1 1", "(1, -1), the bounds (0, 2)"),
    (SumsDiffer, "payoffs add up", "1 1 1", "add up to 3, and `total` is 4"),
]
FOLLOW = {  # promises that cannot be kept once another is broken, because they speak of the same thing
    "OnlyActions": {"actions while the game goes on"},
}


@pytest.mark.parametrize(("kind", "promise", "moves", "happened"), ROWS, ids=[row[0].__name__ for row in ROWS])
def test_a_broken_promise_is_found_and_no_other(kind: type[Game], promise: str, moves: str, happened: str) -> None:
    report = check(kind(), backend="reference")
    found = {finding.promise.name: finding for finding in report.findings}
    assert promise in found, report.text()
    assert found[promise].moves == tuple(moves.split())
    assert happened in found[promise].happened
    assert found.keys() - {promise} <= FOLLOW.get(kind.__name__, set()), report.text()
    assert not report.lawful


def test_states_may_be_any_object_that_nothing_changes() -> None:
    assert check(OfHeaps(), backend="reference").lawful


def test_a_puzzle_has_no_total() -> None:
    class Rewarded(Road):
        def utility(self, state: int) -> int:
            return 5

    assert check(Rewarded(), backend="reference").lawful


# --- rules that raise


class Raises(Liar):
    def utility(self, state: Any) -> int:
        return 1 // (state.second - 2) if state.claim == 2 else super().utility(state)  # raises


def line_of(mark: str) -> int:
    with open(__file__, encoding="utf-8") as source:
        return next(number for number, line in enumerate(source, 1) if line.rstrip().endswith(f"# {mark}"))


def test_rules_that_raise_are_named_with_file_line_and_moves() -> None:
    report = check(Raises(), backend="reference")
    (finding,) = report.findings
    assert finding.promise.name == "the six rules without an exception"
    assert finding.moves == ("low", "high", "low", "high")
    assert "ZeroDivisionError: integer division or modulo by zero" in finding.happened
    assert finding.place.endswith(f"test_check_rules.py:{line_of('raises')}")
    assert finding.place in report.text()


def test_a_start_that_raises_is_a_finding_too() -> None:
    class NoStart(Bare):
        def start(self) -> Counters:
            raise KeyError("board")

    (finding,) = check(NoStart()).findings
    assert finding.promise.name == "start without an exception"
    assert "KeyError: 'board'" in finding.happened


@pytest.mark.parametrize("budget", ["states", "games", "longest"])
def test_an_empty_budget_is_refused(budget: str) -> None:
    with pytest.raises(ZermeloError, match=f"`{budget}` is a budget of 1 or more, not 0"):
        check(Take(), **{budget: 0})


# --- what is natural


class GoesOn(Bare):
    """Lists actions also where the game is over."""

    def actions(self, state: Counters) -> Any:
        return [1, 2] if state.left == 0 else super().actions(state)


class TextActions(Bare):
    """Takes one or two counters, in words."""

    def actions(self, state: Counters) -> Any:
        return ["one", "two"][: state.left]

    def result(self, state: Counters, action: Any) -> Counters:
        return super().result(state, ["one", "two"].index(action) + 1)

    def name(self, state: Counters, action: Any) -> str:
        return str(action)


class DeadEnd(Road):
    """A puzzle with a place from which nothing leads on."""

    heuristic = None

    def actions(self, state: Any) -> Any:
        return [] if state == super().result(super().start(), next(iter(super().actions(super().start())))) else super().actions(state)


@pytest.mark.parametrize("kind", [GoesOn, TextActions])
def test_what_is_natural_is_lawful(kind: type[Game]) -> None:
    report = check(kind(), backend="reference")
    assert report.lawful, report.text()


def test_a_dead_end_of_a_puzzle_is_a_lost_end() -> None:
    report = check(DeadEnd(), backend="reference")
    assert "actions while the game goes on" not in {finding.promise.name for finding in report.findings}, report.text()
    assert any("dead end" in note for note in report.notes)


class NeverOver(Bare):
    """Gives back what was taken."""

    def result(self, state: Counters, action: Any) -> Counters:
        return state._replace(turn=1 - state.turn)


def test_a_game_that_never_ends_is_not_called_lawful_without_a_word() -> None:
    report = check(NeverOver(), backend="reference")
    assert "no end of it was reached" in report.text()
    assert any("declare `repetition`" in note for note in report.notes)


class Sized(Bare):
    size = 3


def test_a_harmless_name_is_pointed_out() -> None:
    report = check(Sized(), backend="reference")
    assert report.lawful
    assert any("`size`" in note for note in report.notes)
