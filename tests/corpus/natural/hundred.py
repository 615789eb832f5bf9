"""Can I win? Call numbers that were not called; who brings the sum to the goal wins. The called numbers are a bit mask."""
from dataclasses import dataclass
from zermelo import Game


@dataclass(frozen=True)
class Hundred(Game):
    largest: int = 7
    goal: int = 18

    def start(self):
        return 0

    def numbers(self, mask):
        return [i + 1 for i in range(self.largest) if mask >> i & 1]

    def player(self, mask):
        return bin(mask).count("1") & 1

    def actions(self, mask):
        return [i + 1 for i in range(self.largest) if not mask & (1 << i)]

    def result(self, mask, number):
        return mask | 1 << (number - 1)

    def total_of(self, mask):
        total, i = 0, 1
        while mask:
            mask, bit = divmod(mask, 2)
            total += i * bit
            i += 1
        return total

    def terminal(self, mask):
        return self.total_of(mask) >= self.goal or mask == (1 << self.largest) - 1

    def utility(self, mask):
        if self.total_of(mask) < self.goal:
            return 0
        return 1 if self.player(mask) else -1
