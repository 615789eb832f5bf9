"""Simultaneous moves with string information, sample with random."""
from typing import NamedTuple, Optional
from zermelo import Game
class RPSState(NamedTuple):
    score: int = 0
    round: int = 1
    pending: Optional[str] = None
BEATS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}
class RPS(Game):
    """Best of two rounds; scissors count double."""
    def start(self):
        return RPSState()
    def player(self, s):
        return 0 if s.pending is None else 1
    def actions(self, s):
        return ("rock", "paper", "scissors")
    def result(self, s, a):
        if s.pending is None:
            return s._replace(pending=a)
        mine, theirs = s.pending, a
        gain = 0
        if (mine, theirs) in BEATS:
            gain = 2 if mine == "scissors" else 1
        elif (theirs, mine) in BEATS:
            gain = -2 if theirs == "scissors" else -1
        return RPSState(s.score + gain, s.round + 1)
    def terminal(self, s):
        return s.round > 2
    def utility(self, s):
        return s.score
    def information(self, s, player):
        return (s.score, s.round) + ((s.pending,) if player == 0 else ())
    def sample(self, s, player, random):
        if player == 1 and s.pending is not None:
            return s._replace(pending=random.choice(["rock", "paper", "scissors"]))
        return s
