"""Zermelo: write the rules of a game once, in plain Python, and get every answer its tree holds.

>>> import zermelo
>>> zermelo.best("tictactoe", "0142", backend="reference").action
8
"""

import sys as _sys
from importlib import import_module as _import_module
from pathlib import Path as _Path
from types import ModuleType as _ModuleType
from typing import Any as _Any

__version__ = "0.2.0"


def _homes() -> dict[str, str]:
    """Where each public name lives, read from the stub: a name is loaded when it is first used, so that `import zermelo` stays light."""
    lines = _Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8").splitlines()
    return {words[3]: words[1] for words in map(str.split, lines) if words[:1] == ["from"]}


_HOMES = _homes()
__all__ = [*sorted(_HOMES), "__version__"]


def __getattr__(name: str) -> _Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Subpackage(_ModuleType):
    """A subpackage that is also the function of its name, in calls and in `help`: `zermelo.solve(game)` and `zermelo.solve.strong`."""

    def __call__(self, *arguments: _Any, **options: _Any) -> _Any:
        return __getattr__(self.__name__.removeprefix("zermelo."))(*arguments, **options)

    def __getattr__(self, name: str) -> _Any:
        word = self.__name__.removeprefix("zermelo.")
        if name == "__signature__":
            from inspect import signature

            return signature(__getattr__(word))
        if name == "__all__":
            return [word]
        if name == word:
            return __getattr__(word)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), self.__name__.removeprefix("zermelo.")})


class _Package(_ModuleType):
    def __setattr__(self, name: str, value: _Any) -> None:
        if name in _HOMES and isinstance(value, _ModuleType):  # the import system announces a subpackage
            value.__class__ = _Subpackage
        super().__setattr__(name, value)


_sys.modules[__name__].__class__ = _Package
