"""Knowledge that one state, or a state and its children, can prove wrong: estimates, order, keys, symmetry, numbering, tiers."""

from typing import Any

from zermelo.check.core_rules import brief
from zermelo.check.examination import Examination, Test
from zermelo.check.paths import Position
from zermelo.check.report import Promise
from zermelo.check.value_kinds import TOLERANCE, finite, whole
from zermelo.rules import CHANCE, Game, State, ask, chance_weights, has, legal_actions, simple_payoff

__all__ = ["numbering", "tests"]

EVALUATE = Promise("evaluate", "`evaluate` gives a finite estimate inside `payoffs`, a tuple where `utility` is one.")
FEATURES = Promise("features", "`features` gives a tuple of finite numbers, always of the same length.")
QUIET = Promise("quiet", "`quiet` says True or False.")
PASSED = Promise("passed", "`passed` gives the state with another player to move, or the state itself.")
REST = Promise("rest", "`rest` gives the state in which every line of play pays less by what is already decided, and that.")
PRIORS = Promise("priors", "`priors` gives one weight an action, none negative, not all 0.")
ORDER = Promise("order", "`order` gives an int for every action.")
KEY = Promise("key", "`key` is an int or a tuple, and equal exactly when the states are.")
CANONICAL = Promise(
    "canonical", "`canonical` gives the same state for all that are alike: itself for itself, with the same mover and payoff."
)
IMAGE = Promise("image", "`image` maps the actions onto those of the canonical state, and their results are alike.")
RANK = Promise(
    "rank and unrank",
    "`rank` gives an int below `size()`, -1 where a state has none, and `unrank` is its inverse: ValueError where no state has the number.",
)
TIER = Promise("tier", "`tier` is an int that never decreases along a game.")
PREDECESSORS = Promise("predecessors", "`predecessors` lists exactly the states with an action that leads here.")
COST = Promise("cost", "`cost` is a finite number that is not negative.")


def tests(game: Game) -> list[Test]:
    """Those that the game's own knowledge calls for."""
    offered = [
        ("evaluate", Test("evaluate", evaluate)),
        ("features", Test("features", Features())),
        ("quiet", Test("quiet", quiet)),
        ("passed", Test("passed", passed)),
        ("priors", Test("priors", priors)),
        ("order", Test("order", order)),
        ("rest", Test("rest", rest)),
        ("key", Test("key", Keys())),
        ("canonical", Test("canonical and image", Symmetry())),
        ("rank", Test("rank and unrank", rank)),
        ("tier", Test("tier", tier)),
        ("predecessors", Test("predecessors", predecessors)),
    ]
    found = [test for method, test in offered if has(game, method)]
    if has(game, "cost") and game.players == 1:
        found.append(Test("cost", cost))
    return found


def evaluate(exam: Examination, position: Position) -> None:
    if position.terminal or not exam.open(EVALUATE):
        return
    game: Any = exam.game
    value = game.evaluate(position.state)
    estimates = value if isinstance(value, tuple) else (value,)
    if isinstance(value, tuple) and len(value) != game.players:
        exam.broken(EVALUATE, f"it gave {value!r}, which are {len(value)} payoffs for {game.players} players", position)
    elif not isinstance(value, tuple) and (game.players > 2 or (game.players == 2 and game.total is None)):
        exam.broken(EVALUATE, f"it gave {value!r}, where `utility` is a tuple", position)
    elif not all(map(finite, estimates)):
        exam.broken(EVALUATE, f"it gave {value!r}", position)
    elif game.payoffs is not None:
        low, high = game.payoffs
        if any(not low - TOLERANCE <= estimate <= high + TOLERANCE for estimate in estimates):
            exam.broken(EVALUATE, f"it gave {value!r}, the bounds are {game.payoffs!r}", position)


class Features:
    """Remembers the length."""

    def __init__(self) -> None:
        self.length: int | None = None

    def __call__(self, exam: Examination, position: Position) -> None:
        if position.terminal or not exam.open(FEATURES):
            return
        features = ask(exam.game, "features", position.state)
        if not isinstance(features, tuple):
            exam.broken(FEATURES, f"it gave {features!r}, which is not a tuple", position)
            return
        if not all(map(finite, features)):
            exam.broken(FEATURES, f"it gave {features!r}", position)
        if self.length is None:
            self.length = len(features)
        elif len(features) != self.length:
            exam.broken(FEATURES, f"it gave {len(features)} numbers, elsewhere {self.length}", position)


def quiet(exam: Examination, position: Position) -> None:
    if not position.terminal and exam.open(QUIET):
        answer = ask(exam.game, "quiet", position.state)
        if answer not in (True, False):
            exam.broken(QUIET, f"it gave {answer!r}", position)


def passed(exam: Examination, position: Position) -> None:
    if position.terminal or position.player == CHANCE or not exam.open(PASSED):
        return
    game: Any = exam.game
    other = game.passed(position.state)
    if type(other) is not type(position.state):
        exam.broken(PASSED, f"it gave {other!r}, which is no state", position)
    elif other != position.state and not game.terminal(other) and game.player(other) == position.player:
        exam.broken(PASSED, f"the same player moves in {other!r}, which is another state", position)


def rest(exam: Examination, position: Position) -> None:
    """Both states end at once, or go on in the same way: so payoffs differ by the lead at the end of every line."""
    if not exam.open(REST):
        return
    answer = ask(exam.game, "rest", position.state)
    if not isinstance(answer, tuple) or len(answer) != 2 or type(answer[0]) is not type(position.state) or not finite(answer[1]):
        exam.broken(REST, f"it gave {answer!r}, which is not a pair (state, number)", position)
        return
    fault = fault_of_rest(exam, position, *answer)
    if fault:
        exam.broken(REST, fault, position)


def fault_of_rest(exam: Examination, position: Position, state: State, lead: Any) -> str | None:
    """How play from the rest, a state, differs."""
    game: Any = exam.game
    if game.rest(state) != (state, 0):
        return f"the rest {state!r} is not its own: that is {game.rest(state)!r}"
    if bool(game.terminal(state)) != position.terminal:
        return f"the rest {state!r} is {'not ' if position.terminal else ''}terminal"
    if position.terminal:
        whole_payoff, payoff = simple_payoff(game, position.state), simple_payoff(game, state)
        return (
            None if whole_payoff == payoff + lead else f"the payoff is {whole_payoff!r}, that of the rest {payoff!r}, and the lead {lead!r}"
        )
    if game.player(state) != position.player:
        return f"player {position.player} moves, in the rest player {game.player(state)}"
    if legal_actions(game, state) != list(position.actions):
        return f"the actions are {brief(position.actions)}, those of the rest {brief(legal_actions(game, state))}"
    for action, child in zip(position.actions, position.children, strict=True):
        (after, whole_lead), (below, gained) = game.rest(child), game.rest(game.result(state, action))
        if (after, whole_lead) != (below, lead + gained):
            name = exam.atlas.name(position.state, action)
            return f"after {name} it is {(after, whole_lead)!r}, after {name} in the rest, with its lead, {(below, lead + gained)!r}"
    return None


def priors(exam: Examination, position: Position) -> None:
    if position.terminal or position.player == CHANCE or not exam.open(PRIORS):
        return
    weights = tuple(ask(exam.game, "priors", position.state))
    if len(weights) != len(position.actions):
        exam.broken(PRIORS, f"it gave {len(weights)} weights for {len(position.actions)} actions", position)
    elif any(not finite(weight) or weight < 0 for weight in weights) or sum(weights) <= 0:
        exam.broken(PRIORS, f"it gave {brief(weights)}", position)


def order(exam: Examination, position: Position) -> None:
    if position.terminal or position.player == CHANCE or not exam.open(ORDER):
        return
    for action in position.actions:
        rank_of_action = ask(exam.game, "order", position.state, action)
        if not whole(rank_of_action):
            exam.broken(ORDER, f"it gave {rank_of_action!r} for {exam.atlas.name(position.state, action)}", position)
            return


def cost(exam: Examination, position: Position) -> None:
    if position.terminal or position.player == CHANCE or not exam.open(COST):
        return
    for action in position.actions:
        price = ask(exam.game, "cost", position.state, action)
        if not finite(price) or price < 0:
            exam.broken(COST, f"{exam.atlas.name(position.state, action)} costs {price!r}", position)
            return


class Keys:
    """Remembers whose key it was."""

    def __init__(self) -> None:
        self.owners: dict[Any, Position] = {}

    def __call__(self, exam: Examination, position: Position) -> None:
        if not exam.open(KEY):
            return
        key = ask(exam.game, "key", position.state)
        if not isinstance(key, (int, tuple)):
            exam.broken(KEY, f"it gave {key!r}, which is neither an int nor a tuple", position)
            return
        again = ask(exam.game, "key", position.state)
        if again != key:
            exam.broken(KEY, f"it gave {key!r}, then {again!r}, for the same state", position)
            return
        owner = self.owners.setdefault(key, position)
        if owner is not position:
            other = " ".join(exam.atlas.moves(owner)) or "the start"
            exam.broken(KEY, f"the state has the key {key!r}, as another one has, which is reached by: {other}", position)


class Symmetry:
    """The canonical state is one of those that are alike: it plays in the same way, step by step."""

    def __init__(self) -> None:
        self.twins: dict[State, State] = {}  # state → canonical state

    def __call__(self, exam: Examination, position: Position) -> None:
        game: Any = exam.game
        if not exam.open(CANONICAL):
            return
        answer = game.canonical(position.state)
        if not isinstance(answer, tuple) or len(answer) != 2:
            exam.broken(CANONICAL, f"it gave {answer!r}, which is not a pair (state, symmetry)", position)
            return
        state, symmetry = answer
        fault = self.fault_of_twin(game, position, state)
        if fault:
            exam.broken(CANONICAL, fault, position)
        elif has(game, "image") and not position.terminal and exam.open(IMAGE):
            fault = self.fault_of_image(game, position, state, symmetry)
            if fault:
                exam.broken(IMAGE, fault, position)

    def twin(self, game: Any, state: State) -> State:
        """The canonical state, asked for once."""
        if state not in self.twins:
            self.twins[state] = game.canonical(state)[0]
        return self.twins[state]

    def fault_of_twin(self, game: Any, position: Position, state: State) -> str | None:
        """How the canonical state differs from one that is alike."""
        if self.twin(game, position.state) != state:
            return f"it gave {self.twin(game, position.state)!r}, then {state!r}"
        again = self.twin(game, state)
        if again != state:
            return f"the canonical state {state!r} is not its own: that is {again!r}"
        if bool(game.terminal(state)) != position.terminal:
            return f"the canonical state {state!r} is {'not ' if position.terminal else ''}terminal"
        if position.terminal:
            mine, theirs = game.utility(position.state), game.utility(state)
            return None if mine == theirs else f"the payoff is {mine!r}, that of the canonical state {theirs!r}"
        if game.player(state) != position.player:
            return f"player {position.player} moves, in the canonical state player {game.player(state)}"
        return None

    def fault_of_image(self, game: Any, position: Position, state: State, symmetry: Any) -> str | None:
        """How the actions of the canonical state fail to correspond."""
        images = [game.image(action, symmetry) for action in position.actions]
        legal = legal_actions(game, state)
        if sorted(images) != sorted(legal):
            return f"the images of {brief(position.actions)} are {brief(images)}, the canonical state has {brief(legal)}"
        if position.player == CHANCE and dict(zip(images, position.weights, strict=True)) != dict(chance_weights(game, state)):
            return "the images of chance's actions have other weights in the canonical state"
        for action, image, child in zip(position.actions, images, position.children, strict=True):
            after = game.result(state, image)
            if self.twin(game, child) != self.twin(game, after):
                return f"action {action} leads to {child!r}, its image {image} in the canonical state to {after!r}, which is not alike"
        return None


def rank(exam: Examination, position: Position) -> None:
    if not exam.open(RANK):
        return
    game: Any = exam.game
    if not has(game, "unrank") or not has(game, "size"):
        exam.broken(RANK, "the game has `rank`, but not both `unrank` and `size`")
        return
    number, size = game.rank(position.state), game.size()
    if not whole(number) or not -1 <= number < size:
        exam.broken(RANK, f"`rank` is {number!r}, `size()` is {size!r}", position)
    elif number >= 0 and game.unrank(number) != position.state:
        exam.broken(RANK, f"`rank` is {number}, and `unrank({number})` is {game.unrank(number)!r}", position)


def numbering(exam: Examination, samples: int) -> None:
    """The other way round: numbers, states, the same numbers."""
    game: Any = exam.game
    if not has(game, "unrank") or not has(game, "rank") or not has(game, "size") or not exam.open(RANK):
        return
    size = game.size()
    numbers = range(size) if size <= samples else sorted(exam.random.sample(range(size), samples))
    for number in numbers:
        try:
            state = game.unrank(number)
        except ValueError:  # no state has this number
            continue
        if game.rank(state) != number:
            exam.broken(RANK, f"`unrank({number})` is {state!r}, whose `rank` is {game.rank(state)!r}")
            return


def tier(exam: Examination, position: Position) -> None:
    if not exam.open(TIER):
        return
    game: Any = exam.game
    here = game.tier(position.state)
    if not whole(here):
        exam.broken(TIER, f"it gave {here!r}", position)
        return
    for action, child in zip(position.actions, position.children, strict=True):
        below = game.tier(child)
        if below < here:
            exam.broken(TIER, f"it is {here}, and {below} after {exam.atlas.name(position.state, action)}", position)
            return


def predecessors(exam: Examination, position: Position) -> None:
    if not exam.open(PREDECESSORS):
        return
    game: Any = exam.game
    for action, child in zip(position.actions, position.children, strict=True):
        if position.state not in list(game.predecessors(child)):
            name = exam.atlas.name(position.state, action)
            exam.broken(PREDECESSORS, f"{name} leads to {child!r}, whose predecessors lack this state", position)
            return
    for before in game.predecessors(position.state):
        if game.terminal(before):
            exam.broken(PREDECESSORS, f"it lists {before!r}, in which the game is over", position)
            return
        if position.state not in [game.result(before, action) for action in legal_actions(game, before)]:
            exam.broken(PREDECESSORS, f"it lists {before!r}, from which no action leads here", position)
            return
