"""What learning is worth: the Elo of learned weights against the game's own evaluation, at equal nodes, and the share of best moves.

    python benchmarks/learning.py [--game NAME] [--games N] [--match N] [--nodes N] [--plot FILE]

Tic-tac-toe comes first: learned weights that look two moves ahead must never lose, whatever the opponent does. What was measured is in
docs/theory/learning.md.
"""

import argparse
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from zermelo.draw.learning_plot import plot_learning
from zermelo.learn import Learner, Learning, Practice
from zermelo.learn.truth import least_payoff
from zermelo.play.arena import Tournament
from zermelo.play.arena.rating import expected
from zermelo.registry import find
from zermelo.rules import Action, Game, State
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.weights import learned, write_weights

LESSONS = [  # game, cells of patterns beside the features, games of self-play
    ("connect4", 0, 40_000),
    ("connect4", 4, 40_000),
    ("othello(size=6)", 0, 40_000),
    ("othello(size=6)", 4, 40_000),
    ("breakthrough", 0, 40_000),
    ("breakthrough", 4, 40_000),
]


def two_moves_ahead(judging: Game) -> Callable[[State], Action]:
    """A player who judges by the game's `evaluate` and looks two moves ahead."""

    @cache
    def chosen(state: State) -> Action:
        action = AlphaBeta(depth=2, textbook=True, backend="reference").search(judging, state).action
        assert action is not None
        return action

    return chosen


def never_loses() -> None:
    """Tic-tac-toe, both seats, every reply."""
    game = find("tictactoe")
    for seed in range(3):
        found = Learner(Practice(opening=2, seed=seed), games=5_000, patterns=3, pairs=0, truths=0).learn(game, "tictactoe")
        chosen = two_moves_ahead(learned(game, found.weights))
        results = [least_payoff(game, seat, chosen) for seat in (0, 1)]
        print(f"tictactoe, seed {seed}: {found.games:,} games in {found.seconds:.2f} s; the worst results are {results}")
        assert min(results) >= 0, "the learned weights lose a game"


def lesson(name: str, patterns: int, games: int, match: int, nodes: int, truths: int) -> Learning:
    """Learns, plays a match at equal nodes, and prints both."""
    found = Learner(Practice(), games=games, patterns=patterns, measures=6, pairs=100, truths=truths).learn(find(name), name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "learned.weights"
        write_weights(found.weights, path)
        players = [f"deepening(nodes={nodes}, weights={str(path)!r})", f"deepening(nodes={nodes})"]
        outcome = Tournament(name, players, games=match, seed=1).run()
    assert not outcome.forfeits(), outcome.forfeits()[0].reason
    duel, first, last = outcome.duel, found.curve[0], found.curve[-1]
    assert duel is not None
    print(
        f"{name:18}{patterns:>9}{found.games:>8,}{found.seconds:>9.1f}{duel.elo:>7.0f}{duel.low:>7.0f}{duel.high:>7.0f}"
        f"{match:>7}{share(first.optimal):>9}{share(last.optimal):>8}{share(found.optimal_by_hand):>8}{found.positions:>6}",
        flush=True,
    )
    return found


def share(number: float | None) -> str:
    return "" if number is None else f"{number:.0%}"


def curves(lessons: dict[str, Learning], path: Path) -> None:
    """The scores against the game's own evaluation, one curve a lesson."""
    scores = {
        f"evaluate, {label}": [
            (point.games, duel.score, expected(duel.low), expected(duel.high))
            for point in found.curve
            if (duel := point.duels.get("evaluate")) is not None
        ]
        for label, found in lessons.items()
    }
    plot_learning(scores, [], path, "Learned weights against evaluate, both look two moves ahead")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", help="only this game")
    parser.add_argument("--games", type=int, help="of self-play")
    parser.add_argument("--match", type=int, default=200, help="games at equal nodes")
    parser.add_argument("--nodes", type=int, default=1_000)
    parser.add_argument("--truths", type=int, default=60, help="solved positions")
    parser.add_argument("--plot", type=Path)
    wanted: Any = parser.parse_args(arguments)
    never_loses()
    columns = f"{'game':18}{'patterns':>9}{'games':>8}{'seconds':>9}{'Elo':>7}{'low':>7}{'high':>7}{'match':>7}"
    print(f"{columns}  best moves before, after, by hand, of")
    found = {}
    for name, patterns, games in LESSONS:
        if wanted.game in (None, name):
            label = f"{name}{', patterns' if patterns else ''}"
            found[label] = lesson(name, patterns, wanted.games or games, wanted.match, wanted.nodes, wanted.truths)
    if wanted.plot is not None:
        curves(found, wanted.plot)


if __name__ == "__main__":
    main()
