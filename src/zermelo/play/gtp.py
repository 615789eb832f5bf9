"""The Go Text Protocol, version 2: what a Go program on the other side asks, and what the engine answers. It prints nothing.

A command is a line of words, perhaps with a number in front; an answer is `= …` or `? …` with the same number, and an empty line.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import zermelo
from zermelo.errors import ZermeloError
from zermelo.formats.position import Position
from zermelo.formats.sgf import position_of, read_sgf, write_sgf
from zermelo.games.go import Go
from zermelo.limits import Limits
from zermelo.play.choice import Automatic
from zermelo.play.match import Match
from zermelo.play.players import parse_player
from zermelo.search.montecarlo.mcts import MCTS

__all__ = ["GoConversation"]

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
EPSILON = 0.1  # how often a playout moves at random although it could take or save stones
MOVES_LEFT = 30  # of a game, where a clock has to be shared out


class GoConversation:
    """What a Go program and the engine say to each other."""

    def __init__(self, game: Go, player: str | None = None, seconds: float = 1.0, seed: int | None = None) -> None:
        """`player` is written as on the command line; without it Monte Carlo tree search thinks for so many seconds a move."""
        self.game, self.player, self.seconds, self.random = game, player, seconds, Random(seed)
        self.match = Match(game, Position(game.start()))
        self.words: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "Zermelo",
            "version": lambda _: zermelo.__version__,
            "known_command": lambda words: "true" if words and words[0] in self.words else "false",
            "list_commands": lambda _: "\n".join(self.words),
            "quit": lambda _: "",
            "boardsize": self.set_size,
            "clear_board": lambda _: self.begin(self.game),
            "komi": self.set_komi,
            "play": self.play,
            "genmove": self.generate,
            "reg_genmove": lambda words: self.generate(words, keep=False),
            "undo": lambda _: self.undo(),
            "showboard": lambda _: "\n" + self.game.show(self.match.state),
            "final_score": lambda _: self.score(),
            "time_settings": self.set_time,
            "time_left": self.set_time_left,
            "loadsgf": self.load,
            "printsgf": lambda _: write_sgf(self.game, self.match.beginning.state, self.match.actions).strip(),
        }

    def hear(self, line: str) -> str | None:
        """The answer to a line; empty where there is nothing to answer, None when the conversation is over."""
        words = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.partition("#")[0]).replace("\t", " ").split()
        number = words.pop(0) if words and words[0].isdecimal() else ""
        if not words:
            return ""
        if words[0] not in self.words:
            return f"?{number} unknown command\n"
        try:
            answer = f"={number} {self.words[words[0]](words[1:])}".rstrip(" ") + "\n"
        except ZermeloError as error:
            answer = f"?{number} {error}\n"
        except (IndexError, ValueError, KeyError):
            answer = f"?{number} syntax error\n"
        return answer if words[0] != "quit" else None

    def begin(self, game: Go) -> str:
        self.game = game
        self.match = Match(game, Position(game.start()))
        return ""

    def set_size(self, words: list[str]) -> str:
        try:
            return self.begin(replace(self.game, size=int(words[0])))
        except ZermeloError:
            raise ZermeloError("unacceptable size") from None

    def set_komi(self, words: list[str]) -> str:
        """Changes what the game is worth, and leaves the moves."""
        game = replace(self.game, komi=float(words[0]))
        self.game = self.match.game = game
        return ""

    def play(self, words: list[str]) -> str:
        self.take_turn(COLOURS[words[0].lower()])
        action = self.game.passing if words[1].lower() == "pass" else self.game.square_of(words[1].lower())
        if action not in self.match.legal:
            raise ZermeloError("illegal move")
        self.match.play(action)
        return ""

    def take_turn(self, colour: int) -> None:
        """Lets a colour move; where it is not its turn, the other one passes."""
        if self.match.state.turn != colour:
            if self.match.over:
                raise ZermeloError("illegal move")
            self.match.play(self.game.passing)

    def generate(self, words: list[str], keep: bool = True) -> str:
        self.take_turn(COLOURS[words[0].lower()])
        if self.match.over:
            return "pass"
        action = self.found_by_playouts() if self.player is None else self.chosen(self.player)
        name = self.game.name(self.match.state, action).upper()
        if keep:
            self.match.play(action)
        return "pass" if name == "PASS" else name

    def chosen(self, text: str) -> int:
        """The move of a player that is named."""
        player: Any = parse_player(text)
        if not isinstance(player, Automatic):
            raise ZermeloError(f"{text} cannot move by itself")
        return int(player.choose(self.match, self.random).action)

    def found_by_playouts(self) -> int:
        """The legal move with most playouts. These take and save stones first, fill no eyes, and know simple ko only."""
        here, legal = self.match.state, self.match.legal
        rules = replace(self.game, ko="open")
        search = MCTS(policy="order", epsilon=EPSILON, rave=0, selection="uct", cutoff=2 * rules.squares, seed=self.random.getrandbits(32))
        result = search.search(rules, rules.position(here.cells, here.turn, here.passes, here.ko), limits=Limits(time=self.seconds))
        visits = result.extra["visits"]
        return int(max(legal, key=lambda action: visits.get(rules.name(here, action), 0)))

    def undo(self) -> str:
        if not self.match.actions:
            raise ZermeloError("cannot undo")
        self.match.actions.pop()
        self.match.states.pop()
        return ""

    def score(self) -> str:
        lead = self.game.area(self.match.state.cells) - self.game.komi
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"

    def set_time(self, words: list[str]) -> str:
        """Seconds for the game, then seconds for so many stones."""
        whole, period, stones = (int(float(word)) for word in words[:3])
        self.seconds = period / stones if stones else max(whole / MOVES_LEFT, 0.1)
        return ""

    def set_time_left(self, words: list[str]) -> str:
        left, stones = float(words[1]), int(words[2])
        self.seconds = max(0.05, left / (stones or MOVES_LEFT) - 0.05)
        return ""

    def load(self, words: list[str]) -> str:
        """A record of which so many moves are played, all by default."""
        try:
            record = read_sgf(Path(words[0]).read_text(encoding="utf-8", errors="replace"))
        except OSError:
            raise ZermeloError("cannot load file") from None
        moves = record.moves[: int(words[1]) - 1] if len(words) > 1 else record.moves
        game = replace(self.game, size=record.size, komi=record.komi)
        self.game = game
        self.match = Match(game, position_of(game, replace(record, moves=moves)))
        return ""
