"""A look at a game's states from the start, breadth first, within a budget: what `properties` may call verified."""

from dataclasses import dataclass, field
from typing import Any

from zermelo.rules import CHANCE, Game, State, ask, has, legal_actions, payoff_vector

__all__ = ["Exploration", "explore"]


@dataclass
class Exploration:
    """What was seen. Where `complete`, every state that can be reached was looked at."""

    states: int = 0
    terminals: int = 0
    complete: bool = True
    chance: bool = False  # a state in which chance moves was seen
    movers: set[int] = field(default_factory=set)
    totals: set[Any] = field(default_factory=set)  # sums of the payoffs of all players, at the ends seen
    tuples: bool = False  # some end gave a tuple of payoffs, so that their sum can be wrong
    hidden: bool = False  # two states were seen in which the player to move knows the same
    returns: bool = False  # a state was seen that can come back
    longest: int | None = None  # actions of the longest game; None where states return, or not everything was seen


MOVES = 5  # followed for each state of the limit, once it is certain that not all states will be seen


def explore(game: Game, limit: int = 10_000) -> Exploration:
    """Looks at up to `limit` states."""
    seen = Exploration()
    start = game.start()
    numbers: dict[State, int] = {start: 0}
    queue: list[State] = [start]
    below: list[list[int]] = []
    known: set[Any] = set()
    followed = 0
    for state in queue:  # the queue grows while it is read
        look(game, state, seen, known)
        below.append([])
        if not seen.complete and followed > MOVES * limit:
            continue
        for action in legal_actions(game, state):
            followed += 1
            child = game.result(state, action)
            if child not in numbers:
                if len(queue) >= limit:
                    seen.complete = False
                    continue
                numbers[child] = len(queue)
                queue.append(child)
            below[-1].append(numbers[child])
    seen.states = len(queue)
    longest = longest_path(below)
    seen.returns = longest is None
    seen.longest = longest if seen.complete else None
    return seen


def look(game: Game, state: State, seen: Exploration, known: set[Any]) -> None:
    """Notes what one state shows; `known` holds what movers knew before."""
    if game.terminal(state):
        seen.terminals += 1
        seen.totals.add(sum(payoff_vector(game, state)))
        seen.tuples |= isinstance(game.utility(state), tuple)
        return
    player = game.player(state)
    seen.chance |= player == CHANCE
    seen.movers.add(player)
    if player != CHANCE and has(game, "information"):
        knows = (player, ask(game, "information", state, player))
        seen.hidden |= knows in known
        known.add(knows)


def longest_path(below: list[list[int]]) -> int | None:
    """Edges of the longest path from node 0 in a graph whose nodes can all be reached from there; None where it has a cycle."""
    arrivals = [0] * len(below)
    for children in below:
        for child in children:
            arrivals[child] += 1
    if arrivals[0]:
        return None
    depth = [0] * len(below)
    ready = [0]
    for node in ready:  # grows while it is read: a node follows when all its predecessors are done
        for child in below[node]:
            depth[child] = max(depth[child], depth[node] + 1)
            arrivals[child] -= 1
            if not arrivals[child]:
                ready.append(child)
    return max(depth) if len(ready) == len(below) else None
