"""A trained network as plain arrays, and the file it is kept in.

The file is NumPy's .npz, read without pickle: `about`, JSON as bytes (format, game, hash of the rules, sizes, payoffs, how it was trained),
and the arrays `codes`, `scales` and `actions` of a `Sight`, and `weights`: one float32 array, as forward_kernel.py reads it.
"""

import json
import zipfile
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import ZermeloError, from_json
from zermelo.rules import Game
from zermelo.runtime.array_file import write_arrays
from zermelo.runtime.identity import rules_hash
from zermelo.search.montecarlo.network.inputs import BIT, EQUAL, REAL, TURN, Sight

__all__ = ["Network", "Sizes", "layers", "new_weights", "read_network", "write_network"]

FORMAT = "zermelo network 2"


@dataclass(frozen=True)
class Sizes:
    """Of a network: a first layer, blocks of two layers that are added to the stream, a policy, and a value behind one more layer."""

    inputs: int
    outputs: int
    width: int = 128
    blocks: int = 2
    value_width: int = 32

    def __post_init__(self) -> None:
        if self.width < 1 or self.blocks < 0 or not 1 <= self.value_width <= self.width:
            raise ZermeloError(f"A network has a width of at least 1 and no negative number of blocks, not {self.width} and {self.blocks}.")

    def array(self) -> NDArray[np.int64]:
        """As the kernel reads it."""
        return np.array([self.inputs, self.width, self.blocks, self.outputs, self.value_width], np.int64)


def layers(sizes: Sizes) -> list[tuple[int, int]]:
    """(inputs, outputs) of every layer, in the order in which the weights lie."""
    width = sizes.width
    return [
        (sizes.inputs, width),
        *[(width, width)] * (2 * sizes.blocks),
        (width, sizes.outputs),
        (width, sizes.value_width),
        (sizes.value_width, 1),
    ]


def new_weights(sizes: Sizes, seed: int) -> NDArray[np.float32]:
    """Random matrices that keep the size of what passes through (K. He et al., 2015), no biases; blocks and heads begin quietly."""
    random = np.random.default_rng(seed)
    parts: list[Any] = []
    inner = range(2, 2 * sizes.blocks + 1, 2)  # the second layer of every block
    for number, (count, width) in enumerate(layers(sizes)):
        quiet = 0.1 if number in inner or number > 2 * sizes.blocks else 1.0
        parts += [random.normal(0.0, quiet * np.sqrt(2.0 / count), count * width), np.zeros(width)]
    return np.concatenate(parts).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Network:
    """A network for one game."""

    game: str  # as the command line names it
    rules: str  # hash of the rules that it was trained on
    sight: Sight
    sizes: Sizes
    weights: NDArray[np.float32]
    training: dict[str, Any] = field(default_factory=dict)  # how it was trained: for people to read

    def answer(self, inputs: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Policy and value for rows of inputs, by NumPy: what the kernel calculates for one."""
        shapes = layers(self.sizes)
        cuts = [0, *np.cumsum([(count + 1) * width for count, width in shapes]).tolist()]
        steps = []
        for (count, width), (begin, end) in zip(shapes, pairwise(cuts), strict=True):
            steps.append((self.weights[begin : end - width].reshape(count, width), self.weights[end - width : end]))

        def through(number: int, given: Any) -> Any:
            return given @ steps[number][0] + steps[number][1]

        stream = np.maximum(through(0, inputs), 0)
        for block in range(self.sizes.blocks):
            inner = np.maximum(through(1 + 2 * block, stream), 0)
            stream = np.maximum(stream + through(2 + 2 * block, inner), 0)
        heads = 1 + 2 * self.sizes.blocks
        value = np.tanh(through(heads + 2, np.maximum(through(heads + 1, stream), 0)))
        return through(heads, stream), value[:, 0]


def write_network(network: Network, path: Path) -> None:
    """Writes the file, or replaces it, in one step."""
    sight, sizes = network.sight, network.sizes
    about = {
        "format": FORMAT,
        "game": network.game,
        "rules": network.rules,
        "sizes": vars(sizes),
        "payoffs": [sight.low, sight.high],
        "total": sight.total,
        "symmetric": sight.symmetric,
        "most_actions": sight.most_actions,
        "length": sight.length,
        "training": network.training,
    }
    arrays: dict[str, Any] = {
        "about": np.frombuffer(json.dumps(about).encode(), np.uint8),
        "codes": sight.codes,
        "scales": sight.scales,
        "actions": sight.actions,
        "weights": network.weights,
    }
    write_arrays(path, arrays, "network")


def read_network(path: Path, game: Game) -> Network:
    """The network in a file, if it was trained for these rules. A file that has not changed since is not read again."""
    try:
        stamp = path.stat()
        network = loaded(path, stamp.st_mtime_ns, stamp.st_size)
    except FileNotFoundError:
        raise ZermeloError(f"There is no file {path}: `zermelo train GAME` makes one.") from None
    except IsADirectoryError:
        raise ZermeloError(f"{path} is a folder: give the file of a network.") from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        raise ZermeloError(f"{path} is not the file of a network, or it is damaged ({error}).") from None
    if network.rules != rules_hash(game, network.sight.symmetric):
        raise ZermeloError(f"The network {path} was trained for {network.game}, not for {game!r} as its rules are now.")
    return network


@lru_cache(8)
def loaded(path: Path, changed: int, size: int) -> Network:
    """The network in a file as it was at this time, with this size."""
    with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
        return unpacked({name: file[name] for name in file.files})


def unpacked(arrays: dict[str, Any]) -> Network:
    """The network in the arrays of a file; raises ValueError, KeyError or TypeError where they do not belong together."""
    about = from_json(bytes(arrays["about"]))
    if about["format"] != FORMAT:
        raise ValueError(f"its format is {about['format']!r}")
    sight = Sight(
        np.ascontiguousarray(arrays["codes"], np.int64).reshape(-1, 3),
        np.ascontiguousarray(arrays["scales"], np.float64).reshape(-1, 2),
        np.ascontiguousarray(arrays["actions"], np.int64),
        float(about["payoffs"][0]),
        float(about["payoffs"][1]),
        float(about["total"]),
        bool(about["symmetric"]),
        int(about["most_actions"]),
        float(about["length"]),
    )
    sizes, weights = Sizes(**about["sizes"]), np.ascontiguousarray(arrays["weights"], np.float32)
    expected = sum((count + 1) * width for count, width in layers(sizes))
    if (sizes.inputs, sizes.outputs) != (sight.inputs, sight.outputs) or len(sight.scales) != sight.inputs or weights.shape != (expected,):
        raise ValueError("its sizes do not fit together")
    if not np.isfinite(weights).all() or not np.isfinite(sight.scales).all() or not 0 < sight.half < np.inf:
        raise ValueError("some of its numbers are none")
    kinds, words, numbers = sight.codes.T
    bits = numbers[kinds == BIT]
    if not (np.isin(kinds, (BIT, EQUAL, REAL, TURN)).all() and (words >= 0).all() and ((bits >= 0) & (bits < 64)).all()):
        raise ValueError("its inputs are not known")
    if (np.diff(sight.actions) <= 0).any():
        raise ValueError("its actions are not in order")
    return Network(str(about["game"]), str(about["rules"]), sight, sizes, weights, dict(about["training"]))
