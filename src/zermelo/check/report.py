"""What `check` says: the promises that were broken, each with its shortest counterexample, and what was looked at."""

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Finding", "Look", "Promise", "Report"]


@dataclass(frozen=True)
class Promise:
    """One thing that rules promise."""

    name: str  # short and unique: "actions repeat"
    text: str  # one sentence


@dataclass(frozen=True)
class Finding:
    """A broken promise, with the moves that lead to the first state in which it was seen."""

    promise: Promise
    happened: str
    moves: tuple[str, ...] = ()  # names, from the start
    shown: str = ""  # the state, as the game shows it
    place: str = ""  # file:line of the rules, where they raised

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        return {
            "promise": self.promise.name,
            "promised": self.promise.text,
            "happened": self.happened,
            "moves": list(self.moves),
            "state": self.shown,
            "place": self.place or None,
        }

    def text(self) -> str:
        """A few lines for people."""
        lines = [
            f"✗ {self.promise.name}",
            f"  promised  {self.promise.text}",
            f"  happened  {self.happened}",
            f"  moves     {' '.join(self.moves) or '(none: at the start)'}",
        ]
        if self.place:
            lines.append(f"  place     {self.place}")
        if self.shown:
            first, *rest = self.shown.splitlines() or [""]
            lines += [f"  position  {first}", *(f"            {line}" for line in rest)]
        return "\n".join(lines)


@dataclass(frozen=True)
class Look:
    """What was looked at. Nothing beyond it is claimed."""

    states: int = 0  # different states
    depth: int = 0  # every state that can be reached in so many actions was looked at
    exhaustive: bool = False  # every state that can be reached from the start was looked at
    ends: int = 0  # different terminal states
    games: int = 0  # random games played beyond the exhaustive part
    unfinished: int = 0  # of which so many were broken off after `longest` actions
    longest: int = 0  # actions of the longest line that was walked
    histories: int = 0  # looked at for information sets and recall
    solved: int = 0  # states whose exact value was compared

    def text(self) -> str:
        """One line for people."""
        if self.exhaustive:
            words = f"all {self.states:,} states, {self.ends:,} of them ends"
        else:
            words = f"{self.states:,} states ({self.ends:,} ends): all within {self.depth} actions of the start"
            words += f", and {self.games:,} random games" + (f" ({self.unfinished:,} broken off)" if self.unfinished else "")
        words += f"; {self.histories:,} histories" if self.histories else ""
        words += f"; {self.solved:,} states solved" if self.solved else ""
        return words


@dataclass(frozen=True)
class Report:
    """Is this a lawful game, as far as it was checked?"""

    game: str
    findings: tuple[Finding, ...]  # in the order of discovery, at most one a promise
    look: Look
    tested: tuple[Promise, ...]
    untested: tuple[tuple[str, str], ...]  # (promise, why it could not be tested)
    notes: tuple[str, ...]
    seed: int
    speed: tuple[float, float] | None = field(default=None, compare=False)  # positions a second, compiled and interpreted

    def __repr__(self) -> str:
        verdict = "lawful, as far as checked" if self.lawful else ", ".join(finding.promise.name for finding in self.findings)
        return f"Report({self.game}: {verdict}; {self.look.states:,} states)"

    @property
    def lawful(self) -> bool:
        """No promise was seen to be broken."""
        return not self.findings

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        return {
            "lawful": self.lawful,
            "findings": [finding.to_dict() for finding in self.findings],
            "looked": dict(vars(self.look)),
            "tested": [promise.name for promise in self.tested],
            "untested": [{"promise": promise, "reason": reason} for promise, reason in self.untested],
            "notes": list(self.notes),
            "seed": self.seed,
            "speed": dict(zip(("compiled", "interpreted"), map(round, self.speed), strict=True)) if self.speed else None,
        }

    def text(self) -> str:
        """The whole report for people."""
        broken = len(self.findings)
        endless = "; but no end of it was reached" if self.look.states and not self.look.ends else ""
        verdict = f"lawful, as far as checked{endless}" if self.lawful else f"breaks {broken} promise{'s' if broken > 1 else ''}"
        parts = [f"{self.game}: {verdict}.", *(finding.text() for finding in self.findings)]
        lines = [f"looked at   {self.look.text()}", f"tested      {', '.join(promise.name for promise in self.tested) or 'nothing'}"]
        lines += [f"not tested  {promise}: {reason}" for promise, reason in self.untested]
        if self.speed:
            compiled, interpreted = self.speed
            lines.append(f"speed       about {rounded(compiled)} positions a second compiled, {rounded(interpreted)} interpreted")
        lines += [f"note        {note}" for note in self.notes]
        return "\n\n".join([*parts, "\n".join(lines)])


def rounded(rate: float) -> str:
    """A measured rate to one digit."""
    digits = 10 ** max(len(str(int(rate))) - 1, 0)
    return f"{round(rate / digits) * digits:,}"
