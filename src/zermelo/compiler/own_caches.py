"""Caches that rules keep by hand: a dict outside a function, in which it looks before it works something out.

    def ways(total, largest):
        if (total, largest) in KNOWN:
            return KNOWN[total, largest]
        ...
        KNOWN[total, largest] = answer
        return answer

Without the dict the function gives the same, so it is compiled without, and remembered as one under `functools.cache`. A dict counts as
such a cache of a function only where all that the function does with it is this, under one key, which holds all arguments in use.
"""

import ast
import copy
from types import CodeType, FunctionType
from typing import Any

from zermelo.compiler.source import read_function
from zermelo.errors import RulesError

__all__ = ["caches_of", "without_caches"]

found: dict[CodeType, frozenset[str]] = {}


def without_caches(node: ast.FunctionDef, function: FunctionType) -> ast.FunctionDef:
    """The function's text without such dicts; `cached` is set on it where it had any."""
    for name, value in names_of(function).items():
        if type(value) is not dict:
            continue
        remover = Remover(name, node)
        changed = remover.visit(remover.copy)
        if remover.stores and remover.all_seen() and remover.has_all_arguments():
            changed.cached = True
            return without_caches(changed, function)
    return node


def caches_of(function: FunctionType) -> frozenset[str]:
    """The names of a function that are such dicts."""
    code = function.__code__
    if code not in found:
        dicts = {name for name, value in names_of(function).items() if type(value) is dict}
        found[code] = frozenset()
        if dicts:
            try:
                text = read_function(function)
            except RulesError:
                return found[code]
            left = {each.id for each in ast.walk(without_caches(text, function)) if isinstance(each, ast.Name)}
            used = {each.id for each in ast.walk(text) if isinstance(each, ast.Name)}
            found[code] = frozenset(dicts & used - left)
    return found[code]


def names_of(function: FunctionType) -> dict[str, Any]:
    """The names from outside that a function uses."""
    code = function.__code__
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    names = {name: function.__globals__[name] for name in code.co_names if name in function.__globals__}
    return names | {name: cell.cell_contents for name, cell in cells.items() if has_value(cell)}


def has_value(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


class Remover(ast.NodeTransformer):
    """Takes one dict out of a function."""

    def __init__(self, name: str, node: ast.FunctionDef) -> None:
        self.name, self.local = name, f"what {name} has"
        self.keys: set[str] = set()
        self.stores = 0
        self.copy: ast.FunctionDef = copy.deepcopy(node)

    def note(self, key: ast.expr) -> None:
        self.keys.add(ast.dump(key))
        self.key = key

    def is_item(self, node: ast.AST | None) -> bool:
        """Is this an item of the dict?"""
        match node:
            case ast.Subscript(ast.Name(name), key) if name == self.name:
                self.note(key)
                return True
        return False

    def visit_If(self, node: ast.If) -> Any:
        match node:
            case ast.If(ast.Compare(key, [ast.In()], [ast.Name(name)]), [ast.Return(item)], []) if name == self.name and self.is_item(item):
                self.note(key)
                return None
            case ast.If(ast.Compare(key, [ast.NotIn()], [ast.Name(name)]), body, []) if name == self.name:
                self.note(key)
                return [part for each in body for part in listed(self.visit(each))]
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        kept = [each for each in node.targets if not self.is_item(each)]
        if len(kept) < len(node.targets):
            self.stores += 1
            node.targets = [*kept, ast.copy_location(ast.Name(self.local, ast.Store()), node)]
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        if isinstance(node.ctx, ast.Load) and self.is_item(node):
            return ast.copy_location(ast.Name(self.local, ast.Load()), node)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        match node:
            case ast.Call(ast.Attribute(ast.Name(name), "get"), [key], []) if name == self.name:
                self.note(key)
                return ast.copy_location(ast.Constant(None), node)
        return self.generic_visit(node)

    def all_seen(self) -> bool:
        """Is the dict used for nothing else, and under one key?"""
        return len(self.keys) == 1 and not any(isinstance(each, ast.Name) and each.id == self.name for each in ast.walk(self.copy))

    def has_all_arguments(self) -> bool:
        """Are all arguments that are used in the key, as they were given?"""
        arguments = self.copy.args
        given = {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        given |= {each.arg for each in (arguments.vararg, arguments.kwarg) if each is not None}
        key: ast.AST = self.key
        stores = [each for each in ast.walk(self.copy) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
        if isinstance(key, ast.Name) and key.id not in given:
            made = [each.value for each in ast.walk(self.copy) if isinstance(each, ast.Assign) and is_name(each.targets, key.id)]
            if len(made) != 1 or sum(each.id == key.id for each in stores) != 1:
                return False
            key = made[0]
        inside = {each.id for each in ast.walk(key) if isinstance(each, ast.Name)}
        used = {each.id for each in ast.walk(self.copy) if isinstance(each, ast.Name)} & given
        return used <= inside and not any(each.id in given for each in stores) and plain_key(key)


def plain_key(key: ast.AST) -> bool:
    """Do different arguments have different keys? Only names side by side have for certain."""
    match key:
        case ast.Name():
            return True
        case ast.Tuple(items):
            return all(map(plain_key, items))
        case ast.Call(ast.Name("tuple" | "frozenset"), [ast.Name()], []):
            return True
        case ast.Call(ast.Name("tuple" | "frozenset"), [ast.Call(ast.Attribute(ast.Name(), "items"), [], [])], []):
            return True
    return False


def is_name(targets: list[ast.expr], name: str) -> bool:
    return len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name


def listed(found: Any) -> list[Any]:
    """What a visit gives for one statement, as a list."""
    return found if isinstance(found, list) else [] if found is None else [found]
