"""Self-play that learns, in plain Python: on any game, and step by step what `learn/learning_kernel.py` does."""

import math
from typing import Any

from zermelo.errors import RulesError
from zermelo.learn.practice import BLIND, HAND, Layout, Practice
from zermelo.rules import MAX, Action, Game, State, ask, draw_value, has, legal_actions, simple_payoff
from zermelo.search.montecarlo.splitmix import SplitMix, stream
from zermelo.weights import payoff_range

__all__ = ["ReferenceTrainer"]

BEYOND = 2.0  # every value


class Line:
    """What a search found: the value, the first action of the best line, and its last state."""

    __slots__ = ("action", "leaf", "over", "value")

    def __init__(self, value: float, action: Action | None, leaf: State, over: bool) -> None:
        self.value, self.action, self.leaf, self.over = value, action, leaf, over


class ReferenceTrainer:
    """See `Trainer`."""

    backend = "reference"

    def __init__(self, game: Game, layout: Layout, practice: Practice) -> None:
        self.game, self.layout, self.practice = game, layout, practice
        self.middle, self.half = payoff_range(game)
        self.steps = layout.steps(practice.rate)
        self.played = 0
        self.weights, self.net, self.gross = ([0.0] * layout.weights for _ in range(3))

    def memory(self) -> dict[str, Any]:
        return {"weights": list(self.weights), "net": list(self.net), "gross": list(self.gross)}

    def restore(self, played: int, memory: dict[str, Any]) -> None:
        self.played = played
        self.weights, self.net, self.gross = ([float(number) for number in memory[name]] for name in ("weights", "net", "gross"))

    # --- values

    def scaled(self, payoff: float) -> float:
        """Max's payoff, from -1 to 1."""
        return (float(payoff) - self.middle) / self.half

    def judged(self, state: State, judge: str) -> float:
        """The value that an evaluation gives a state."""
        if judge == HAND:
            return self.scaled(ask(self.game, "evaluate", state))
        total = 0.0
        for place, amount in self.layout.describe(self.game, state):
            total += self.weights[place] * amount
        return math.tanh(total)

    def moves(self, state: State) -> list[Action]:
        legal = legal_actions(self.game, state)
        if not legal:
            raise RulesError(f"{type(self.game).__name__} gives no actions in {state!r}, where the game is not over.")
        return legal

    def visit(self, state: State, depth: int, low: float, high: float, word: int, judge: str) -> Line:
        """The value of a state, `depth` actions deep, exact inside the window; with a random `word` chance decides between equals."""
        game = self.game
        if game.terminal(state):
            return Line(self.scaled(simple_payoff(game, state)), None, state, True)
        if depth == 0:
            return Line(self.judged(state, judge), None, state, False)
        player, legal = game.player(state), self.moves(state)
        if word:
            shuffle(legal, word)
        elif has(game, "order"):
            legal.sort(key=lambda action: -ask(game, "order", state, action))
        best = Line(-BEYOND if player == MAX else BEYOND, None, state, False)
        for action in legal:
            found = self.visit(game.result(state, action), depth - 1, low, high, 0, judge)
            if found.value > best.value if player == MAX else found.value < best.value:
                best = Line(found.value, action, found.leaf, found.over)
                if player == MAX:
                    low = max(low, best.value)
                else:
                    high = min(high, best.value)
                if low >= high:
                    break
        return best

    # --- learning

    def train(self, games: int) -> None:
        for game in range(self.played, self.played + games):
            trail, outcome = self.self_play(SplitMix(stream(self.practice.seed, game)))
            self.learn(trail, outcome)
            self.played = game + 1

    def self_play(self, random: SplitMix) -> tuple[list[tuple[Line, bool]], float]:
        """One game: what was found at each move, with whether the move was one at random, and the outcome."""
        game, practice = self.game, self.practice
        state = game.start()
        opening = random.below(practice.opening + 1)
        trail: list[tuple[Line, bool]] = []
        for ply in range(practice.longest + 1):
            if game.terminal(state):
                return trail, self.scaled(simple_payoff(game, state))
            if ply == practice.longest:
                break
            word = random.draw()
            if ply < opening:
                legal = self.moves(state)
                action = legal[((word >> 32) * len(legal)) >> 32]
            else:
                found = self.visit(state, practice.depth, -BEYOND, BEYOND, word, "")
                assert found.action is not None
                action = found.action
                if practice.method == "td":
                    found = Line(self.judged(state, ""), action, state, False)
                stray = random.fraction() < practice.exploration
                chance = random.draw()
                if stray:
                    legal = self.moves(state)
                    shuffle(legal, word)
                    action = legal[((chance >> 32) * len(legal)) >> 32]
                trail.append((found, stray))
            state = game.result(state, action)
        return trail, self.scaled(draw_value(game))

    def learn(self, trail: list[tuple[Line, bool]], outcome: float) -> None:
        """Moves weights so that each value comes nearer to those that followed."""
        error, following = 0.0, outcome
        for found, stray in reversed(trail):
            if stray:
                error = 0.0  # what follows a move at random says nothing about best play
            else:
                error = following - found.value + self.practice.decay * error
                if not found.over:
                    self.learn_from(found.leaf, error * (1.0 - found.value * found.value))
            following = found.value

    def learn_from(self, state: State, signal: float) -> None:
        """Moves all weights that count in a state. A step shrinks where earlier changes have cancelled out."""
        for place, amount in self.layout.describe(self.game, state):
            change = signal * amount
            coherence = abs(self.net[place]) / self.gross[place] if self.gross[place] > 0 else 1.0
            self.weights[place] += self.steps[place] * coherence * change
            self.net[place] += change
            self.gross[place] += abs(change)

    # --- matches and choices

    def contest(self, pairs: int, seed: int, plies: int, judges: tuple[str, str], depth: int) -> list[float]:
        scores = []
        for pair in range(pairs):
            random = SplitMix(stream(seed, pair))
            opening = self.opening(random, plies)
            for seat in (0, 1):
                score = self.duel(opening, judges if seat == 0 else judges[::-1], depth, random)
                scores.append(score if seat == 0 else 1.0 - score)
        return scores

    def opening(self, random: SplitMix, plies: int) -> State:
        """A state after so many moves at random; fewer where the game would be over."""
        state = self.game.start()
        for _ in range(plies):
            legal = self.moves(state)
            following = self.game.result(state, legal[random.below(len(legal))])
            if self.game.terminal(following):
                break
            state = following
        return state

    def duel(self, state: State, seats: tuple[str, str], depth: int, random: SplitMix) -> float:
        """Max's score of one game."""
        for _ in range(self.practice.longest):
            if self.game.terminal(state):
                payoff, draw = simple_payoff(self.game, state), draw_value(self.game)
                return 1.0 if payoff > draw else 0.0 if payoff < draw else 0.5
            judge, word = seats[self.game.player(state)], random.draw()
            if judge == BLIND:
                legal = self.moves(state)
                action: Any = legal[((word >> 32) * len(legal)) >> 32]
            else:
                action = self.visit(state, depth, -BEYOND, BEYOND, word, judge).action
            state = self.game.result(state, action)
        return 0.5

    def choose(self, states: list[State], judge: str, depth: int) -> tuple[list[int], list[float]]:
        found = [self.visit(state, depth, -BEYOND, BEYOND, 0, judge) for state in states]
        return [line.action or 0 for line in found], [line.value for line in found]


def shuffle(legal: list[Action], word: int) -> None:
    """Puts actions into a random order."""
    random = SplitMix(word)
    for last in range(len(legal) - 1, 0, -1):
        place = random.below(last + 1)
        legal[place], legal[last] = legal[last], legal[place]
