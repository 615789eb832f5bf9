"""What a call of the command line gives to a test."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Done", "Run"]


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


Run = Callable[..., Done]
