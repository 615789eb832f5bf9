"""Knowledge, hidden information and presentation: for every promise a small game that breaks it, and nothing else."""

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from promised_games import Cards, Coin, Coins, Counters, Liar, Ring, Road, Row, Spot, Take, Three, Toss

from zermelo import MAX, Game, score
from zermelo.check import check

NAN = float("nan")


# --- estimates


class TooGood(Take):
    def evaluate(self, state: Counters) -> Any:
        return 1.5 if state.left == 3 else super().evaluate(state)


class NoEstimate(Take):
    def evaluate(self, state: Counters) -> Any:
        return NAN if state.left == 3 else super().evaluate(state)


class TwoEstimates(Three):
    def evaluate(self, state: Any) -> Any:
        return (1, 2) if state == (2,) else super().evaluate(state)


class OneEstimate(Three):
    def evaluate(self, state: Any) -> Any:
        return 1 if state == (2,) else super().evaluate(state)


class LongerFeatures(Take):
    def features(self, state: Counters) -> Any:
        return (1, 2, 3) if state.left == 3 else super().features(state)


class EndlessFeatures(Take):
    def features(self, state: Counters) -> Any:
        return (1, float("inf")) if state.left == 3 else super().features(state)


class ListedFeatures(Take):
    def features(self, state: Counters) -> Any:
        return [1, 2] if state.left == 3 else super().features(state)


class RatherQuiet(Take):
    def quiet(self, state: Counters) -> Any:
        return "rather" if state.left == 3 else True


class PassedToNobody(Take):
    def passed(self, state: Counters) -> Any:
        return None if state.left == 3 else state


class PassedToOneself(Take):
    def passed(self, state: Counters) -> Any:
        return Counters(state.left - 1, state.turn) if state.left == 3 else state


class OnlyTheRest(Row):
    def rest(self, state: Coins) -> Any:
        return state._replace(lead=0)


class KeepsTheLead(Row):
    def rest(self, state: Coins) -> Any:
        return state, state.lead


class ForgetsTheLead(Row):
    def rest(self, state: Coins) -> Any:
        return state._replace(lead=0), state.lead if state.last - state.first != 2 else 0


class ForgetsItInTheEnd(Row):
    def utility(self, state: Coins) -> Any:
        return min(state.lead, 3)


class OthersRest(Row):
    def rest(self, state: Coins) -> Any:
        return state._replace(lead=0, turn=0), state.lead


class LongerRest(Row):
    def rest(self, state: Coins) -> Any:
        one_left = state.last - state.first == 1
        return (state._replace(first=0, last=4, lead=0) if one_left else state._replace(lead=0)), state.lead


class OnePrior(Take):
    def priors(self, state: Counters) -> Any:
        return (1,)


class NegativePrior(Take):
    def priors(self, state: Counters) -> Any:
        return (-1, 2) if state.left == 3 else super().priors(state)


class NoPrior(Take):
    def priors(self, state: Counters) -> Any:
        return (0, 0) if state.left == 3 else super().priors(state)


class HalfOrder(Take):
    def order(self, state: Counters, action: int) -> Any:
        return 0.5 if state.left == 3 else super().order(state, action)


class Refund(Road):
    def cost(self, state: int, action: int) -> Any:
        return -1 if state == 3 and action == 3 else super().cost(state, action)

    heuristic = None  # type: ignore[assignment]


# --- scores


class TooLow(Take):
    """From 4, Min wins in three actions, and not before."""

    def bounds(self, state: Counters) -> Any:
        return (score(-1, 1), score(-1, 2)) if state == (4, 1) else super().bounds(state)


class TooSoon(Take):
    """From 3, Min loses in two actions, and not in one."""

    def bounds(self, state: Counters) -> Any:
        return (score(1, 1), score(1, 1)) if state == (3, 1) else super().bounds(state)


class FloatBounds(Take):
    def bounds(self, state: Counters) -> Any:
        return (-1.0, 1.0) if state.left == 3 else super().bounds(state)


class CrossedBounds(Take):
    def bounds(self, state: Counters) -> Any:
        return (score(1, 1), score(-1, 1)) if state.left == 3 else super().bounds(state)


class WrongCandidate(Take):
    """From 4, only one leaves a multiple of three."""

    def candidates(self, state: Counters) -> Any:
        return [2] if state.left == 4 else super().candidates(state)


class SlowCandidate(Take):
    """From 2, one loses; with two the game is won."""

    def candidates(self, state: Counters) -> Any:
        return [1] if state.left == 2 else super().candidates(state)


class NoCandidate(Take):
    def candidates(self, state: Counters) -> Any:
        return [] if state.left == 4 else super().candidates(state)


class IllegalCandidate(Take):
    def candidates(self, state: Counters) -> Any:
        return [1, 3] if state.left == 4 else super().candidates(state)


class CandidateTwice(Take):
    def candidates(self, state: Counters) -> Any:
        return [1, 1] if state.left == 4 else super().candidates(state)


class Overestimates(Road):
    def heuristic(self, state: int) -> Any:
        return 3 if state == 3 else super().heuristic(state)


class NotAtTheGoal(Road):
    def heuristic(self, state: int) -> Any:
        return 0.1 if state == 6 else super().heuristic(state)


class GivesUp(Road):
    def solvable(self, state: int) -> Any:
        return state != 3


class NotSure(Road):
    def solvable(self, state: int) -> Any:
        return None if state == 3 else True


class NoHeuristic(Road):
    def heuristic(self, state: int) -> Any:
        return NAN if state == 3 else super().heuristic(state)


# --- identity, symmetry, numbering


class SameKey(Take):
    def key(self, state: Counters) -> Any:
        return state.left


class TextKey(Take):
    def key(self, state: Counters) -> Any:
        return str(state)


class ChangingKey(Take):
    def key(self, state: Counters) -> Any:
        self.log.append("asked")
        return 1000 * len(self.log) + super().key(state) if state.left == 3 else super().key(state)


class Restless(Ring):
    def canonical(self, state: Spot) -> Any:
        return Spot(-state.at % self.spots, state.turn), 1

    image = None  # type: ignore[assignment]


class OnlyState(Ring):
    def canonical(self, state: Spot) -> Any:
        return [state]


class OtherEnd(Ring):
    """Folds the end onto a state that is none."""

    def canonical(self, state: Spot) -> Any:
        return (Spot(0, 0), 0) if state.at in (3, 0) else super().canonical(state)


class Lopsided(Ring):
    """Lawful: to the right the ring ends sooner, with another winner than to the left."""

    def terminal(self, state: Spot) -> bool:
        return state.at in (2, 3)

    def canonical(self, state: Spot) -> Any:
        return state, 0


class OtherPayoff(Lopsided):
    """Says that all ends are alike, whoever has won."""

    def canonical(self, state: Spot) -> Any:
        return (Spot(2, 0), 0) if self.terminal(state) else (state, 0)


class OtherMover(Ring):
    def canonical(self, state: Spot) -> Any:
        return Spot(state.at, 0), 0

    image = None  # type: ignore[assignment]


class UnturnedImage(Ring):
    def image(self, action: int, symmetry: int) -> int:
        return action


class StrangeImage(Ring):
    def image(self, action: int, symmetry: int) -> int:
        return action + 5 if symmetry else action


class LargeRank(Take):
    def size(self) -> int:
        return 7


class OneRank(Take):
    def rank(self, state: Counters) -> Any:
        return 0


class Backwards(Take):
    """Every state has its number, but two more numbers lead to none of their own."""

    def size(self) -> int:
        return super().size() + 2

    def unrank(self, number: int) -> Any:
        return super().unrank(min(number, super().size() - 1))


class NoWayBack(Take):
    unrank = None  # type: ignore[assignment]


class TierFalls(Take):
    def tier(self, state: Counters) -> Any:
        return 0 if state.left == 3 else 1


class HalfTier(Take):
    def tier(self, state: Counters) -> Any:
        return 0.5


class Forgotten(Take):
    def predecessors(self, state: Counters) -> Any:
        return [Counters(state.left + 1, 1 - state.turn)] if state.left == 2 else super().predecessors(state)


class Invented(Take):
    def predecessors(self, state: Counters) -> Any:
        more = [Counters(state.left + 3, 1 - state.turn)] if state.left == 3 else []
        return super().predecessors(state) + more


class AfterTheEnd(Take):
    def predecessors(self, state: Counters) -> Any:
        more = [Counters(0, 0)] if state.left == 3 else []
        return super().predecessors(state) + more


# --- hidden information


class FloatInformation(Liar):
    def information(self, state: Cards, player: int) -> Any:
        known = super().information(state, player)
        return 100.5 * known[0] + 10 * known[1] + known[2] if state.card == 2 and player == MAX else known

    name_information = None  # type: ignore[assignment]


@dataclass(frozen=True)
class ChangingInformation(Coin):
    def information(self, state: Toss, player: int) -> Any:
        self.log.append("asked")
        return len(self.log) if state.stake == 2 else 0

    def chances(self, state: Toss) -> Any:
        return [(1, 2), (2, 1)]


class TellingActions(Liar):
    """What Min may guess tells him the card that he does not know."""

    def actions(self, state: Cards) -> Any:
        if state.claim == 2 and not state.guess and state.card == 2:
            return [2]
        return super().actions(state)

    sample = None  # type: ignore[assignment]


class WhoseTurn(Three):
    """Nobody knows anything, not even whose turn it is."""

    def information(self, state: Any, player: int) -> Any:
        return 0


class ForgetsTheCard(Liar):
    """Max has seen his card, and at his second turn knows it no more."""

    def information(self, state: Cards, player: int) -> Any:
        return super().information(state._replace(card=0) if state.guess else state, player)

    sample = None  # type: ignore[assignment]


class ForgetsHisClaim(Liar):
    def information(self, state: Cards, player: int) -> Any:
        card, claim, guess = super().information(state, player)
        return (card, 3, guess) if guess and player == MAX else (card, claim, guess)

    sample = None  # type: ignore[assignment]
    name_information = None  # type: ignore[assignment]


class SeesMore(Liar):
    def sample(self, state: Cards, player: int, random: Random) -> Any:
        return state._replace(card=random.choice((1, 2))) if state.claim == 2 else super().sample(state, player, random)


class OtherActions(Liar):
    """The sample is a state in which the mover has nothing to choose."""

    def sample(self, state: Cards, player: int, random: Random) -> Any:
        return state._replace(second=1) if state.guess == 2 and player == MAX else super().sample(state, player, random)


class Impossible(Liar):
    """There is no card of this kind."""

    def sample(self, state: Cards, player: int, random: Random) -> Any:
        return state._replace(card=3) if player != MAX and state.claim == 2 else super().sample(state, player, random)


class NoWords(Liar):
    def name_information(self, information: Any) -> Any:
        return "" if information[1] == 2 else super().name_information(information)


# --- presentation


class ShowsNothing(Take):
    def show(self, state: Counters) -> Any:
        return None if state.left == 3 else super().show(state)


class ReadsWrong(Take):
    def read(self, text: str) -> Any:
        return super().read(text)._replace(turn=0)


class SameName(Take):
    def name(self, state: Counters, action: int) -> Any:
        return "some" if state.left == 3 else super().name(state, action)


class Handful(int):
    """Its text does not tell it from others."""

    def __str__(self) -> str:
        return "a handful"


class SameText(Take):
    name = None  # type: ignore[assignment]  # the texts of the actions are their names

    def actions(self, state: Counters) -> Any:
        return map(Handful, super().actions(state))


class NoName(Take):
    def name(self, state: Counters, action: int) -> Any:
        return " " if state.left == 3 else super().name(state, action)


class BoardOfSets(Take):
    def board(self, state: Counters) -> Any:
        return {"kind": "piles", "piles": {state.left}} if state.left == 3 else super().board(state)


class NumberedBoard(Take):
    def board(self, state: Counters) -> Any:
        return {"kind": "cards", "hands": {1: ["K"]}} if state.left == 3 else super().board(state)


class NoKind(Take):
    def board(self, state: Counters) -> Any:
        return {"piles": [state.left]} if state.left == 3 else super().board(state)


ROWS: list[tuple[type[Game], str, str, str]] = [  # game, promise, moves, a part of what happened
    (TooGood, "evaluate", "two", "1.5, the bounds are (-1, 1)"),
    (NoEstimate, "evaluate", "two", "nan"),
    (TwoEstimates, "evaluate", "2", "2 payoffs for 3 players"),
    (OneEstimate, "evaluate", "2", "where `utility` is a tuple"),
    (LongerFeatures, "features", "two", "3 numbers, elsewhere 2"),
    (EndlessFeatures, "features", "two", "(1, inf)"),
    (ListedFeatures, "features", "two", "not a tuple"),
    (RatherQuiet, "quiet", "two", "'rather'"),
    (PassedToNobody, "passed", "two", "None, which is no state"),
    (PassedToOneself, "passed", "two", "the same player moves"),
    (OnlyTheRest, "rest", "", "not a pair (state, number)"),
    (KeepsTheLead, "rest", "0", "is not its own"),
    (ForgetsTheLead, "rest", "0", "after 0 it is (Coins(first=2, last=4, lead=0, turn=0), 0), after 0 in the rest, with its lead"),
    (ForgetsItInTheEnd, "rest", "1 0 0 0", "the payoff is 3, that of the rest 0, and the lead 4"),
    (OthersRest, "rest", "0", "player 1 moves, in the rest player 0"),
    (LongerRest, "rest", "0 0 0", "the actions are [0], those of the rest [0, 1]"),
    (OnePrior, "priors", "", "1 weights for 2 actions"),
    (NegativePrior, "priors", "two", "[-1, 2]"),
    (NoPrior, "priors", "two", "[0, 0]"),
    (HalfOrder, "order", "two", "0.5 for one"),
    (Refund, "cost", "3", "3 costs -1"),
    (TooLow, "bounds", "one", "a payoff of -1 in 3 actions"),
    (TooSoon, "bounds", "two", "a payoff of 1 in 2 actions"),
    (FloatBounds, "bounds", "two", "not two ints"),
    (CrossedBounds, "bounds", "two", "low is above high"),
    (WrongCandidate, "candidates", "one", "two; best is one, with a payoff of -1 in 3 actions"),
    (SlowCandidate, "candidates", "one two", "one; best is two, with a payoff of 1 in 1 actions"),
    (NoCandidate, "candidates", "one", "one leads to a payoff of -1 in 3 actions"),
    (IllegalCandidate, "candidates", "one", "[3] is not legal"),
    (CandidateTwice, "candidates", "one", "twice"),
    (Overestimates, "heuristic", "3", "it is 3, and there is a way to the end that costs 2"),
    (NotAtTheGoal, "heuristic", "3 3", "0.1 where the game is over"),
    (NoHeuristic, "heuristic", "3", "nan"),
    (GivesUp, "solvable", "3", "it is False, and there is a way to the end that costs 2"),
    (NotSure, "solvable", "3", "it gave None"),
    (SameKey, "key", "one one", "which is reached by: two"),
    (TextKey, "key", "", "neither an int nor a tuple"),
    (ChangingKey, "key", "two", "for the same state"),
    (Restless, "canonical", "1", "is not its own"),
    (OnlyState, "canonical", "", "not a pair (state, symmetry)"),
    (OtherEnd, "canonical", "1 1 1", "is not terminal"),
    (OtherPayoff, "canonical", "-1 -1 -1", "the payoff is 1, that of the canonical state -1"),
    (OtherMover, "canonical", "1", "player 1 moves, in the canonical state player 0"),
    (UnturnedImage, "image", "-1", "which is not alike"),
    (StrangeImage, "image", "-1", "the canonical state has [1, -1]"),
    (LargeRank, "rank and unrank", "", "`rank` is 10, `size()` is 7"),
    (OneRank, "rank and unrank", "", "`unrank(0)` is Counters(left=0, turn=0)"),
    (Backwards, "rank and unrank", "", "`unrank(12)`"),
    (NoWayBack, "rank and unrank", "", "not both `unrank` and `size`"),
    (TierFalls, "tier", "", "it is 1, and 0 after two"),
    (HalfTier, "tier", "", "0.5"),
    (Forgotten, "predecessors", "one", "two leads to Counters(left=2, turn=0), whose predecessors lack this state"),
    (Invented, "predecessors", "two", "from which no action leads here"),
    (AfterTheEnd, "predecessors", "two", "in which the game is over"),
    (FloatInformation, "information", "high", "neither an int nor a tuple"),
    (ChangingInformation, "information", "2", "Max knows 9, then 10"),
    (TellingActions, "information sets", "high high", "Min knows (0, 2, 0) here and after: low high; but has the actions [2], not [1, 2]"),
    (WhoseTurn, "information sets", "1", "Player 2 moves here, Player 1 after: no move at all; but neither can tell"),
    (
        ForgetsTheCard,
        "perfect recall",
        "high low low",
        "Max knows (0, 1, 1) here and after: low low low; but has known or done other things",
    ),
    (ForgetsHisClaim, "perfect recall", "low high low", "here and after: low low low; but has known or done"),
    (SeesMore, "sample", "low high", "Max knows (1, 2, 0), and (2, 2, 0) in the sample"),
    (OtherActions, "sample", "low low high", "has other actions in the sample"),
    (Impossible, "sample", "low high", "cannot be reached in any game"),
    (NoWords, "names of information", "low high", "'' for (0, 2, 0)"),
    (ShowsNothing, "show", "two", "None"),
    (ReadsWrong, "read undoes show", "one", "Counters(left=4, turn=1), and was read as Counters(left=4, turn=0)"),
    (SameName, "names of actions", "two", "actions 1 and 2 both have the name 'some'"),
    (SameText, "names of actions", "", "actions 1 and 2 both have the name 'a handful'"),
    (NoName, "names of actions", "two", "action 1 has the name ' '"),
    (BoardOfSets, "board is plain data", "two", "{3} is a set"),
    (NumberedBoard, "board is plain data", "two", "the key 1 is not text"),
    (NoKind, "board is plain data", "two", "not a dictionary with a `kind`"),
]


@pytest.mark.parametrize(("kind", "promise", "moves", "happened"), ROWS, ids=[row[0].__name__ for row in ROWS])
def test_a_broken_promise_is_found_and_no_other(kind: type[Game], promise: str, moves: str, happened: str) -> None:
    report = check(kind(), backend="reference")
    found = {finding.promise.name: finding for finding in report.findings}
    assert promise in found, report.text()
    assert found[promise].moves == tuple(moves.split())
    assert happened in found[promise].happened
    assert found.keys() == {promise}, report.text()


def test_a_lopsided_ring_is_lawful() -> None:
    assert check(Lopsided(), backend="reference").lawful
