"""Lists, sets and dicts that were there before the rules ran: compiled code holds them as they are, so nothing may change them."""

import collections
import contextlib
import copy
import types
from collections.abc import Iterable, Iterator
from typing import Any

from zermelo.compiler.faults import Shared
from zermelo.compiler.own_caches import caches_of

__all__ = ["CONTAINERS", "containers", "unchanged"]

CONTAINERS = (list, set, dict, collections.deque)


def containers(roots: Iterable[Any]) -> list[Any]:
    """All that can be changed and that is reached from objects, through the functions among them too."""
    seen: dict[int, Any] = {}
    waiting = list(roots)
    while waiting:
        each = waiting.pop()
        if id(each) not in seen and isinstance(each, (*CONTAINERS, tuple, types.FunctionType, types.MethodType)):
            seen[id(each)] = each
            waiting += within(each)
    return [each for each in seen.values() if isinstance(each, CONTAINERS)]


def within(item: Any) -> list[Any]:
    if isinstance(item, dict):
        return [*item.keys(), *item.values()]
    if isinstance(item, types.MethodType):
        return [item.__func__]
    if not isinstance(item, types.FunctionType):
        return list(item)
    free = zip(item.__code__.co_freevars, item.__closure__ or (), strict=True)
    cells = [cell.cell_contents for name, cell in free if cell != types.CellType() and name not in caches_of(item)]
    own = caches_of(item)
    used = [item.__globals__[name] for name in names_in(item.__code__) if name in item.__globals__ and name not in own]
    return [*cells, *used, *(item.__defaults__ or ()), *(item.__kwdefaults__ or {}).values()]


def names_in(code: types.CodeType) -> set[str]:
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return set(code.co_names).union(*map(names_in, inner))


@contextlib.contextmanager
def unchanged(roots: Iterable[Any]) -> Iterator[None]:
    """While something is worked out that may change what it reaches: undone then, and the rules have no compiled form."""
    before = [(each, copy.copy(each)) for each in containers(roots)]
    yield
    changed = [(each, kept) for each, kept in before if not same(each, kept)]
    for each, kept in changed:
        each.clear()
        (each.extend if isinstance(each, list | collections.deque) else each.update)(kept)
    if changed:
        raise Shared


def same(one: Any, other: Any) -> bool:
    """Do two containers of one kind hold the very same objects?"""
    if len(one) != len(other):
        return False
    if isinstance(one, dict):
        one, other = within(one), within(other)
    return all(a is b for a, b in zip(one, other, strict=True)) or (isinstance(one, set) and one == other)
