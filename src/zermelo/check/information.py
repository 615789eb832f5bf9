"""Hidden information: information sets, perfect recall and samples. Histories count here, not states: two ways to one state differ."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from zermelo.check.core_rules import brief
from zermelo.check.examination import Examination, Test
from zermelo.check.paths import Position
from zermelo.check.report import Finding, Promise
from zermelo.rules import CHANCE, Action, Game, State, ask, has, legal_actions, player_name

__all__ = ["Histories", "Samples", "tests"]

NO_PARENT = -1
SAMPLED = 200  # the first so many states are sampled, then one in so many: samples may be slow, since nothing asks for many

KNOWN = Promise("information", "`information` gives an int or a tuple for every player, the same every time.")
SETS = Promise("information sets", "where players know the same, the same player moves and has the same actions.")
RECALL = Promise("perfect recall", "a player who knows the same has known and done the same before.")
SAMPLE = Promise("sample", "`sample` gives a state that can be reached and in which the player knows the same.")
WORDS = Promise("names of information", "`name_information` gives a text that is not empty.")


def tests(game: Game) -> list[Test]:
    """Those that ask about one state."""
    found = [Test("information", information)] if has(game, "information") else []
    if has(game, "name_information") and has(game, "information"):
        found.append(Test("name_information", name_information))
    return found


def information(exam: Examination, position: Position) -> None:
    if not exam.open(KNOWN):
        return
    game: Any = exam.game
    for player in range(game.players):
        known = game.information(position.state, player)
        if not isinstance(known, (int, tuple, str)):
            exam.broken(KNOWN, f"{player_name(game, player)} knows {known!r}, which is neither an int nor a tuple", position)
            continue
        again = game.information(position.state, player)
        if again != known:
            exam.broken(KNOWN, f"{player_name(game, player)} knows {known!r}, then {again!r}", position)


def name_information(exam: Examination, position: Position) -> None:
    if position.terminal or position.player == CHANCE or not exam.open(WORDS):
        return
    game: Any = exam.game
    known = game.information(position.state, position.player)
    words = game.name_information(known)
    if not isinstance(words, str) or not words:
        exam.broken(WORDS, f"it gave {words!r} for {known!r}", position)


class Samples:
    """Remembers what was sampled: whether such a state exists is only known once everything was looked at."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.drawn: list[tuple[Position, int, State]] = []

    def __call__(self, exam: Examination, position: Position) -> None:
        if (position.number >= SAMPLED and position.number % SAMPLED) or not exam.open(SAMPLE):
            return
        game: Any = exam.game
        for player in range(game.players):
            drawn = game.sample(position.state, player, self.random)
            mine, theirs = game.information(position.state, player), game.information(drawn, player)
            if mine != theirs:
                exam.broken(SAMPLE, f"{player_name(game, player)} knows {mine!r}, and {theirs!r} in the sample {drawn!r}", position)
                return
            if not position.terminal and player == position.player and tuple(legal_actions(game, drawn)) != position.actions:
                exam.broken(SAMPLE, f"{player_name(game, player)} has other actions in the sample {drawn!r}", position)
                return
            self.drawn.append((position, player, drawn))

    def compare(self, exam: Examination) -> None:
        """Every state that can be reached is known: were the samples among them?"""
        for position, player, drawn in self.drawn:
            if drawn not in exam.atlas.numbers and exam.open(SAMPLE):
                exam.broken(SAMPLE, f"the sample {drawn!r} for {player_name(exam.game, player)} cannot be reached in any game", position)


@dataclass
class History:
    """One way from the start."""

    state: State
    parent: int
    action: Action
    pasts: tuple[int, ...]  # [player] number of what he has known and done


@dataclass
class Histories:
    """Walks histories breadth first, then at random, and compares those in which a player knows the same."""

    exam: Examination
    walked: list[History] = field(default_factory=list)
    pasts: dict[Any, int] = field(default_factory=dict)  # (past before, information, action) → past
    sets: dict[Any, tuple[tuple[Action, ...], int, int]] = field(default_factory=dict)  # (player, information) → actions, past, history
    movers: dict[Any, tuple[int, int]] = field(default_factory=dict)  # what two players know → who moves, history
    visits: int = 0

    def walk(self, budget: int, games: int, longest: int) -> None:
        """Look at up to `budget` histories in order of length, and beyond them play `games` at random."""
        start = History(self.exam.game.start(), NO_PARENT, 0, (0,) * self.exam.game.players)
        self.walked.append(start)
        for number, history in enumerate(self.walked):  # grows while it is read
            if number >= budget or self.exam.stopped:
                break
            self.walked.extend(self.below(number, history))
        if len(self.walked) > budget:
            for _ in range(games):
                self.play(longest)

    def play(self, longest: int) -> None:
        """One random game."""
        number = 0
        for _ in range(longest):
            if self.exam.stopped:
                return
            below = self.below(number, self.walked[number])
            if not below:
                return
            self.walked.append(self.exam.random.choice(below))
            number = len(self.walked) - 1

    def below(self, number: int, history: History) -> list[History]:
        """What follows a history; compares it with those that look alike to its mover."""
        game, state = self.exam.game, history.state
        self.visits += 1
        if game.terminal(state):
            return []
        player, actions = game.player(state), tuple(legal_actions(game, state))
        known = None if player == CHANCE else ask(game, "information", state, player)
        if player != CHANCE:
            self.compare(number, history, player, known, actions)
        return [
            History(game.result(state, action), number, action, self.extended(history.pasts, player, known, action)) for action in actions
        ]

    def extended(self, pasts: tuple[int, ...], player: int, known: Any, action: Action) -> tuple[int, ...]:
        """The mover remembers what he knew and did."""
        if player == CHANCE:
            return pasts
        past = self.pasts.setdefault((pasts[player], known, action), len(self.pasts) + 1)
        return (*pasts[:player], past, *pasts[player + 1 :])

    def compare(self, number: int, history: History, player: int, known: Any, actions: tuple[Action, ...]) -> None:
        """Is the history in order with all those in which the mover knows the same?"""
        game: Any = self.exam.game
        name = player_name(game, player)
        others, past, twin = self.sets.setdefault((player, known), (actions, history.pasts[player], number))
        if self.exam.open(SETS) and others != actions:
            here, there = brief(actions), brief(others)
            self.blame(SETS, number, f"{name} knows {known!r} here and after: {self.way(twin)}; but has the actions {here}, not {there}")
        if self.exam.open(RECALL) and past != history.pasts[player]:
            self.blame(
                RECALL, number, f"{name} knows {known!r} here and after: {self.way(twin)}; but has known or done other things before"
            )
        for other in range(game.players):
            if other == player or not self.exam.open(SETS):
                continue
            low, high = min(player, other), max(player, other)
            seen = (low, game.information(history.state, low), high, game.information(history.state, high))
            mover, twin = self.movers.setdefault(seen, (player, number))
            if mover != player:
                there = player_name(game, mover)
                self.blame(SETS, number, f"{name} moves here, {there} after: {self.way(twin)}; but neither can tell the two apart")

    def blame(self, promise: Promise, number: int, happened: str) -> None:
        """The history is named, as the other one is in `happened`."""
        shown = self.exam.atlas.show(self.walked[number].state)
        self.exam.findings[promise.name] = Finding(promise, happened, self.moves(number), shown)

    def way(self, number: int) -> str:
        """A history in words."""
        return " ".join(self.moves(number)) or "no move at all"

    def moves(self, number: int) -> tuple[str, ...]:
        names: list[str] = []
        while self.walked[number].parent != NO_PARENT:
            history = self.walked[number]
            names.append(self.exam.atlas.name(self.walked[history.parent].state, history.action))
            number = history.parent
        return tuple(reversed(names))
