"""What can go wrong: every error says in one sentence what is wrong and what to do. The command line prints it and exits with 2."""

__all__ = ["RulesError", "ZermeloError"]


class ZermeloError(Exception):
    """Something the user can put right; the message is one clear sentence."""


class RulesError(ZermeloError):
    """The rules of a game break a promise of the interface, or cannot be used in the way that was asked for.

    `file` and `line` name the user's own line where one is to blame.
    """

    def __init__(self, reason: str, file: str | None = None, line: int | None = None) -> None:
        self.reason, self.file, self.line = reason, file, line
        super().__init__(f"{file}:{line}: {reason}" if file and line else reason)
