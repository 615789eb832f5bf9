"""Memory of functions under `functools.cache` that call themselves: a table of what they gave, in compiled code.

An entry is the words of a result and, for each word of the arguments, that word mixed with the result. Threads share the table without
locks: an entry that two of them wrote at once belongs to no arguments. The next entry of the same number takes its place.
"""

from collections.abc import Iterator
from typing import Any

from zermelo.compiler.types import Type

__all__ = ["Memo"]

BITS = 14  # 2^14 entries
MOST_WORDS = 6  # of arguments, and of a result
ODD = 0x9E3779B97F4A7C15 - (1 << 64)
SALT = 0x2545F4914F6CDD1D
WORDS = {"i64": 1, "i1": 1, "double": 1, "i128": 2, "i256": 4}  # that registers take


class Memo:
    """The table of one function; `c` writes the function."""

    def __init__(self, c: Any, name: str, kind: Type, arguments: list[tuple[str, str]]) -> None:
        """`arguments` are registers: (type, name)."""
        self.c, self.kind = c, kind
        self.keys = [word for each in arguments for word in self.words(*each)]
        self.width = sum(WORDS[register] for register in c.registers(kind)) + len(self.keys)
        self.table = f"@memo.{name}.{self.width}"
        c.module.declarations.add(f"{self.table} = internal global [{self.width << BITS} x i64] zeroinitializer, align 8")
        number = "0"
        for key in self.keys:
            number = self.scrambled(c.op(f"xor i64 {number}, {key}"))
        row = c.op(f"mul i64 {c.op(f'lshr i64 {number}, {64 - BITS}')}, {self.width}")
        self.entry = c.op(f"getelementptr i64, ptr {self.table}, i64 {row}")

    @staticmethod
    def fits(c: Any, kinds: list[Type], result: Type | None) -> bool:
        """Can arguments and result of these types be words?"""
        registers = [register for kind in kinds for register in c.registers(kind)]
        results = c.registers(result) if result is not None else []
        return all(
            each and all(one in WORDS for one in each) and sum(map(WORDS.__getitem__, each)) <= MOST_WORDS for each in (registers, results)
        )

    def words(self, register: str, name: str) -> list[str]:
        """A register's value as words, the lowest first."""
        if register == "i64":
            return [name]
        if WORDS[register] == 1:
            return [self.c.op(f"zext i1 {name} to i64" if register == "i1" else f"bitcast double {name} to i64")]
        parts = [self.c.op(f"lshr {register} {name}, {64 * number}") for number in range(WORDS[register])]
        return [self.c.op(f"trunc {register} {part} to i64") for part in parts]

    def register(self, register: str, words: Iterator[str]) -> str:
        """The value that words stand for."""
        if WORDS[register] == 1:
            word = next(words)
            return (
                word if register == "i64" else self.c.op(f"trunc i64 {word} to i1" if register == "i1" else f"bitcast i64 {word} to double")
            )
        value = "0"
        for number in range(WORDS[register]):
            part = self.c.op(f"shl {register} {self.c.op(f'zext i64 {next(words)} to {register}')}, {64 * number}")
            value = self.c.op(f"or {register} {value}, {part}")
        return value

    def scrambled(self, word: str) -> str:
        product = self.c.op(f"mul i64 {word}, {ODD}")
        return str(self.c.op(f"xor i64 {product}, {self.c.op(f'lshr i64 {product}, 32')}"))

    def mixture(self, words: list[str]) -> str:
        """A number that tells results apart; of an empty entry it is none that arguments have."""
        mixed = str(SALT)
        for word in words:
            mixed = self.scrambled(self.c.op(f"xor i64 {mixed}, {word}"))
        return mixed

    def places(self) -> Iterator[str]:
        for number in range(self.width):
            yield self.c.offset(self.entry, 8 * number)

    def recall(self) -> None:
        """Return what is known; go on where nothing is."""
        c, registers = self.c, self.c.registers(self.kind)
        words = [c.op(f"load atomic i64, ptr {place} monotonic, align 8") for place in self.places()]
        found, kept = words[: self.width - len(self.keys)], words[self.width - len(self.keys) :]
        mixed, known = self.mixture(found), "true"
        for word, key in zip(kept, self.keys, strict=True):
            there = c.op(f"xor i64 {word}, {mixed}")
            known = c.op(f"and i1 {known}, {c.op(f'icmp eq i64 {there}, {key}')}")
        hit, on = c.new("known"), c.new("unknown")
        c.branch(known, hit, on)
        c.at(hit)
        rest = iter(found)
        names = [self.register(register, rest) for register in registers]
        c.store("%out", self.kind, c.build(self.kind, iter(names)))
        c.ret()
        c.at(on)

    def remember(self, value: Any) -> None:
        """Keep a result."""
        c = self.c
        words = [word for each in zip(c.registers(self.kind), c.names(value, self.kind), strict=True) for word in self.words(*each)]
        mixed = self.mixture(words)
        words += [c.op(f"xor i64 {key}, {mixed}") for key in self.keys]
        for place, word in zip(self.places(), words, strict=True):
            c.emit(f"store atomic i64 {word}, ptr {place} monotonic, align 8")
