"""2048: the greatest chance of ever making each tile, by two routes that share nothing.

    python benchmarks/tiles.py [--quick]

The first route is the product's own: `Layers` on the rules of `zermelo.games.twenty48`, boards up to symmetry. The second is written here
and knows no rules but these lines: boards packed into one number, slides by table, every board *after* a slide by itself, without
symmetry. Both go backwards over boards of the same worth: a slide keeps the worth of all tiles, a new tile adds 2 or 4 to it. Every
answer is asserted, against each other and against figures that were counted independently. `--quick` leaves out the tiles of 3 × 3 cells
above 32.
"""

import sys
import time
from math import isclose
from typing import Any

import numpy as np

from zermelo.compiler.array_kernels import Floats, Integers, kernel
from zermelo.games.twenty48 import Twenty48
from zermelo.search.chance.layers import Layers

KNOWN = {  # counted independently
    (2, 2): {8: 1.0, 16: 0.96251125375, 32: 0.082887289072, 64: 0.0},
    (3, 3): {256: 0.995709643199, 512: 0.736774177023, 1024: 0.011337880083},
}
SEEDED = np.uint64(0x9E3779B97F4A7C15)


# --- the second route: a board is a number with four bits a cell, the first row lowest; a cell holds the power of 2 of its tile


@kernel
def slid_row(row: int, length: int) -> int:
    """The row after a slide to its lowest cell."""
    out, filled, last = 0, 0, 0
    for step in range(length):
        tile = row >> (4 * step) & 15
        if tile == 0:
            continue
        if tile == last:
            out += 1 << (4 * (filled - 1))
            last = 0
        else:
            out |= tile << (4 * filled)
            filled += 1
            last = tile
    return out


@kernel
def fill_slides(length: int, table: Integers) -> None:
    """[row] → the row after a slide to its lowest cell, and after one to its highest."""
    for row in range(len(table)):
        table[row, 0] = slid_row(row, length)
        back, mirrored = 0, 0
        for step in range(length):
            mirrored |= (row >> (4 * step) & 15) << (4 * (length - 1 - step))
        mirrored = slid_row(mirrored, length)
        for step in range(length):
            back |= (mirrored >> (4 * step) & 15) << (4 * (length - 1 - step))
        table[row, 1] = back


@kernel
def turned(board: int, side: int) -> int:
    """Rows become columns."""
    out = 0
    for row in range(side):
        for column in range(side):
            out |= (board >> (4 * (row * side + column)) & 15) << (4 * (column * side + row))
    return out


@kernel
def slid(board: int, direction: int, side: int, slides: Integers) -> int:
    """The board after a slide: 0 left, 1 right, 2 up, 3 down."""
    mask = (1 << (4 * side)) - 1
    lines = turned(board, side) if direction >= 2 else board
    out = 0
    for row in range(side):
        out |= slides[lines >> (4 * side * row) & mask, direction & 1] << (4 * side * row)
    return turned(out, side) if direction >= 2 else out


@kernel
def reaches(board: int, cells: int, power: int) -> bool:
    """Is the goal on the board?"""
    return any(board >> (4 * cell) & 15 >= power for cell in range(cells))


@kernel
def place_of(board: int, slots: Integers) -> int:
    """The place of a board in a table, or the empty one where it belongs; a slot holds board + 1."""
    mask = np.uint64(len(slots) - 1)
    place = (np.uint64(board) * SEEDED >> np.uint64(20)) & mask
    while slots[place] != 0 and slots[place] != board + 1:
        place = (place + np.uint64(1)) & mask
    return int(place)


@kernel
def grown(boards: Integers, tile: int, side: int, slides: Integers, power: int, slots: Integers) -> int:
    """Enters every board that a slide makes after one more tile into a table; how many new ones, or -1 where the table is half full."""
    count = 0
    for slot in slots:
        count += slot != 0
    for board in boards:
        for cell in range(side * side):
            if board >> (4 * cell) & 15 == 0:
                before = board | tile << (4 * cell)
                for direction in range(4):
                    after = slid(before, direction, side, slides)
                    if after != before and not reaches(after, side * side, power):
                        place = place_of(after, slots)
                        if slots[place] == 0:
                            slots[place] = after + 1
                            count += 1
                            if 2 * count > len(slots):
                                return -1
    return count


@kernel
def chances_of(
    boards: Integers,
    side: int,
    slides: Integers,
    power: int,
    slots2: Integers,
    chances2: Floats,
    slots4: Integers,
    chances4: Floats,
    out: Floats,
) -> None:
    """out[board] is the chance to reach the goal, from those of boards that are worth 2 and 4 more."""
    for number, board in enumerate(boards):
        total, free = 0.0, 0
        for cell in range(side * side):
            if board >> (4 * cell) & 15 != 0:
                continue
            free += 1
            for tile in range(1, 3):
                before = board | tile << (4 * cell)
                best = 0.0
                for direction in range(4):
                    after = slid(before, direction, side, slides)
                    if after == before:
                        continue
                    if reaches(after, side * side, power):
                        best = 1.0
                    elif tile == 1:
                        best = max(best, chances2[place_of(after, slots2)])
                    else:
                        best = max(best, chances4[place_of(after, slots4)])
                total += (0.9 if tile == 1 else 0.1) * best
        out[number] = total / free


def layer_after(sources: list[tuple[Any, int]], first: Any, side: int, power: int, slides: Any) -> Any:
    """All boards of one worth, each once: those that a slide makes from the sources with one more tile, and the first ones."""
    room = 1 << 10
    while True:
        slots = np.zeros(room, np.int64)
        for board in first:
            slots[place_of(int(board), slots)] = board + 1
        if all(grown(boards, tile, side, slides, power, slots) >= 0 for boards, tile in sources):
            return np.sort(slots[slots != 0] - 1)
        room *= 4


def layers_of(side: int, power: int, slides: Any) -> dict[int, Any]:
    """{worth: boards}: those after a slide, and those with one tile, with which the game begins."""
    none = np.zeros(0, np.int64)
    layers = {worth: np.array([tile << (4 * cell) for cell in range(side * side)], np.int64) for worth, tile in ((2, 1), (4, 2))}
    worth = 4
    while worth <= 4 or len(layers[worth - 2]) or len(layers[worth - 4]):
        sources = [(layers.get(worth - 2, none), 1), (layers.get(worth - 4, none), 2)]
        layers[worth] = layer_after(sources, layers.get(worth, none), side, power, slides)
        worth += 2
    return layers


def table_of(boards: Any, chances: Any) -> tuple[Any, Any]:
    """Boards and their chances by place."""
    slots = np.zeros(1 << max(4, int(2 * len(boards)).bit_length()), np.int64)
    values = np.zeros(len(slots))
    enter(boards, chances, slots, values)
    return slots, values


@kernel
def enter(boards: Integers, chances: Floats, slots: Integers, values: Floats) -> None:
    """Puts boards and their chances where they belong."""
    for number, board in enumerate(boards):
        place = place_of(board, slots)
        slots[place] = board + 1
        values[place] = chances[number]


def packed(side: int, goal: int) -> tuple[float, int]:
    """The greatest chance of making a tile, and how many boards were looked at."""
    power, slides = goal.bit_length() - 1, np.zeros((1 << (4 * side), 2), np.int64)
    fill_slides(side, slides)
    layers = layers_of(side, power, slides)
    empty = table_of(np.zeros(0, np.int64), np.zeros(0))
    tables: dict[int, tuple[Any, Any]] = {}
    for worth in sorted(layers, reverse=True):
        above = tables.get(worth + 2, empty), tables.get(worth + 4, empty)
        chances = np.zeros(len(layers[worth]))
        chances_of(layers[worth], side, slides, power, *above[0], *above[1], chances)
        tables = {worth: table_of(layers[worth], chances), worth + 2: above[0]}
        if worth == 4:
            fours = mean_of(layers[4], chances, 2)
    return 0.9 * mean_of(layers[2], chances, 1) + 0.1 * fours, sum(map(len, layers.values()))


def mean_of(boards: Any, chances: Any, tile: int) -> float:
    """The mean over the boards with one tile of this kind."""
    alone = [chance for board, chance in zip(boards.tolist(), chances, strict=True) if is_alone(board, tile)]
    return float(np.mean(alone))


def is_alone(board: int, tile: int) -> bool:
    return board.bit_count() == 1 and board in {tile << shift for shift in range(0, 64, 4)}


def main() -> None:
    quick = "--quick" in sys.argv[1:]
    large = () if quick else (64, 128, 256, 512, 1024)
    for side, tiles in ((2, (8, 16, 32, 64)), (3, (8, 16, 32, *large))):
        for goal in tiles:
            began = time.perf_counter()
            found = Layers(backend="compiled").search(Twenty48(side, side, goal))
            middle = time.perf_counter()
            chance, boards = packed(side, goal)
            ended = time.perf_counter()
            assert isclose(found.value, chance, abs_tol=1e-12), (found.value, chance)
            assert isclose(chance, KNOWN[side, side].get(goal, chance), abs_tol=1e-11), chance
            print(f"2048 on {side} × {side}: a {goal} with {chance:.12f}, both ways")
            print(f"    by the rules {found.nodes:,} positions up to symmetry, {middle - began:.1f} s with compiling")
            print(f"    packed {boards:,} boards, {ended - middle:.1f} s")


if __name__ == "__main__":
    main()
