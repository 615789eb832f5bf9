"""Chosen outcomes of chance: the deals that a picture of a card game shows, and no others."""

from collections.abc import Sequence

from zermelo.errors import ZermeloError, nearest

__all__ = ["Wanted"]


class Wanted:
    """Texts such as "Q J": names of outcomes from the root on, separated by spaces or commas; behind the last one everything is wanted.

    Nodes ask from the root downwards.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = tuple(text.strip(" ,") for text in texts)
        if "" in self.texts:
            raise ZermeloError("An outcome of chance to be drawn needs a name.")
        self._read: dict[int, dict[int, int]] = {0: dict.fromkeys(range(len(self.texts)), 0)}  # node → text → letters of it so far
        self._met = [0] * len(self.texts)  # letters of each text that some node has answered to
        self._offered: dict[int, list[str]] = {}  # text → the outcomes where it went no further

    def among(self, node: int, chance: bool, children: Sequence[tuple[int, str]]) -> list[int]:
        """The children that are wanted, given as (child, name of the action)."""
        if not self.texts:
            return [child for child, _ in children]
        read = self._read[node]
        if not chance:
            for child, _ in children:
                self._read[child] = read
            return [child for child, _ in children]
        kept = []
        for child, name in children:
            follows = {text: end for text, begin in read.items() if (end := self._follow(text, begin, name)) is not None}
            if follows:
                self._read[child] = follows
                kept.append(child)
        self._remember(read, [name for _, name in children])
        return kept

    def judge(self) -> None:
        """Refuse a text to which no outcome answers."""
        for number, text in enumerate(self.texts):
            if self._met[number] == len(text):
                continue
            if number not in self._offered:
                raise ZermeloError(f"Chance does nothing that could be {text!r} in what is drawn: leave that out, or draw more.")
            asked = text[self._met[number] :].strip(" ,")
            raise ZermeloError(f"Chance has no outcome {asked!r} there: {nearest(asked, self._offered[number])}")

    def _follow(self, text: int, begin: int, name: str) -> int | None:
        """Where a text goes on behind this outcome; None where it wants another one."""
        words = self.texts[text]
        if begin == len(words):
            return begin
        end = begin + len(name)
        if not words.startswith(name, begin) or (end < len(words) and words[end] not in " ,"):
            return None
        while end < len(words) and words[end] in " ,":
            end += 1
        self._met[text] = max(self._met[text], end)
        return end

    def _remember(self, read: dict[int, int], names: list[str]) -> None:
        for text, begin in read.items():
            if begin == self._met[text] and begin < len(self.texts[text]):
                self._offered[text] = names
