"""Backgammon: two dice say how far checkers go; a point with two enemies is closed, a single one there is hit and enters again from the
bar.

Once all are in the last quarter, checkers are borne off; who first has none left wins 1, 2 (gammon: the loser has borne off none) or 3
(backgammon: and has one on the bar or in the winner's home). As many dice as possible are played, the larger one if only one can be.
With `cube` a player may double the stakes before his roll. Source: the rules of backgammon of the US Backgammon Federation (2019).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import CHANCE, MAX, MIN, Game

OFF, BAR, HOME = 0, 25, 6
FIRST, ROLL, MOVE, OFFER, ANSWER = range(5)
STAGES = ("first roll", "roll", "move", "offer", "answer")
PASS = 0
KEEP, DOUBLE = 0, 1
DROP, TAKE = 0, 1
NOBODY = -1
SETUP = {24: 2, 13: 5, 8: 3, 6: 5}
Men = tuple[int, ...]


class Board(NamedTuple):
    """Each player counts points from his own home: 1 to 24, 0 is off the board, 25 the bar. Point p is the other's point 25 - p."""

    men: tuple[Men, Men]  # [player][point] his checkers
    turn: int
    stage: int
    dice: tuple[int, ...] = ()  # that are still to be played, the larger first
    stakes: int = 1
    owner: int = NOBODY  # who may double next; NOBODY: both
    dropped: int = NOBODY  # who has refused a double


@dataclass(frozen=True)
class Backgammon(Game):
    """The whole game, with the doubling cube as an option."""

    cube: bool = False
    highest: int = 64  # stakes that cannot be doubled any more
    seats = ("White", "Black")

    def __post_init__(self) -> None:
        if self.highest < 1:
            raise RulesError(f"Stakes are 1 at least, not {self.highest}.")

    @property
    def payoffs(self) -> tuple[float, float]:
        most = 3 * (self.highest if self.cube else 1)
        return -most, most

    def start(self) -> Board:
        men = tuple(SETUP.get(point, 0) for point in range(26))
        return Board((men, men), MAX, FIRST)

    def player(self, board: Board) -> int:
        return CHANCE if board.stage in (FIRST, ROLL) else board.turn

    def chances(self, board: Board) -> Iterator[tuple[int, int]]:
        """10 × larger + smaller die; the first roll has no doubles, and 100 more where Black has the larger one."""
        for large in range(1, 7):
            for small in range(1, large + 1):
                if board.stage == ROLL:
                    yield 10 * large + small, 1 if large == small else 2
                elif large != small:
                    yield from ((10 * large + small, 1), (100 + 10 * large + small, 1))

    # --- checkers

    def step(self, men: tuple[Men, Men], turn: int, point: int, die: int) -> tuple[Men, Men] | None:
        """The board after a checker has moved; None where it cannot."""
        own, other = list(men[turn]), list(men[1 - turn])
        target = point - die
        if not own[point] or (own[BAR] and point != BAR):
            return None
        if target <= OFF:
            outside = any(own[HOME + 1 :])
            if outside or (target < OFF and any(own[point + 1 : HOME + 1])):
                return None
            target = OFF
        elif other[25 - target] > 1:
            return None
        elif other[25 - target] == 1:
            other[25 - target] = 0
            other[BAR] += 1
        own[point] -= 1
        own[target] += 1
        moved, hit = tuple(own), tuple(other)
        return (moved, hit) if turn == MAX else (hit, moved)

    def most(self, men: tuple[Men, Men], turn: int, dice: tuple[int, ...]) -> int:
        """How many of the dice can be played."""
        best = 0
        for place, die in enumerate(dice):
            if die not in dice[:place]:
                rest = dice[:place] + dice[place + 1 :]
                for point in range(1, 26):
                    after = self.step(men, turn, point, die)
                    if after is not None:
                        best = max(best, 1 + self.most(after, turn, rest))
                        if best == len(dice):
                            return best
        return best

    def steps(self, board: Board) -> list[tuple[int, int]]:
        """(die, point) of every step that leaves as many dice as possible playable."""
        found = []
        for place, die in enumerate(board.dice):
            if die not in board.dice[:place]:
                rest = board.dice[:place] + board.dice[place + 1 :]
                for point in range(25, 0, -1):
                    after = self.step(board.men, board.turn, point, die)
                    if after is not None:
                        found.append((1 + self.most(after, board.turn, rest), die, point))
        most = max((count for count, _, _ in found), default=0)
        best = [(die, point) for count, die, point in found if count == most]
        if most == 1 and len(board.dice) == 2:
            largest = max(die for die, _ in best)
            return [(die, point) for die, point in best if die == largest]
        return best

    # --- the six rules

    def actions(self, board: Board) -> Iterator[int]:
        """30 × die + point, or PASS; KEEP or DOUBLE; DROP or TAKE."""
        if self.terminal(board):
            return
        if board.stage == OFFER:
            yield from (KEEP, DOUBLE)
        elif board.stage == ANSWER:
            yield from (DROP, TAKE)
        elif board.stage == MOVE:
            steps = self.steps(board)
            yield from (30 * die + point for die, point in steps)
            if not steps:
                yield PASS

    def result(self, board: Board, action: int) -> Board:
        if board.stage in (FIRST, ROLL):
            large, small = action % 100 // 10, action % 10
            turn = board.turn if board.stage == ROLL else action // 100
            return board._replace(turn=turn, stage=MOVE, dice=(large,) * 4 if large == small else (large, small))
        if board.stage == OFFER:
            return board._replace(stage=ANSWER, turn=1 - board.turn) if action == DOUBLE else board._replace(stage=ROLL)
        if board.stage == ANSWER:
            if action == DROP:
                return board._replace(dropped=board.turn)
            return board._replace(stage=ROLL, turn=1 - board.turn, stakes=2 * board.stakes, owner=board.turn)
        dice: tuple[int, ...] = ()
        men = board.men
        if action != PASS:
            die, point = divmod(action, 30)
            after = self.step(men, board.turn, point, die)
            if after is None:
                raise ZermeloError(f"No checker can move {die} from point {point}.")
            place = board.dice.index(die)
            men, dice = after, board.dice[:place] + board.dice[place + 1 :]
        if dice and men[board.turn][OFF] < 15:
            return board._replace(men=men, dice=dice)
        return self.next_turn(board._replace(men=men, dice=()))

    def next_turn(self, board: Board) -> Board:
        turn = 1 - board.turn
        offers = self.cube and board.owner in (NOBODY, turn) and 2 * board.stakes <= self.highest
        return board._replace(turn=turn, stage=OFFER if offers else ROLL)

    def terminal(self, board: Board) -> bool:
        return board.dropped != NOBODY or any(men[OFF] == 15 for men in board.men)

    def utility(self, board: Board) -> int:
        winner = 1 - board.dropped if board.dropped != NOBODY else MAX if board.men[MAX][OFF] == 15 else MIN
        loser = board.men[1 - winner]
        worth = 1
        if board.dropped == NOBODY and loser[OFF] == 0:
            worth = 3 if any(loser[25 - HOME :]) else 2
        return board.stakes * worth * (1 if winner == MAX else -1)

    # --- knowledge

    def pips(self, men: Men) -> int:
        """Points that a player's checkers still have to go."""
        return sum(point * count for point, count in enumerate(men))

    def evaluate(self, board: Board) -> float:
        """White's lead in the race, and Black's single checkers that can be hit less White's."""
        race = self.pips(board.men[MIN]) - self.pips(board.men[MAX])
        blots = [sum(count == 1 for count in men[1:25]) for men in board.men]
        return board.stakes * max(-0.9, min(0.9, race / 100 + (blots[MIN] - blots[MAX]) / 40))

    # --- presentation

    def name(self, board: Board, action: int) -> str:
        if board.stage in (FIRST, ROLL):
            who = f"{self.seats[action // 100]} " if board.stage == FIRST else ""
            return f"{who}{action % 100 // 10}-{action % 10}"
        if board.stage == OFFER:
            return ("roll", "double")[action]
        if board.stage == ANSWER:
            return ("drop", "take")[action]
        if action == PASS:
            return "pass"
        die, point = divmod(action, 30)
        return f"{'bar' if point == BAR else point}/{'off' if point <= die else point - die}"

    def show(self, board: Board) -> str:
        """Each player's checkers on his own points, what is to be done, and the stakes."""
        lines = []
        for seat, men in zip(self.seats, board.men, strict=True):
            places = [f"{point}:{men[point]}" for point in range(24, 0, -1) if men[point]]
            lines.append(f"{seat}: {' '.join(places)} bar:{men[BAR]} off:{men[OFF]}")
        dice = f" {'-'.join(map(str, board.dice))}" if board.dice else ""
        owner = "both" if board.owner == NOBODY else self.seats[board.owner]
        dropped = "" if board.dropped == NOBODY else f", {self.seats[board.dropped]} dropped"
        return "\n".join([*lines, f"{self.seats[board.turn]} {STAGES[board.stage]}{dice}, stakes {board.stakes}, cube {owner}{dropped}"])

    def read(self, text: str) -> Board:
        try:
            *rows, last = text.strip().splitlines()
            places = {"bar": BAR, "off": OFF} | {str(point): point for point in range(1, 25)}
            men = []
            for row in rows:
                counts = [0] * 26
                for word in row.partition(":")[2].split():
                    where, _, number = word.partition(":")
                    counts[places[where]] = int(number)
                men.append(tuple(counts))
            now, stakes, owner, *dropped = last.split(", ")
            who, _, what = now.partition(" ")
            stage, _, dice = what.rpartition(" ") if what[-1].isdecimal() else (what, "", "")
            return Board(
                (men[0], men[1]),
                self.seats.index(who),
                STAGES.index(stage),
                tuple(int(die) for die in dice.split("-") if die),
                int(stakes.split()[1]),
                (*self.seats, "both").index(owner.split()[1]) if owner != "cube both" else NOBODY,
                self.seats.index(dropped[0].split()[0]) if dropped else NOBODY,
            )
        except (ValueError, IndexError, KeyError):
            raise ZermeloError(f"This is not a board of backgammon: write it as\n{self.show(self.start())}") from None

    def board(self, board: Board) -> dict[str, Any]:
        """The board as it lies before White, who counts its points."""
        points = []
        for point in range(1, 25):
            white, black = board.men[MAX][point], board.men[MIN][25 - point]
            points.append(["O" if black else "X" if white else "", white or black])
        stakes = {"caption": f"Stakes: {board.stakes}"} if self.cube else {}
        return {
            "kind": "points",
            "points": points,
            "bar": [board.men[MAX][BAR], board.men[MIN][BAR]],
            "off": [board.men[MAX][OFF], board.men[MIN][OFF]],
            "dice": list(board.dice),
            "homeward": True,
            **stakes,
        }
