"""Basic blocks of LLVM text, and branches that are cheaper not taken."""

import re
from collections import Counter
from collections.abc import Callable

__all__ = ["APPENDED", "Block", "straightened"]

APPENDED = " ; appended"  # marks the lines that write an item, and say by how much the end moves
MOST_STRAIGHTENED = 24  # lines that are done needlessly to save a branch
LABEL = re.compile(r"label %([\w.]+)")
BRANCH = re.compile(r"br i1 (%t\d+), label %([\w.]+), label %([\w.]+)$")
JUMP = re.compile(r"br label %([\w.]+)$")
HARMLESS = re.compile(  # neither reads what may not be there, nor writes, nor stops
    r"%t\d+ = (?:(?:add|sub|mul|and|or|xor|shl|lshr|ashr|zext|sext|trunc|icmp|select|getelementptr)\b"
    r"|load \w+, ptr %a\d+$|[su](?:div|rem) i64 %t\d+, [1-9]\d*$)"
)


class Block:
    """A basic block under way; `closed` where it has its last line."""

    __slots__ = ("closed", "label", "lines", "placed")

    def __init__(self, label: str) -> None:
        self.label, self.closed, self.placed = label, False, False
        self.lines: list[str] = []


def straightened(blocks: list[Block], fresh: Callable[[], str]) -> list[Block]:
    """The blocks of a function without branches on whether an item is appended: it is always written, and the end moves where it counts.

    Which cells of a board are free is as good as random, and a branch that cannot be foreseen costs more than the work that it saves.
    """
    labelled = {block.label: block for block in blocks}
    uses = Counter(label for block in blocks for label in LABEL.findall(block.lines[-1]))
    gone: set[str] = set()
    for block in reversed(blocks):
        while (branch := BRANCH.match(block.lines[-1])) is not None:
            flag, yes, no = branch.groups()
            passed = way(yes, no, labelled, uses) or []
            if not passed and (passed := way(no, yes, labelled, uses) or []):
                flag, yes, no = fresh(), no, yes
                block.lines.insert(-1, f"{flag} = xor i1 {branch[1]}, true")
            if not passed:
                break
            block.lines.pop()
            for line in (line for each in passed for line in each.lines[:-1]):
                if line.endswith(APPENDED) and "zext" in line:
                    counts = fresh()
                    known = line.split()[4]
                    block.lines.append(f"{counts} = select i1 {flag}, i1 {known}, i1 false")
                    line = line.replace(f"i1 {known}", f"i1 {counts}")
                block.lines.append(line)
            block.lines.append(f"br label %{no}")
            gone.update(each.label for each in passed)
            uses[no] -= 1
    return [block for block in blocks if block.label not in gone]


def way(start: str, end: str, labelled: dict[str, Block], uses: Counter[str]) -> list[Block] | None:
    """The blocks from one label to another, if they only append, and nothing else leads there."""
    passed: list[Block] = []
    while start != end:
        block = labelled.get(start)
        jump = JUMP.match(block.lines[-1]) if block is not None and uses[start] == 1 else None
        if block is None or jump is None:
            return None
        passed.append(block)
        start = jump[1]
    lines = [line for block in passed for line in block.lines[:-1]]
    appends = any(line.endswith(APPENDED) for line in lines)
    harmless = all(line.endswith(APPENDED) or HARMLESS.match(line) for line in lines)
    return passed if appends and harmless and len(lines) <= MOST_STRAIGHTENED else None
