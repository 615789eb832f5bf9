"""Matches under way: who sits where, whose turn it is, who watches. All of it lives on the event loop; only searches leave it.

A table belongs to nobody: any browser of the user may watch it and move. It stops thinking when nobody watches, and goes on when somebody
comes back.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from zermelo.draw.description import chain, longest_run
from zermelo.errors import ZermeloError
from zermelo.play.match import Match
from zermelo.play.players import Human, Player, player_text
from zermelo.play.setup import open_position
from zermelo.play.wording import outcome
from zermelo.rules import CHANCE, Game, draw_value, hidden_information
from zermelo.web.bounds import Bounds
from zermelo.web.jobs import Job
from zermelo.web.judging import Point
from zermelo.web.measures import mark_of, seat_name, words_of
from zermelo.web.offers import title_of
from zermelo.web.record import BEGINNING, Record
from zermelo.web.views import board_of, drawn, moves_of, painted, place_of, public_board, taken

if TYPE_CHECKING:
    from zermelo.web.channel import Connection

__all__ = ["Table", "Tables"]

LINES = ("paper", "frame", "go")  # looks of boards on which lines win


@dataclass(eq=False)
class Table:
    """One match."""

    identity: str
    text: str  # the game as it was named
    game: Game
    record: Record
    seats: list[Player]
    random: Random = field(default_factory=Random)
    watchers: "set[Connection]" = field(default_factory=set)
    running: bool = True  # may engines move? False after somebody went back
    thinking: Job | None = None
    judging: list[Job] = field(default_factory=list)  # the moves of the position, and the places of the line
    judgements: dict[int, dict[str, Any]] = field(default_factory=dict)  # move → the worth of what can follow
    graph: dict[int, Point] = field(default_factory=dict)  # move → the value after it
    provisional: set[int] = field(default_factory=set)  # of these, what only a first look has judged
    advice: list[dict[str, Any]] = field(default_factory=list)  # what the equilibrium said of a person's choices
    turned: bool | None = None  # is the board seen from the second player's side? None: from the side of the only person
    clocks: list[float] = field(default_factory=list)  # [seat] seconds used
    turn_began: float = field(default_factory=time.monotonic)
    touched: float = field(default_factory=time.monotonic)
    seat_texts: dict[Player, str] = field(default_factory=dict)  # how the players are written
    values: bool = False  # does somebody want to see every move's value?

    def __post_init__(self) -> None:
        self.clocks = [0.0] * len(self.seats)

    @property
    def secret(self) -> bool:
        return hidden_information(self.game)

    def viewer(self, match: Match) -> int | None:
        """Through whose eyes a hidden game is shown: the person to move, else the only person, else nobody's."""
        people = [seat for seat, player in enumerate(self.seats) if isinstance(player, Human)]
        if not match.over and match.mover in people:
            return match.mover
        return people[0] if len(people) == 1 else None

    def human_turn(self, match: Match) -> bool:
        return not match.over and match.mover != CHANCE and isinstance(self.seats[match.mover], Human)

    def spend(self, mover: int, seconds: float) -> None:
        if 0 <= mover < len(self.clocks):
            self.clocks[mover] += seconds

    def touch(self) -> None:
        self.touched = self.turn_began = time.monotonic()

    def tell_place(self, place: int) -> None:
        """Whoever watches hears the place of its engine in the queue; 0 is at work."""
        for watcher in list(self.watchers):
            watcher.send({"event": "play.place", "table": self.identity, "place": place})

    def state(self) -> dict[str, Any]:
        """Everything a page shows, as plain data."""
        match = self.record.match()
        over = match.over
        mover = None if over else match.mover
        board, text, fault = public_board(self.game, match.state, self.viewer(match), over)
        if board is not None and board["kind"] == "dots" and "boxes" not in board:
            board = painted(self.game, board, [self.record.moves[move] for move in (BEGINNING, *self.record.line())])
        if over and board is not None and board["kind"] == "grid" and board.get("look", LINES[0]) in LINES and self._decided(match):
            board = {"line": longest_run(board["rows"]), **board}
        if over and board is not None and board["kind"] == "hexes" and board.get("edges"):
            board = {"line": chain(board["rows"]), **board}
        hide = self.secret and not over
        return {
            "table": self.identity,
            "game": self.text,
            "title": title_of(self.text, self.game),
            "now": self.record.now,
            "moves": self._moves(hide, match),
            "line": self.record.whole_line(),
            "mover": mover,
            "moverName": "" if mover is None else seat_name(self.game, mover),
            "human": self.human_turn(match),
            "legal": [] if over else moves_of(match, hide, self.human_turn(match)) if self.human_turn(match) or not hide else [],
            "picture": drawn(board, self.side),
            "taken": taken(board_of(self.game, self.record.beginning.state), board),
            "fault": fault,
            "last": {} if hide else self._last_place(board),
            "turned": self.side,
            "flipped": self.turned,
            "text": text,
            "over": over,
            "outcome": self._outcome(match) if over else "",
            "seats": [self._seat(seat) for seat in range(self.game.players)],
            "clocks": list(self.clocks),
            "running": self.running,
            "thinking": self.thinking is not None,
            "values": self.values,
            "secret": self.secret,
            "position": "" if hide else self._position(),
            "graph": self.points(),
            "unsure": self.unsure(),
            "advice": self.advice,
            "judgement": self.judgements.get(self.record.now),
        }

    def _decided(self, match: Match) -> bool:
        """Has somebody won?"""
        payoffs = match.payoffs()
        return len(set(payoffs)) > 1

    def _moves(self, hide: bool, match: Match) -> list[dict[str, Any]]:
        """The tree of moves; names of moves that a player may not have seen are left out."""
        viewer = self.viewer(match)
        listed = []
        for number, move in enumerate(self.record.moves):
            unseen = hide and move.mover != viewer
            listed.append({"id": number, "parent": move.parent, "name": "…" if unseen else move.name, "mover": move.mover})
        return listed

    def _last_place(self, board: dict[str, Any] | None) -> dict[str, Any]:
        """Where on the board the last move went."""
        now = self.record.moves[self.record.now]
        before = board_of(self.game, self.record.moves[now.parent].state) if now.parent >= 0 else None
        return {} if before is None or board is None else place_of(before, board, now.mover)

    @property
    def side(self) -> bool:
        """Is the board seen from the second player's side?"""
        people = [seat for seat, player in enumerate(self.seats) if isinstance(player, Human)]
        return people == [1] if self.turned is None else self.turned

    def _position(self) -> str:
        """The moves for the page's address; empty where the match began from a board that no list of moves tells."""
        fits = self.record.beginning.actions or self.record.beginning.state == self.game.start()
        return self.record.text() if fits else ""

    def _seat(self, seat: int) -> dict[str, Any]:
        player = self.seats[seat]
        if player not in self.seat_texts:
            self.seat_texts[player] = player_text(player)
        return {"name": seat_name(self.game, seat), "player": self.seat_texts[player], "human": isinstance(player, Human)}

    def points(self) -> list[list[Any] | None]:
        """The graph of the value through the game."""
        return [self.point(move) for move in (BEGINNING, *self.record.whole_line())]

    def unsure(self) -> int:
        """How many of its points are still to be looked at; there are none where chance moves on."""
        line = self.record.whole_line()
        chosen = (place for place, move in zip((BEGINNING, *line), line, strict=False) if self.record.moves[move].mover != CHANCE)
        return sum(place not in self.graph or place in self.provisional for place in chosen)

    def point(self, move: int) -> list[Any] | None:
        """A point of the graph: value, whether it is exact, share of the bar, what should be played, what the move gave away."""
        parent = self.record.moves[move].parent
        known, above = self.graph.get(move), self.graph.get(parent)
        if known is None:
            return None
        unsure = above is None or not self.provisional.isdisjoint((move, parent))
        return [*known, "" if above is None or unsure else mark_of(above.share, known.share, self.record.moves[move].mover)]

    def _outcome(self, match: Match) -> str:
        game, payoffs = self.game, match.payoffs()
        if game.players == 2 and game.total is not None:
            words = "draw" if payoffs[0] == draw_value(game) else words_of(game, payoffs[0], True, None)
        else:
            words = outcome(game, payoffs[0] if game.players == 1 else payoffs, seat_name)
        return f"{words[0].upper()}{words[1:]}."


class Tables:
    """All matches; the longest unwatched one gives way where there are too many."""

    def __init__(self, bounds: Bounds, stop: Callable[[Job], object]) -> None:
        self.bounds, self.stop = bounds, stop
        self.open: dict[str, Table] = {}

    def find(self, identity: str) -> Table:
        if identity not in self.open:
            raise ZermeloError("This match is gone, perhaps because the workbench was started anew: it begins again from its address.")
        return self.open[identity]

    def make(self, text: str, game: Game, moves: str | None, seats: list[Player]) -> Table:
        """A new match from a position."""
        self._make_room()
        place = open_position(game, moves)
        record = Record(game, open_position(game, None) if place.actions else place, self.bounds.record)
        for action in place.actions:
            record.play(action)
        table = Table(secrets.token_urlsafe(9), text, game, record, seats)
        self.open[table.identity] = table
        return table

    def _make_room(self) -> None:
        now = time.monotonic()
        unwatched = sorted((table for table in self.open.values() if not table.watchers), key=lambda table: table.touched)
        for table in unwatched:
            if now - table.touched <= self.bounds.idle and len(self.open) < self.bounds.tables:
                break
            self.close(table)
        if len(self.open) >= self.bounds.tables:
            raise ZermeloError(f"{self.bounds.tables:,} matches are being watched already: close some of their pages first.")

    def close(self, table: Table) -> None:
        for job in (table.thinking, *table.judging):
            if job is not None:
                self.stop(job)
        self.open.pop(table.identity, None)
