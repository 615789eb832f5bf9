"""Event-sourced counter duel: state rebuilt with **kwargs from dict(), validators as decorators."""
from dataclasses import dataclass, fields, asdict
from functools import wraps
from zermelo import Game

@dataclass(frozen=True)
class S:
    red: int = 5
    blue: int = 5
    turn: int = 0
    clock: int = 0
    def update(self, **changes):
        d = {f.name: getattr(self, f.name) for f in fields(self)}
        d.update(changes)
        return S(**d)

def ticking(f):
    @wraps(f)
    def inner(self, s, a):
        out = f(self, s, a)
        return out.update(clock=s.clock + 1, turn=1 - s.turn)
    return inner

class Counters(Game):
    def start(self): return S()
    def player(self, s): return s.turn
    def actions(self, s):
        return [a for a in ("steal", "build", "wreck") if not (a == "steal" and min(s.red, s.blue) == 0)]
    @ticking
    def result(self, s, a):
        mine, theirs = ("red", "blue") if s.turn == 0 else ("blue", "red")
        if a == "steal":
            return s.update(**{mine: getattr(s, mine) + 1, theirs: getattr(s, theirs) - 1})
        if a == "build":
            return s.update(**{mine: getattr(s, mine) + 2 - s.clock % 2})
        return s.update(**{theirs: max(0, getattr(s, theirs) - 2)})
    def terminal(self, s): return s.clock >= 6
    def utility(self, s): return s.red - s.blue
