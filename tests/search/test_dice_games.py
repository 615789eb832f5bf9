"""Backgammon, Yahtzee and blackjack against second programs: another generator of moves, dynamic programming, a recursion on cards."""

import itertools
from functools import cache
from random import Random
from typing import Any

import pytest

from zermelo.games import backgammon, blackjack, yahtzee
from zermelo.rules import CHANCE

# --- blackjack


@pytest.mark.parametrize(
    ("soft17", "double", "peek"),
    [
        (False, True, True),
        *(
            pytest.param(*rules, marks=pytest.mark.slow)
            for rules in itertools.product((False, True), repeat=3)
            if rules != (False, True, True)
        ),
    ],
)
def test_blackjack_is_worth_what_a_recursion_on_cards_says(soft17: bool, double: bool, peek: bool) -> None:
    game = blackjack.Blackjack(soft17=soft17, double=double, peek=peek)
    assert value(game) == pytest.approx(expected_gain(soft17, double, peek), abs=1e-12)


def value(game: Any) -> float:
    """The expected payoff under best play, by the six rules."""

    @cache
    def best(state: Any) -> float:
        if game.terminal(state):
            return float(game.utility(state))
        if game.player(state) == CHANCE:
            pairs = list(game.chances(state))
            return sum(weight * best(game.result(state, action)) for action, weight in pairs) / sum(weight for _, weight in pairs)
        return max(best(game.result(state, action)) for action in game.actions(state))

    return best(game.start())


CARDS = [(card, (4 if card == 10 else 1) / 13) for card in range(1, 11)]


def expected_gain(soft17: bool, double: bool, peek: bool) -> float:
    """Hands as lists of cards; the dealer's final totals first, then every decision against them."""

    def total(cards: tuple[int, ...]) -> tuple[int, bool]:
        low = sum(cards)
        return (low + 10, True) if 1 in cards and low + 10 <= 21 else (low, False)

    @cache
    def dealer(cards: tuple[int, ...]) -> dict[Any, float]:
        points, soft = total(cards)
        if len(cards) == 2 and points == 21:
            return {"natural": 1.0}
        if len(cards) > 1 and (points > 17 or (points == 17 and not (soft and soft17))):
            return {min(points, 22): 1.0}
        ends: dict[Any, float] = {}
        for card, chance in CARDS:
            for end, part in dealer(tuple(sorted((*cards, card)))).items():
                ends[end] = ends.get(end, 0.0) + chance * part
        return ends

    def finals(up: int) -> dict[Any, float]:
        ends = dict(dealer((up,)))
        if peek:
            natural = ends.pop("natural", 0.0)
            return {end: part / (1 - natural) for end, part in ends.items()}
        return ends

    @cache
    def stand(points: int, up: int) -> float:
        gain = 0.0
        for end, part in finals(up).items():
            gain += part * (-1 if end == "natural" else 1 if end == 22 or points > end else -1 if points < end else 0)
        return gain

    @cache
    def play(cards: tuple[int, ...], up: int) -> float:
        points, _ = total(cards)
        if points > 21:
            return -1.0
        if points == 21 and len(cards) > 2:
            return stand(21, up)
        gains = [stand(points, up), sum(part * play(tuple(sorted((*cards, card))), up) for card, part in CARDS)]
        if double and len(cards) == 2:
            more = 0.0
            for card, part in CARDS:
                drawn = total((*cards, card))[0]
                more += 2 * part * (-1 if drawn > 21 else stand(drawn, up))
            gains.append(more)
        return max(gains)

    gain = 0.0
    for (one, first), (two, second), (up, third) in itertools.product(CARDS, repeat=3):
        natural = dealer((up,)).get("natural", 0.0)
        if sorted((one, two)) == [1, 10]:
            outcome = 1.5 * (1 - natural)
        elif peek:
            outcome = -natural + (1 - natural) * play(tuple(sorted((one, two))), up)
        else:
            outcome = play(tuple(sorted((one, two))), up)
        gain += first * second * third * outcome
    return gain


# --- backgammon


def full_turns(men: Any, turn: int, dice: tuple[int, ...]) -> set[Any]:
    """The boards after every legal turn, by trying all orders of dice on signed points, 1 to 24 seen from White."""
    board = [0] * 26
    for point in range(1, 25):
        board[point] = men[0][point] - men[1][25 - point]
    bars, offs = [men[0][25], men[1][25]], [men[0][0], men[1][0]]
    sign = 1 if turn == 0 else -1
    ends: dict[int, set[Any]] = {}
    largest_first: dict[int, int] = {}

    def key() -> Any:
        return tuple(board[1:25]), tuple(bars), tuple(offs)

    def explore(rest: tuple[int, ...], used: tuple[int, ...]) -> None:
        moved = False
        for die in rest[:1]:
            sources = [0] if bars[turn] else [point for point in range(1, 25) if board[point] * sign > 0]
            for source in sources:
                distance = 25 if source == 0 else source if turn == 0 else 25 - source
                goal = distance - die
                if goal <= 0:
                    far = [point if turn == 0 else 25 - point for point in range(1, 25) if board[point] * sign > 0]
                    if bars[turn] or max(far) > 6 or (goal < 0 and max(far) > distance):
                        continue
                elif board[goal if turn == 0 else 25 - goal] * sign < -1:
                    continue
                saved = (list(board), list(bars), list(offs))
                if source == 0:
                    bars[turn] -= 1
                else:
                    board[source] -= sign
                if goal <= 0:
                    offs[turn] += 1
                else:
                    place = goal if turn == 0 else 25 - goal
                    if board[place] == -sign:
                        board[place] = 0
                        bars[1 - turn] += 1
                    board[place] += sign
                moved = True
                explore(rest[1:], (*used, die))
                board[:], bars[:], offs[:] = saved
        if not moved:
            ends.setdefault(len(used), set()).add(key())
            if len(used) == 1:
                largest_first[used[0]] = 1
                ends.setdefault(-used[0], set()).add(key())

    for order in set(itertools.permutations(dice)):
        explore(order, ())
    most = max(number for number in ends if number >= 0)
    if most == 1 and len(dice) == 2:
        return ends[-max(largest_first)]
    return ends[most]


def our_turns(game: Any, board: Any) -> set[Any]:
    """The same by the rules, step by step."""
    if game.terminal(board) or board.stage != backgammon.MOVE:
        white, black = board.men
        points = tuple(white[point] - black[25 - point] for point in range(1, 25))
        return {(points, (white[25], black[25]), (white[0], black[0]))}
    found = set()
    for action in game.actions(board):
        found |= our_turns(game, game.result(board, action))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_turns_of_backgammon_are_those_of_another_generator(seed: int) -> None:
    game, rnd = backgammon.Backgammon(), Random(seed)
    state, compared = game.start(), 0
    while not game.terminal(state) and compared < 60:
        if game.player(state) == CHANCE:
            actions, weights = zip(*game.chances(state), strict=True)
            state = game.result(state, rnd.choices(actions, weights)[0])
            if len(state.dice) == 2 or compared % 5 == 0:
                assert our_turns(game, state) == full_turns(state.men, state.turn, state.dice), game.show(state)
            compared += 1
        else:
            state = game.result(state, rnd.choice(list(game.actions(state))))
    assert compared > 10


def test_a_game_of_backgammon_is_worth_one_two_or_three() -> None:
    game = backgammon.Backgammon()
    won = tuple(15 if point == 0 else 0 for point in range(26))

    def lost(**places: int) -> tuple[int, ...]:
        return tuple(places.get(f"p{point}", 0) for point in range(26))

    for other, worth in ((lost(p0=1, p6=14), 1), (lost(p6=15), 2), (lost(p6=14, p20=1), 3), (lost(p6=14, p25=1), 3)):
        assert game.utility(backgammon.Board((won, other), 1, backgammon.ROLL)) == worth
        assert game.utility(backgammon.Board((other, won), 0, backgammon.ROLL, stakes=4)) == -4 * worth


def test_a_double_is_taken_or_dropped() -> None:
    game = backgammon.Backgammon(cube=True)
    offered = game.result(game.start()._replace(stage=backgammon.OFFER), backgammon.DOUBLE)
    assert game.player(offered) == 1
    taken = game.result(offered, backgammon.TAKE)
    assert (taken.stakes, taken.owner, taken.turn, taken.stage) == (2, 1, 0, backgammon.ROLL)
    dropped = game.result(offered, backgammon.DROP)
    assert game.terminal(dropped)
    assert game.utility(dropped) == 1


# --- Yahtzee


@pytest.mark.parametrize(
    ("dice", "category", "points"),
    [
        *(((1, 1, 2, 3, 4), 0, 2), ((6, 6, 6, 1, 2), 5, 18), ((3, 3, 3, 1, 2), yahtzee.THREE, 12), ((3, 3, 1, 1, 2), yahtzee.THREE, 0)),
        *(((2, 2, 2, 2, 6), yahtzee.FOUR, 14), ((2, 2, 3, 3, 3), yahtzee.HOUSE, 25), ((1, 2, 3, 4, 6), yahtzee.SMALL, 30)),
        *(((2, 3, 4, 5, 6), yahtzee.LARGE, 40), ((1, 2, 3, 4, 6), yahtzee.LARGE, 0), ((5, 5, 5, 5, 5), yahtzee.YAHTZEE, 50)),
        ((1, 3, 4, 5, 6), yahtzee.CHANCE_SCORE, 19),
    ],
)
def test_dice_score(dice: tuple[int, ...], category: int, points: int) -> None:
    assert yahtzee.points(dice, category) == points


def test_a_joker_goes_to_its_own_upper_category_first() -> None:
    game = yahtzee.Yahtzee(forced=True)
    used = tuple(category == yahtzee.YAHTZEE for category in range(13))
    card = yahtzee.Card((4,) * 5, 0, True, used, 0, True, 50)
    assert list(game.actions(card)) == [3]
    assert game.result(card, 3).score == 50 + 20 + 100
    taken = tuple(category in (3, yahtzee.YAHTZEE) for category in range(13))
    lower = card._replace(used=taken)
    assert list(game.actions(lower)) == [6, 7, 8, 9, 10, 12]
    assert game.result(lower, yahtzee.LARGE).score == 50 + 40 + 100


def test_a_joker_that_is_not_forced_needs_its_upper_category_to_be_taken() -> None:
    game = yahtzee.Yahtzee()
    card = yahtzee.Card((4,) * 5, 0, True, tuple(category == yahtzee.YAHTZEE for category in range(13)), 0, True, 50)
    assert game.result(card, yahtzee.LARGE).score == 50 + 0 + 100
    assert game.result(card, yahtzee.FOUR).score == 50 + 20 + 100
    taken = card._replace(used=tuple(category in (3, yahtzee.YAHTZEE) for category in range(13)))
    assert game.result(taken, yahtzee.LARGE).score == 50 + 40 + 100


@pytest.mark.slow
@pytest.mark.parametrize(("forced", "score"), [(False, 254.5896), (True, 254.5877)])
def test_yahtzee_is_worth_254_59(forced: bool, score: float) -> None:
    """T. Verhoeff (1999); P. Woodward (2003): dynamic programming over score cards, scored by the rules."""
    assert solitaire_value(yahtzee.Yahtzee(forced=forced)) == pytest.approx(score, abs=1e-4)


def solitaire_value(game: Any) -> float:
    import numpy as np

    finals = [roll for roll in yahtzee.ROLLS if len(roll) == 5]
    keeps = list(yahtzee.ROLLS)
    chance = np.zeros((len(keeps), len(finals)))  # [kept dice, dice after the throw]
    place = {roll: number for number, roll in enumerate(finals)}
    for row, kept in enumerate(keeps):
        pairs = list(game.chances(yahtzee.Card(kept, 0, False, (False,) * 13)))
        whole = sum(weight for _, weight in pairs)
        for number, weight in pairs:
            chance[row, place[tuple(sorted(kept + yahtzee.ROLLS[number]))]] += weight / whole
    options = [[row for row, kept in enumerate(keeps) if all(kept.count(f) <= roll.count(f) for f in set(kept))] for roll in finals]
    flat, starts = np.concatenate([np.array(rows) for rows in options]), np.cumsum([0] + [len(rows) for rows in options[:-1]])
    uppers = np.arange(64)
    scores = np.array([[yahtzee.points(roll, category) for roll in finals] for category in range(13)])
    equal = [number for number, roll in enumerate(finals) if len(set(roll)) == 1]
    values: dict[tuple[bool, ...], Any] = {(True,) * 13: np.zeros((64, 2))}  # [upper, fifty] points still to come

    def worth(after: Any, category: int, gained: Any) -> Any:
        """[roll, upper, fifty] what a category brings, from now to the end."""
        if category < 6:
            reached = np.minimum(63, uppers + gained[:, None])
            return after[reached] + (gained[:, None] + 35.0 * ((reached == 63) & (uppers < 63)))[:, :, None]
        found = after + gained[:, None, None]
        if category == yahtzee.YAHTZEE:
            found = np.where((gained == 50)[:, None, None], after[:, 1:] + 50, found)
        return found

    for used in sorted(itertools.product((True, False), repeat=13), key=sum, reverse=True)[1:]:
        best = np.full((len(finals), 64, 2), -1.0)
        after = {free: values[tuple(taken or other == free for other, taken in enumerate(used))] for free in range(13) if not used[free]}
        for category, later in after.items():
            best = np.maximum(best, worth(later, category, scores[category]))
        for number in equal if used[yahtzee.YAHTZEE] else ():
            card = yahtzee.Card(finals[number], 0, True, used)
            gains = [(free, np.array([yahtzee.points(finals[number], free, game.joker(card))])) for free in game.free(card)]
            best[number] = np.max([worth(after[free], free, gained)[0] for free, gained in gains], axis=0) + np.array([0.0, 100.0])
        columns = [2 * upper + fifty for upper in sums(used[:6]) for fifty in ((0, 1) if used[yahtzee.YAHTZEE] else (0,))]
        now = best.reshape(len(finals), 128)[:, columns]
        for _ in range(2):
            now = np.maximum.reduceat((chance @ now)[flat], starts, axis=0)
        found = np.zeros(128)
        found[columns] = chance[0] @ now
        values[used] = found.reshape(64, 2)
    return float(values[(False,) * 13][0, 0])


def sums(taken: tuple[bool, ...]) -> list[int]:
    """What the upper categories that are taken can have scored, 63 at most."""
    found = {0}
    for face, scored in enumerate(taken, 1):
        if scored:
            found = {min(63, total + face * count) for total in found for count in range(6)}
    return sorted(found)
