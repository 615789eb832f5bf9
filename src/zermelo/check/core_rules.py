"""The six methods that every game has, and the declarations: asked first, in every state, each twice."""

import copy
import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from zermelo.check.examination import Examination
from zermelo.check.paths import Position, text
from zermelo.check.report import Promise
from zermelo.check.value_kinds import TOLERANCE, finite, frozen, whole
from zermelo.rules import CHANCE, OPTIONAL_METHODS, Action, Game, State, chance_weights, has, payoff_vector

__all__ = ["MOST_ACTIONS", "PURE", "STATES", "ask_again", "asked_again", "brief", "declarations", "look", "start"]

HARMLESS = ("size",)  # methods that are asked only together with others
ATTRIBUTES = ("seats", "unit", "caution", "word")
ASKED = 8  # times for a payoff: one that is drawn by lot is hardly the same as often
ROUNDS = 3  # of asking again
MOST_ACTIONS = 100_000  # a list that is longer is taken to have no end

DECLARED = Promise("declarations", "`players`, `total`, `payoffs`, `seats`, `repetition` and `word` are declared with values that exist.")
STATES = Promise("states", "states are immutable, hashable, and equal when they are the same.")
PURE = Promise("result is a function", "`result` and `start` give the same state every time and change nothing.")
REPEAT = Promise("actions repeat", "`actions` gives the same list every time it is asked about a state.")
STEADY = Promise("answers repeat", "`terminal`, `player`, `chances` and `utility` give the same answer every time.")
PLAYER = Promise("player in range", "`player` is 0 … players − 1, or CHANCE in a game with `chances`.")
SOME = Promise("actions while the game goes on", "a state that is not terminal has an action.")
WHOLE = Promise("actions are values", "`actions` gives a list, or anything else that can be gone through, of hashable values; and it ends.")
METHODS = Promise("names of methods", "what is named as an optional method of the rules is one.")
OVER = Promise("terminal answers", "`terminal` says True or False.")
ONCE = Promise("actions differ", "no action is listed twice.")
CHANCES = Promise("chances are a distribution", "weights are not negative; integers have a sum above 0, other weights add up to 1.")
NUMBERS = Promise("payoffs are numbers", "`utility` gives finite numbers.")
LENGTH = Promise("one payoff per player", "`utility` gives one number, or a tuple with one payoff per player.")
BOUNDED = Promise("payoffs inside the bounds", "no player's payoff is outside the declared `payoffs`.")
TOTAL = Promise("payoffs add up", "the payoffs of all players add up to the declared `total`.")


def declarations(exam: Examination) -> None:
    """What the game says about itself before it starts."""
    game = exam.game
    if not exam.open(DECLARED):
        return
    fault = None
    low_high: Any = game.payoffs
    word: Any = getattr(game, "word", None)
    if not whole(game.players) or game.players < 1:
        fault = f"`players` is {game.players!r}; a game has 1 player or more"
    elif game.total is not None and not finite(game.total):
        fault = f"`total` is {game.total!r}; it is a number, or None for a general sum"
    elif low_high is not None and not is_interval(low_high):
        fault = f"`payoffs` is {low_high!r}; it is (low, high), or None"
    elif has(game, "seats") and not (isinstance(seats := getattr(game, "seats"), tuple | list) and len(seats) == game.players):  # noqa: B009
        fault = f"`seats` is {seats!r}; it names each of {game.players} players"
    elif not is_repetition(game):
        fault = f'`repetition` is {game.repetition!r}; it is None, "draw", "loss", "forbidden", or a payoff such as 1 or {{1: 1}}'
    elif exam.open(METHODS) and (hidden := named_as_method(game)) is not None:
        exam.broken(METHODS, f"`{hidden}` is {getattr(game, hidden)!r}: rules may have a method of that name; name the field otherwise")
    elif word is not None and (not whole(word) or word < 1):
        fault = f"`word` is {word!r}; it is a number of bits"
    for name in HARMLESS:
        if has(game, name) and not callable(getattr(game, name)):
            exam.notes.append(f"The field `{name}` has the name of an optional method of the rules: another name would be clearer.")
    if fault:
        exam.broken(DECLARED, fault)


def named_as_method(game: Game) -> str | None:
    """A field that is named as an optional method, and so would be called."""
    for name in OPTIONAL_METHODS:
        if name not in (*HARMLESS, *ATTRIBUTES) and has(game, name) and not callable(getattr(game, name)):
            return name
    return None


def is_repetition(game: Game) -> bool:
    means: Any = game.repetition
    if isinstance(means, Mapping):
        return bool(means) and all(whole(player) and 0 <= player < game.players and finite(gain) for player, gain in means.items())
    return means in (None, "draw", "loss", "forbidden") or (finite(means) and not isinstance(means, bool))


def is_interval(low_high: Any) -> bool:
    return isinstance(low_high, tuple) and len(low_high) == 2 and all(map(finite, low_high)) and low_high[0] <= low_high[1]


def look(exam: Examination, position: Position) -> None:
    """Ask the six methods about a state, and keep the answers in the position. It is sound when nothing is left to stumble over."""
    game, state = exam.game, position.state
    before = None if frozen(state) else copy.deepcopy(state)
    over = game.terminal(state)
    if exam.open(OVER) and over is None:
        exam.broken(OVER, "`terminal` gave None: is a `return` missing?", position)
    position.terminal = bool(over)
    exam.open(STEADY)
    sound = look_at_end(exam, position) if position.terminal else look_at_move(exam, position)
    if bool(game.terminal(state)) != position.terminal:
        exam.broken(STEADY, f"`terminal` said {position.terminal}, then {not position.terminal}", position)
    if before is not None and exam.open(STATES) and before != state:
        exam.broken(STATES, f"asking the rules changed the state, which was {before!r} before", position)
        sound = False
    position.sound = sound


def look_at_move(exam: Examination, position: Position) -> bool:
    """A state in which somebody moves."""
    game, state = exam.game, position.state
    position.player = player = game.player(state)
    exam.open(PLAYER)
    if not whole(player) or not (player == CHANCE or 0 <= player < game.players):
        exam.broken(PLAYER, f"`player` is {player!r} in a game of {game.players}", position)
        return False
    if player == CHANCE and not has(game, "chances"):
        exam.broken(PLAYER, "`player` is CHANCE, but the game has no `chances`", position)
        return False
    second = game.player(state)
    if second != player:
        exam.broken(STEADY, f"`player` said {player}, then {second}", position)
    if player == CHANCE:
        position.actions, position.weights = look_at_chance(exam, position)
    else:
        position.actions = listed(exam, position)
        if exam.hopeless:
            return False
        again = listed(exam, position) if exam.open(REPEAT) else position.actions
        if again != position.actions:
            exam.broken(REPEAT, f"it gave {brief(position.actions)}, then {brief(again)}", position)
    lawful = proper(exam, position)
    exam.open(SOME)
    if not position.actions and game.players == 1 and player != CHANCE:
        position.dead_end = True  # which is lost, as everybody understands
        return True
    if not position.actions:
        exam.broken(SOME, f"`terminal` is False, and {'`chances`' if player == CHANCE else '`actions`'} gives nothing", position)
        return False
    return lawful and look_at_results(exam, position)


def listed(exam: Examination, position: Position) -> tuple[Action, ...]:
    """The list of actions as the rules give it, cut where it seems to have no end."""
    given = exam.game.actions(position.state)
    if not isinstance(given, Iterable):
        missing = ": is a `return` or a `yield` missing?" if given is None else ", which is not a list"
        exam.broken(WHOLE, f"`actions` gave {given!r}{missing}", position)
        exam.hopeless = True
        return ()
    actions = tuple(itertools.islice(given, MOST_ACTIONS + 1))
    if len(actions) > MOST_ACTIONS:
        exam.broken(WHOLE, f"`actions` had given {MOST_ACTIONS:,} actions and went on", position)
        exam.hopeless = True
        return actions[:MOST_ACTIONS]
    return actions


def proper(exam: Examination, position: Position) -> bool:
    """Can the actions be told apart, and is each listed once?"""
    exam.open(WHOLE)
    strange = next((action for action in position.actions if fault_of_state(action, "action")), None)
    if strange is not None:
        exam.broken(WHOLE, str(fault_of_state(strange, "action")), position)
        return False
    exam.open(ONCE)
    if len(set(position.actions)) < len(position.actions):
        twice = next(action for place, action in enumerate(position.actions) if action in position.actions[:place])
        exam.broken(ONCE, f"{twice} is listed twice in {brief(position.actions)}", position)
        position.actions = tuple(dict.fromkeys(position.actions))
        return False
    return True


def look_at_chance(exam: Examination, position: Position) -> tuple[tuple[Action, ...], tuple[Any, ...]]:
    """Chance's actions and weights."""
    exam.open(CHANCES)
    given = getattr(exam.game, "chances")(position.state)  # noqa: B009
    if not isinstance(given, Iterable):
        missing = ": is a `return` or a `yield` missing?" if given is None else ", which is not a list"
        exam.broken(CHANCES, f"`chances` gave {text(given)}{missing}", position)
        exam.hopeless = True
        return (), ()
    pairs = list(itertools.islice(given.items() if isinstance(given, Mapping) else given, MOST_ACTIONS + 1))
    if len(pairs) > MOST_ACTIONS:
        exam.broken(CHANCES, f"`chances` had given {MOST_ACTIONS:,} outcomes and went on", position)
        exam.hopeless = True
        return (), ()
    if any(not isinstance(pair, tuple) or len(pair) != 2 for pair in pairs):
        exam.broken(CHANCES, f"`chances` gave {brief(pairs)}, which are not pairs (action, weight)", position)
        return (), ()
    if chance_weights(exam.game, position.state) != pairs:
        exam.broken(STEADY, f"`chances` gave {brief(pairs)}, then something else", position)
    weights = [weight for _, weight in pairs]
    fault = None
    if any(not finite(weight) or weight < 0 for weight in weights):
        fault = f"the weights are {brief(weights)}"
    elif weights and all(map(whole, weights)):
        fault = "all weights are 0" if sum(weights) == 0 else None
    elif weights and abs(sum(weights) - 1) > TOLERANCE:
        fault = f"the weights {brief(weights)} add up to {float(sum(weights)):.12g}"
    if fault:
        exam.broken(CHANCES, fault, position)
    return tuple(action for action, _ in pairs), tuple(weights)


def look_at_results(exam: Examination, position: Position) -> bool:
    """Where the actions lead; all states must be usable, or nothing beyond can be looked at."""
    game, state = exam.game, position.state
    exam.open(PURE)
    exam.open(STATES)
    children = []
    for action in position.actions:
        child = game.result(state, action)
        fault = fault_of_state(child)
        if fault:
            exam.broken(STATES, f"after {exam.atlas.name(state, action)} {fault}", position)
            return False
        again = game.result(state, action)
        if again != child:
            exam.broken(PURE, f"after {exam.atlas.name(state, action)} it gave {child!r}, then {again!r}", position)
        elif hash(again) != hash(child):
            exam.broken(
                STATES, f"after {exam.atlas.name(state, action)} two states {child!r} are equal and have different hashes", position
            )
            return False
        children.append(child)
    position.children = tuple(children)
    return True


def fault_of_state(state: State, word: str = "state") -> str | None:
    """What keeps a value from being a state, or an action."""
    try:
        steady = hash(state) == hash(state)
    except TypeError as error:
        return f"the {word} {state!r} cannot be hashed ({error}); tuples, strings, NamedTuples and frozen dataclasses can"
    if state != state:  # a NaN inside, or an `__eq__` that is none
        return f"the {word} {state!r} is not equal to itself"
    if not steady:
        return f"the hash of the {word} {state!r} changes"
    return None


def look_at_end(exam: Examination, position: Position) -> bool:
    """A terminal state: payoffs. What `actions` says there nobody asks."""
    game, state = exam.game, position.state
    value, *others = (game.utility(state) for _ in range(ASKED))
    position.payoff = value
    again = next((other for other in others if other != value), value)
    if again != value and value == value:  # NaN is another fault
        exam.broken(STEADY, f"`utility` said {value!r}, then {again!r}", position)
    return look_at_payoffs(exam, position, value)


def look_at_payoffs(exam: Examination, position: Position, value: Any) -> bool:
    """Are the payoffs what was declared?"""
    game = exam.game
    exam.open(LENGTH)
    exam.open(NUMBERS)
    single = not isinstance(value, tuple)
    if single and (game.players > 2 or (game.players == 2 and game.total is None)):
        exam.broken(LENGTH, f"`utility` is {value!r}; {game.players} players without a constant total of two need a tuple", position)
        return False
    if not single and len(value) != game.players:
        exam.broken(LENGTH, f"`utility` is {value!r}, which are {len(value)} payoffs for {game.players} players", position)
        return False
    if not all(map(finite, (value,) if single else value)):
        exam.broken(NUMBERS, f"`utility` is {value!r}", position)
        return False
    payoffs = payoff_vector(game, position.state)
    if game.payoffs is not None and exam.open(BOUNDED):
        low, high = game.payoffs
        if any(not low - TOLERANCE <= payoff <= high + TOLERANCE for payoff in payoffs):
            exam.broken(BOUNDED, f"the payoffs are {payoffs!r}, the bounds {game.payoffs!r}", position)
    if game.players > 1 and game.total is not None and exam.open(TOTAL) and abs(sum(payoffs) - game.total) > TOLERANCE:
        happened = (
            f"the payoffs {payoffs!r} add up to {sum(payoffs)!r}, and `total` is {game.total!r}: declare `total = None` where sums differ"
        )
        exam.broken(TOTAL, happened, position)
    return True


def asked_again(exam: Examination, most: int) -> Iterator[Position]:
    """The first positions, a few times over, in another order than the first time: rules that remember what they were asked show it."""
    positions = exam.atlas.positions[:most]
    for _ in range(ROUNDS):
        for position in exam.random.sample(positions, len(positions)):
            if position.sound and not exam.stopped:
                yield position


def ask_again(exam: Examination, position: Position) -> None:
    """Once everything was looked at, the answers must still be those of the first time."""
    game, state = exam.game, position.state
    if bool(game.terminal(state)) != position.terminal:
        exam.broken(STEADY, f"`terminal` said {position.terminal}, and something else when asked again later", position)
    if position.terminal and game.utility(state) != position.payoff:
        exam.broken(STEADY, f"`utility` said {position.payoff!r}, and something else when asked again later", position)
    if position.terminal or not position.sound:
        return
    if game.player(state) != position.player:
        exam.broken(STEADY, f"`player` said {position.player}, and something else when asked again later", position)
        return
    if position.player != CHANCE and tuple(itertools.islice(game.actions(state), MOST_ACTIONS)) != position.actions:
        exam.broken(REPEAT, f"it gave {brief(position.actions)}, and something else when asked again later", position)
        return
    for action, child in zip(position.actions, position.children, strict=True):
        again = game.result(state, action)
        if again != child:
            name = exam.atlas.name(state, action)
            exam.broken(PURE, f"after {name} it gave {child!r}, and {again!r} when asked again later", position)
            return


def brief(values: Any) -> str:
    """A list that fits a line."""
    items = [text(value) for value in values]
    return f"[{', '.join(items if len(items) <= 12 else [*items[:10], '…', items[-1]])}]"


def start(exam: Examination) -> State | None:
    """The first state; None where it is none."""
    exam.open(PURE)
    exam.open(STATES)
    state = exam.game.start()
    fault = fault_of_state(state)
    if fault:
        exam.broken(STATES, f"`start` gave one that is not: {fault}")
        return None
    again = exam.game.start()
    if again != state:
        exam.broken(PURE, f"`start` gave {state!r}, then {again!r}")
    return state
