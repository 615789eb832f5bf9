"""Part of kernel templates: information sets, found by what a player knows.

sets     [set]    in the order of first sight; the first free one is where a key is laid down
slots    [slot]   a hash table: number of a set + 1, or 0; a power of two
"""

from zermelo.runtime.random_kernel import hash_of, hashed
from zermelo.runtime.vocabulary import INFORMATION, Array, Ints, Record, as_int, ints, part


class KnownSet(Record):
    """An information set; a template adds its own fields."""

    player: int
    known: Ints = ints(INFORMATION)


@part
def same(one: KnownSet, other: KnownSet) -> bool:
    """Do both players know the same?"""
    equal = one.player == other.player
    for i in range(INFORMATION):
        equal = equal and one.known[i] == other.known[i]
    return equal


@part
def slot_of(wanted: KnownSet, slots: Ints, sets: Array[KnownSet]) -> int:
    """The slot of a set, or the empty slot where it belongs."""
    mask = len(slots) - 1
    slot = as_int(hashed(hash_of(wanted.known, INFORMATION), wanted.player)) & mask
    while slots[slot] != 0 and not same(sets[slots[slot] - 1], wanted):
        slot = slot + 1 & mask
    return slot
