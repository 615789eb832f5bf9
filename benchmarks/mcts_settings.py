"""Which settings of Monte Carlo tree search win? Each plays against the same opponent, in pairs of games.

    python benchmarks/mcts_settings.py [--pairs N] [--playouts N] [--opponent C] [--only WORD …] [--store FILE]
    python benchmarks/mcts_settings.py --store FILE --pairs 0      prints what a store holds

Both sides make the same number of playouts a move; benchmarks/mcts_policies.py gives them the same time. Every opening, two random moves,
is played twice with sides swapped; a pair of games is one sample, so that an opening that is won for one side says nothing. The error bar
is two standard errors of the mean of the pairs. Seeds are fixed: a run can be repeated exactly. With a store a run goes on where the last
one ended, one more round of pairs for every setting and game at a time.
"""

import argparse
import json
import math
import random
import statistics
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zermelo import Game
from zermelo.games.breakthrough import Breakthrough
from zermelo.games.connect4 import ConnectFour
from zermelo.games.mnk import MNK
from zermelo.games.othello import Othello
from zermelo.rules import State, has, legal_actions, payoff_vector
from zermelo.search.montecarlo.mcts import MCTS

BASE = MCTS(selection="uct", exploration=0.7)  # the opponent in all rows, unless another is asked for, and what every row changes
DEFAULT: dict[str, Any] = {"selection": "auto", "exploration": None}
GAMES: dict[str, Game] = {
    "5,5,4": MNK(5, 5, 4),
    "Connect Four": ConnectFour(),
    "Othello 6 × 6": Othello(6),
    "Breakthrough 6 × 6": Breakthrough(6, 6),
}
CHANGES: dict[str, dict[str, Any]] = {
    "itself": {},
    "the default": DEFAULT,
    "the default, half by evaluate": {**DEFAULT, "epsilon": 0.5},
    "the default, random playouts": {**DEFAULT, "policy": "random"},
    "the default, 2/3 random playouts": {**DEFAULT, "policy": "random", "share": 2 / 3},
    "exploration 0.1": {"exploration": 0.1},
    "exploration 0.2": {"exploration": 0.2},
    "exploration 0.3": {"exploration": 0.3},
    "exploration 0.35": {"exploration": 0.35},
    "exploration 0.4": {"exploration": 0.4},
    "exploration 0.5": {"exploration": 0.5},
    "exploration 0.7": {"exploration": 0.7},
    "exploration 1": {"exploration": 1.0},
    "exploration 1.4": {"exploration": 1.4},
    "no proof": {"solver": False},
    "no proof, exploration 1": {"solver": False, "exploration": 1.0},
    "final value": {"final": "value"},
    "final secure": {"final": "secure"},
    "the tree is kept": {"reuse": True},
    "transpositions": {"transpositions": True},
    "urgency 0": {"urgency": 0.0},
    "urgency 0.2": {"urgency": 0.2},
    "RAVE": {"rave": 0},
    "GRAVE 50": {"rave": 50},
    "GRAVE 50, exploration 0.2": {"rave": 50, "exploration": 0.2},
    "PUCT, equal priors": {"selection": "puct"},
    "PUCT, priors from order": {"selection": "puct", "priors": "order"},
    "PUCT, priors from evaluate": {"selection": "puct", "priors": "evaluate"},
    "PUCT 1.4, priors from evaluate": {"selection": "puct", "priors": "evaluate", "exploration": 1.4},
    "the same, temperature 0.05": {"selection": "puct", "priors": "evaluate", "exploration": 1.4, "temperature": 0.05},
    "the same, playouts by evaluate": {"selection": "puct", "priors": "evaluate", "exploration": 1.4, "policy": "evaluate"},
    "PUCT 2, priors from evaluate": {"selection": "puct", "priors": "evaluate", "exploration": 2.0},
    "the same, temperature 0.2": {"selection": "puct", "priors": "evaluate", "exploration": 2.0, "temperature": 0.2},
    "PUCT 3, priors from evaluate": {"selection": "puct", "priors": "evaluate", "exploration": 3.0},
    "progressive bias 0.5": {"bias": 0.5},
    "progressive bias 2": {"bias": 2.0},
    "playouts by order": {"policy": "order"},
    "playouts by evaluate": {"policy": "evaluate"},
    "cut-off after 10": {"cutoff": 10},
    "no playouts, evaluate": {"cutoff": 0},
}
ROUND = 10  # pairs
Samples = dict[str, list[float]]  # setting and game → points of the changed side in each pair, from 0 to 1


@dataclass
class Side:
    """One side of one game: a search, which may keep its tree from move to move."""

    game: Game
    algorithm: MCTS
    reuse: bool
    seed: int

    def __post_init__(self) -> None:
        self.kept = replace(self.algorithm, seed=self.seed).keep(self.game) if self.reuse else None

    def move(self, state: State, ply: int) -> int:
        """The move it chooses."""
        found = self.kept.search(state) if self.kept else replace(self.algorithm, seed=self.seed + ply).search(self.game, state)
        assert found.action is not None
        return found.action


def changed(switches: dict[str, Any], playouts: int) -> tuple[MCTS, bool]:
    """The search of a row, which may have a share of the playouts only, and whether it keeps its tree."""
    reuse, share = bool(switches.get("reuse", False)), switches.get("share", 1)
    settings = {name: value for name, value in switches.items() if name not in ("reuse", "share")}
    return replace(BASE, playouts=int(share * playouts), **settings), reuse


def points(game: Game, opening: State, sides: tuple[Side, Side]) -> float:
    """What the first player gets from an opening on: 1 for a win, 1/2 for a draw."""
    state, ply = opening, 0
    while not game.terminal(state):
        state, ply = game.result(state, sides[game.player(state)].move(state, ply)), ply + 1
    mine, theirs = payoff_vector(game, state)
    return 0.5 if mine == theirs else float(mine > theirs)


def pair(game: Game, switches: dict[str, Any], opponent: MCTS, number: int) -> float:
    """What the changed side gets in two games from one opening, one with each colour, from 0 to 1."""
    moves, opening = random.Random(number), game.start()
    for _ in range(2):
        opening = game.result(opening, moves.choice(legal_actions(game, opening)))
    assert opponent.playouts is not None
    algorithm, reuse = changed(switches, opponent.playouts)
    total = 0.0
    for colour in range(2):
        seed = 4_000 * number + 2_000 * colour
        mine, theirs = Side(game, algorithm, reuse, seed), Side(game, opponent, False, seed + 1_000)
        total += points(game, opening, (mine, theirs)) if colour == 0 else 1 - points(game, opening, (theirs, mine))
    return total / 2


def possible(game: Game, switches: dict[str, Any]) -> bool:
    """Have the rules what a setting asks for?"""
    asked = {str(switches[name]) for name in ("policy", "priors") if name in switches} - {"random", "auto"}
    if "bias" in switches or switches.get("cutoff") is not None:
        asked.add("evaluate")
    return all(has(game, rule) for rule in asked)


def run(rounds: int, pairs: int, opponent: MCTS, only: list[str], samples: Samples, store: Path | None) -> None:
    """More pairs for every setting and game."""
    for _ in range(rounds):
        for name, switches in CHANGES.items():
            for title, game in GAMES.items():
                if possible(game, switches) and (not only or any(word in name for word in only)):
                    seen = samples.setdefault(f"{name} | {title}", [])
                    seen += [pair(game, switches, opponent, len(seen) + number) for number in range(pairs)]
            if store is not None:
                store.write_text(json.dumps(samples))


def cell(seen: list[float]) -> str:
    """The mean of pairs with two standard errors."""
    if not seen:
        return "–"
    error = 2 * statistics.stdev(seen) / math.sqrt(len(seen)) if len(seen) > 1 else 0.5
    return f"{statistics.mean(seen):.3f} ± {error:.3f}"


def table(samples: Samples, opponent: MCTS) -> None:
    """Every setting against the same opponent."""
    counts = {len(seen) for seen in samples.values()}
    least, most = min(counts), max(counts)
    print(
        f"share of points against UCT with proof, exploration {opponent.exploration}, {opponent.playouts:,} playouts; ± two standard errors"
    )
    print(f"{least} to {most} pairs of games a setting and game")
    print(f"{'':34}" + "".join(f"{title:>22}" for title in GAMES) + f"{'all':>22}")
    for name in CHANGES:
        rows = [samples.get(f"{name} | {title}", []) for title in GAMES]
        if any(rows):
            print(f"{name:34}" + "".join(f"{cell(row):>22}" for row in (*rows, [each for row in rows for each in row])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--playouts", type=int, default=1_000)
    parser.add_argument(
        "--opponent", type=float, default=BASE.exploration, metavar="C", help="the exploration of UCT, against whom all play"
    )
    parser.add_argument("--only", nargs="*", default=[], help="settings whose names have one of these words")
    parser.add_argument("--store", type=Path)
    given = parser.parse_args()
    samples: Samples = json.loads(given.store.read_text()) if given.store and given.store.exists() else {}
    whole, rest = divmod(given.pairs, ROUND)
    opponent = replace(BASE, exploration=given.opponent, playouts=given.playouts)
    run(whole, ROUND, opponent, given.only, samples, given.store)
    run(1 if rest else 0, rest, opponent, given.only, samples, given.store)
    if not samples:
        parser.error("there is nothing to show: no such setting, or no pairs")
    table(samples, opponent)


if __name__ == "__main__":
    main()
