"""Engineers' nim on machine words: xor-shift hashes steer which heaps may be touched. Masked 32-bit arithmetic everywhere."""

from dataclasses import dataclass
from typing import Final

from zermelo import Game

MASK: Final = 0xFFFFFFFF


def xorshift(x: int) -> int:
    x ^= (x << 13) & MASK
    x ^= x >> 17
    x ^= (x << 5) & MASK
    return x & MASK


def popcount(x: int) -> int:
    return bin(x).count("1")


@dataclass(frozen=True)
class Block:
    seed: int
    heaps: bytes
    turn: int = 0


class HashNim(Game):
    def start(self):
        return Block(2463534242, bytes([3, 4, 2]))

    def player(self, block):
        return block.turn & 1

    def actions(self, block):
        step = popcount(block.seed) % 2 + 1
        found = False
        for index, size in enumerate(block.heaps):
            for take in range(1, min(size, step) + 1):
                found = True
                yield index * 16 + take

    def result(self, block, action):
        index, take = divmod(action, 16)
        heaps = bytearray(block.heaps)
        heaps[index] -= take
        return Block(xorshift(block.seed ^ action), bytes(heaps), block.turn + 1)

    def terminal(self, block):
        return not any(block.heaps)

    def utility(self, block):
        return -1 if block.turn % 2 == 0 else 1
