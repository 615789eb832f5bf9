"""Opening books: the positions of the first moves with their values, in the format of databases.

The values come from a database, or from any search that proves them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.rules import Game, State, ask, draw_value, has, legal_actions
from zermelo.runtime.identity import rules_hash
from zermelo.scores import Score
from zermelo.solve.database_format import BY_NUMBER, Entry, Header
from zermelo.solve.database_writer import Codes, write_database
from zermelo.solve.lookup import score_of
from zermelo.solve.numbering import Numbering, Positions, narrowest
from zermelo.solve.retrograde_kernel import ENDLESS
from zermelo.solve.work import packed_score

__all__ = ["openings", "write_book"]

MEMORY = 1 << 28


def openings(game: Game, root: State, plies: int, symmetric: bool) -> list[State]:
    """Every position that at most so many moves lead to, the first one first."""

    def fold(state: State) -> State:
        return ask(game, "canonical", state)[0] if symmetric else state

    frontier = [fold(root)]
    found = dict.fromkeys(frontier)
    for _ in range(plies):
        children = dict.fromkeys(fold(game.result(state, action)) for state in frontier for action in legal_actions(game, state))
        frontier = [state for state in children if state not in found]
        found.update(dict.fromkeys(frontier))
    return list(found)


def write_book(
    game: Game,
    root: State,
    plies: int,
    value: Callable[[State], Entry],
    out: Path,
    name: str,
    numbering: Numbering | None = None,
    progress: Callable[[str], object] | None = None,
) -> int:
    """Writes a book of all positions up to so many moves, each with what `value` says about it; gives how many these are.

    With a numbering the book's positions are those of that database.
    """
    symmetric = has(game, "canonical") if numbering is None else numbering.symmetric
    states = openings(game, root, plies, symmetric)
    numbering = numbering or narrowest(game, states, symmetric)
    positions, draw = Positions(game, numbering), draw_value(game)
    numbers, scores = [], []
    for at, state in enumerate(states):
        number = positions.number(state)
        if number is None:
            raise ZermeloError(f"The position {state!r} has no number in the database that the book is made from.")
        numbers.append(number)
        scores.append(packed(value(state), draw))
        if progress is not None:
            progress(f"{at + 1:,} of {len(states):,} positions")
    columns: Any = np.array(numbers, np.int64), np.array(scores, np.int32)
    codes = Codes.of([columns[1]])
    header = Header(
        game=name,
        rules=rules_hash(game, symmetric),
        content="book",
        numbering=numbering,
        root=numbers[0],
        count=len(numbers),
        scores=codes.entries(draw),
        counts=codes.counts,
        form=BY_NUMBER,
        block=0,
        blocks=0,
        compression="zstd",
        table=0,
    )
    write_database(out, header, [columns], codes, MEMORY)
    return len(numbers)


def packed(entry: Entry, draw: Any) -> int:
    score: Score = score_of(entry)
    return ENDLESS if entry.kind == "draw" else packed_score(score, draw)
