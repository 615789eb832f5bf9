"""Trees ⇄ JSON text and files. `zermelo.trees.data` describes the entries; rationals are kept as strings such as "1/3"."""

import json
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.formats.gambit import require_readable
from zermelo.trees.data import Repeated, tree_from_data, tree_to_data
from zermelo.trees.exact_numbers import exact_number, require_size
from zermelo.trees.tree import Tree

__all__ = ["read_tree", "tree_from_json", "tree_to_json", "write_tree"]


def tree_from_json(text: str, name: str = "the text") -> Tree:
    """The tree that JSON text describes; a ZermeloError says what is wrong, with line and column where the JSON is broken."""
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_int=_whole, parse_float=_real)
    except json.JSONDecodeError as fault:
        raise ZermeloError(
            f"{name} is not JSON: {fault.msg[0].lower()}{fault.msg[1:]} in line {fault.lineno}, column {fault.colno}."
        ) from None
    except ValueError as fault:
        raise ZermeloError(f"{name} has a number that cannot be used: {fault}.") from None
    except RecursionError:
        raise ZermeloError(f'{name} is nested too deeply; name the nodes under "nodes" and refer to them by {{"node": NAME}}.') from None
    return tree_from_data(data)


def tree_to_json(tree: Tree, indent: int | None = 2) -> str:
    """JSON text of a tree; `tree_from_json` is its inverse."""
    return json.dumps(tree_to_data(tree), indent=indent, ensure_ascii=False) + "\n"


def read_tree(path: str | Path) -> Tree:
    """The tree in a JSON file."""
    path = Path(path)
    try:
        require_readable(path)
        text = path.read_text(encoding="utf-8-sig")
    except OSError as fault:
        raise ZermeloError(f"{path} cannot be read: {fault.strerror or fault}.") from None
    except UnicodeDecodeError:
        raise ZermeloError(f"{path} is not JSON: it is not UTF-8 text.") from None
    return tree_from_json(text, str(path))


def write_tree(tree: Tree, path: str | Path) -> None:
    """A tree into a JSON file."""
    try:
        Path(path).write_text(tree_to_json(tree), encoding="utf-8")
    except OSError as fault:
        raise ZermeloError(f"{path} cannot be written: {fault.strerror or fault}.") from None


def _whole(text: str) -> int:
    value = exact_number(text)
    assert isinstance(value, int)  # JSON's own grammar says so
    return value


def _real(text: str) -> float:
    value = float(text)
    require_size(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; one with a key that stands twice is marked, because Python's reader would drop the first."""
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    keys = [key for key, _ in pairs]
    repeated = Repeated(fields)
    repeated.keys_twice = tuple(key for key in fields if keys.count(key) > 1)
    return repeated
