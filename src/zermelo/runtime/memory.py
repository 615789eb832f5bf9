"""Arrays for kernels: of NumPy, or Python's own lists and objects where the kernels are Python."""

from typing import Any

import numpy as np

from zermelo.compiler.game import CompiledGame

__all__ = ["Memory"]

PYTHONS_SHARE = 5  # how many times as much memory Python's objects take


class Memory:
    """The arrays that a backend's kernels work on."""

    def __init__(self, compiled: CompiledGame) -> None:
        self.plain = compiled.backend == "reference"
        self.share = PYTHONS_SHARE if self.plain else 1

    def zeros(self, count: int, kind: Any) -> Any:
        return [kind(0)] * count if self.plain else np.zeros(count, np.dtype(kind))

    def longer(self, array: Any, used: int, count: int) -> Any:
        """An array of so many items with the same beginning."""
        if isinstance(array, np.ndarray):
            longer = np.zeros(count, array.dtype)
            longer[:used] = array[:used]
            return longer
        if isinstance(array, list):
            return array + [type(array[0])(0)] * (count - len(array))
        array.count = count
        return array

    def column(self, records: Any, name: str, first: int, last: int) -> list[Any]:
        """A field of records[first : last]."""
        if isinstance(records, np.ndarray):
            found: list[Any] = records[name][first:last].tolist()
            return found
        return [getattr(records[number], name) for number in range(first, last)]
