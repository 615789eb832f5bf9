"""Packages whose names are loaded when they are first used, so that a command starts without what it does not need."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["lazily"]


def lazily(package: str, homes: dict[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package: each name with the module of the package that has it."""

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return load
