"""Do playouts that follow `evaluate` win when both sides have the same time? Monte Carlo tree search against itself with random playouts.

    python benchmarks/mcts_policies.py [--pairs N] [--playouts N] [--epsilon E …] [--only WORD …] [--store FILE]
    python benchmarks/mcts_policies.py --store FILE --pairs 0      prints what a store holds

Both sides are the default search. One makes so many random playouts a move; the other follows `evaluate` but for a part epsilon of its
moves, and makes fewer playouts, by as much as one of its playouts takes more processor time, measured on positions of random games.
Openings, pairs and error bars are those of benchmarks/mcts_settings.py; dice fall alike in both games of a pair as long as the games agree.
"""

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

from mcts_settings import Side, cell

from zermelo import Game
from zermelo.games.breakthrough import Breakthrough
from zermelo.games.connect4 import ConnectFour
from zermelo.games.dotsandboxes import DotsAndBoxes
from zermelo.games.einstein import EinStein
from zermelo.games.hex import Hex
from zermelo.games.kalah import Kalah
from zermelo.games.othello import Othello
from zermelo.rules import CHANCE, State, chance_weights, legal_actions, payoff_vector
from zermelo.search.montecarlo.mcts import MCTS

GAMES: dict[str, Game] = {
    "Connect Four": ConnectFour(),
    "Othello 6 × 6": Othello(6),
    "Breakthrough 6 × 6": Breakthrough(6, 6),
    "Hex 6 × 6": Hex(6, 6),
    "Kalah": Kalah(),
    "Dots and Boxes 3 × 3": DotsAndBoxes(3, 3),
    "EinStein": EinStein(),
}
POSITIONS, MEASURED = 8, 2_000  # of random games, and playouts in each, by which times are measured
ROUND = 4  # pairs
Record = dict[str, Any]  # "cost": times of one playout beside one that is random; "seen": points of each pair


def happened(game: Game, state: State, chances: random.Random) -> State:
    """The next state in which a player moves, or the end."""
    while not game.terminal(state) and game.player(state) == CHANCE:
        outcomes, weights = zip(*chance_weights(game, state), strict=True)
        state = game.result(state, chances.choices(outcomes, weights)[0])
    return state


def positions(game: Game) -> list[State]:
    """Positions of random games, none near the end."""
    chances, found = random.Random(7), []
    while len(found) < POSITIONS:
        state, line = happened(game, game.start(), chances), []
        while not game.terminal(state):
            line.append(state)
            state = happened(game, game.result(state, chances.choice(legal_actions(game, state))), chances)
        found.append(line[chances.randrange(len(line) * 2 // 3)])
    return found


def seconds_a_playout(game: Game, algorithm: MCTS) -> float:
    """Processor time of one playout, by the faster of two runs."""
    places, runs = positions(game), []
    algorithm.search(game, places[0])  # compiled from here on
    for _ in range(2):
        begun, playouts = time.process_time(), 0
        for place in places:
            playouts += algorithm.search(game, place).extra["playouts"]
        runs.append((time.process_time() - begun) / playouts)
    return min(runs)


def cost(game: Game, epsilon: float) -> float:
    """How many times as long a playout by `evaluate` takes."""
    by_evaluate, by_chance = (
        MCTS(playouts=MEASURED, seed=1, solver=False, policy=policy, epsilon=epsilon) for policy in ("evaluate", "random")
    )
    return seconds_a_playout(game, by_evaluate) / seconds_a_playout(game, by_chance)


def points(game: Game, opening: State, sides: tuple[Side, Side], chances: random.Random) -> float:
    """What the first player gets from an opening on: 1 for a win, 1/2 for a draw."""
    state, ply = opening, 0
    while not game.terminal(state):
        state, ply = happened(game, game.result(state, sides[game.player(state)].move(state, ply)), chances), ply + 1
    mine, theirs = payoff_vector(game, state)
    return 0.5 if mine == theirs else float(mine > theirs)


def pair(game: Game, mine: MCTS, theirs: MCTS, number: int) -> float:
    """What the first search gets in two games from one opening, one with each colour, from 0 to 1."""
    moves = random.Random(number)
    opening = happened(game, game.start(), moves)
    for _ in range(2):
        opening = happened(game, game.result(opening, moves.choice(legal_actions(game, opening))), moves)
    total = 0.0
    for colour in range(2):
        seed = 4_000 * number + 2_000 * colour
        one, other, chances = Side(game, mine, False, seed), Side(game, theirs, False, seed + 1_000), random.Random(number)
        total += points(game, opening, (one, other), chances) if colour == 0 else 1 - points(game, opening, (other, one), chances)
    return total / 2


def run(pairs: int, playouts: int, epsilons: list[float], only: list[str], records: dict[str, Record], store: Path | None) -> None:
    """More pairs for every game and epsilon."""
    while pairs > 0:
        for title, game in GAMES.items():
            for epsilon in epsilons:
                if only and not any(word in title for word in only):
                    continue
                record = records.setdefault(f"{playouts} | {epsilon} | {title}", {})
                if not record:
                    record |= {"cost": cost(game, epsilon), "seen": []}
                mine = MCTS(playouts=max(1, round(playouts / record["cost"])), policy="evaluate", epsilon=epsilon)
                for _ in range(min(ROUND, pairs)):
                    record["seen"].append(pair(game, mine, MCTS(playouts=playouts, policy="random"), len(record["seen"])))
                if store is not None:
                    store.write_text(json.dumps(records))
        pairs -= ROUND


def table(records: dict[str, Record]) -> None:
    """Every game and epsilon that was played."""
    print("points of playouts by evaluate against random ones in the same time; ± two standard errors of the mean of the pairs")
    print(f"{'playouts':>9}{'epsilon':>9}  {'':22}{'cost':>6}{'pairs':>7}{'points':>20}")
    for name, record in sorted(records.items()):
        playouts, epsilon, title = name.split(" | ")
        print(f"{playouts:>9}{epsilon:>9}  {title:22}{record['cost']:6.2f}{len(record['seen']):7}{cell(record['seen']):>20}")
    for group in sorted({name.rpartition(" | ")[0] for name in records}):
        every = [each for name, record in records.items() if name.startswith(f"{group} | ") for each in record["seen"]]
        print(f"all games, {group.replace(' | ', ' playouts, epsilon ')}: {cell(every)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--playouts", type=int, default=1_000)
    parser.add_argument("--epsilon", type=float, nargs="*", default=[0.25, 0.5])
    parser.add_argument("--only", nargs="*", default=[], help="games whose names have one of these words")
    parser.add_argument("--store", type=Path)
    given = parser.parse_args()
    records: dict[str, Record] = json.loads(given.store.read_text()) if given.store and given.store.exists() else {}
    run(given.pairs, given.playouts, given.epsilon, given.only, records, given.store)
    if not records:
        parser.error("there is nothing to show: no such game, or no pairs")
    table(records)


if __name__ == "__main__":
    main()
