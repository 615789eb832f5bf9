"""A match in the terminal: shows the board, asks people, lets engines and chance move. Rules of the table are in `zermelo.play`."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from zermelo.cli.board import action_at, named_cells
from zermelo.cli.output import note, working
from zermelo.cli.wording import certainty, duration, outcome, plural, verdict
from zermelo.errors import ZermeloError
from zermelo.formats.position import format_moves, listing
from zermelo.play.match import Match, find_action, load, roll, save
from zermelo.play.players import AlgorithmPlayer, Automatic, Choice, Human, Player, RandomMover, default_player, player_text
from zermelo.rules import CHANCE, Action, action_name, ask, has, hidden_information, knowledge, player_name

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Table"]

RETURNS = 3  # how often engines may come back to a state
MOST_MOVES = 2_000  # of a match between engines

HELP = """\
  a move        by its name, one of those shown, or by the row and column of the cell it fills, from 0, such as 1 2
  undo          takes back your last move and all that followed
  hint          what an engine would play
  save FILE     keeps this match in a file
  load FILE     goes on with a match from a file
  quit          leaves the table"""


class Left(Exception):  # noqa: N818 - no error: a person has had enough
    """Somebody has left the table."""


@dataclass
class Table:
    """One match, its players and where it is shown."""

    match: Match
    seats: tuple[Player, ...]
    random: Random
    console: "Console"
    name: str  # of the game, as the user wrote it
    position: str | None = None  # where the match began, as the user wrote it
    people: bool = field(init=False)
    limited: set[str] = field(default_factory=set, init=False)  # engines whose limits were told
    secret: bool = field(init=False)  # people must not see moves that the rules hide from them

    def __post_init__(self) -> None:
        self.people = any(isinstance(seat, Human) for seat in self.seats)
        self.secret = self.people and hidden_information(self.match.game)

    def run(self) -> None:
        """Plays until the end, or until somebody leaves."""
        self.welcome()
        try:
            while not self.match.over and not self.endless():
                self.turn()
        except Left:
            self.console.print("Goodbye." if self.secret else f"Goodbye. {self.so_far()}")
            return
        self.finish()

    def endless(self) -> bool:
        """Do engines among themselves go round, in a game that does not forbid it? (Who learns on the way may come by again.)"""
        match, learns = self.match, any(isinstance(seat, AlgorithmPlayer) and seat.family == "puzzles" for seat in self.seats)
        returned = not learns and match.states.count(match.state) > RETURNS
        return not self.people and (returned or len(match.actions) >= MOST_MOVES)

    def welcome(self) -> None:
        seats = ", ".join(f"{self.who(player)} is {self.called(player)}" for player in range(len(self.seats)))
        self.console.print(f"{self.name}: {seats}.{' Type help to see what you can say.' if self.people else ''}")
        if not self.people:
            self.show()

    def turn(self) -> None:
        """One move of the player to move."""
        mover = self.match.mover
        if mover == CHANCE:
            self.make(roll(self.match.game, self.match.state, self.random), "Chance", "")
            return
        seat = self.seats[mover]
        if isinstance(seat, Automatic):
            with working(f"{player_text(seat)} is thinking"):
                choice = seat.choose(self.match, self.random)
            self.tell_limits(choice)
            self.make(choice.action, f"{self.who(mover)} ({player_text(seat)})", remark(choice))
        else:
            self.ask(mover)

    def tell_limits(self, choice: Choice) -> None:
        """Says once that a limit which nobody has set ends an engine's searches."""
        for sentence in () if choice.result is None else choice.result.notes:
            engine = sentence.partition(" ")[0]
            if "nodes a move, not to the end of the game" in sentence and engine not in self.limited:
                self.limited.add(engine)
                note(sentence)

    def make(self, action: Action, mover: str, words: str) -> None:
        """A move that nobody at the keyboard made, with a line about it."""
        name = action_name(self.match.game, self.match.state, action)
        self.match.play(action)
        self.console.print(f"{mover} has moved{words}." if self.secret else f"{mover} plays {name}{words}.")
        if not self.people and self.console.is_terminal:
            self.show()

    def ask(self, player: int) -> None:
        """Asks a person until there is a move, or the match has changed."""
        self.show(player)
        names = [action_name(self.match.game, self.match.state, action) for action in self.match.legal]
        while True:
            said = self.hear(f"{self.who(player)}, your move ({listing(names)}): ")
            action = find_action(self.match.game, self.match.state, self.match.legal, said)
            if action is None:
                action = action_at(self.match.game, self.match.state, self.match.legal, said)
            if action is not None:
                self.match.play(action)
                return
            if said and self.obey(said, player):
                return
            if said and said.split()[0].lstrip(":/").lower() not in COMMANDS:
                self.console.print(f"Sorry, {said} is not possible here. Please choose from {listing(names)}, or say help.")

    def hear(self, prompt: str) -> str:
        """A line from the keyboard; the end of the input means that the person leaves."""
        try:
            return self.console.input(prompt).strip()
        except EOFError:
            self.console.print()
            raise Left from None

    def obey(self, said: str, player: int) -> bool:
        """Does what a person asks for; True where another board has to be shown. What cannot be done is told, and the match goes on."""
        word, _, rest = said.partition(" ")
        command = COMMANDS.get(word.lstrip(":/").lower())
        if command is None:
            return False
        try:
            return command(self, rest.strip(), player)
        except ZermeloError as error:
            self.console.print(str(error))
            return False

    def undo(self, _: str, player: int) -> bool:
        taken = self.match.undo(player)
        self.console.print(f"Took back {plural(taken, 'move')}." if taken else "There is no move of yours to take back.")
        return taken > 0

    def hint(self, _: str, player: int) -> bool:
        if hidden_information(self.match.game):
            raise ZermeloError("No hint here: an engine would look at what is hidden from you.")
        adviser = default_player(self.match.game)
        if isinstance(adviser, RandomMover | Human):
            raise ZermeloError("No hint here: no algorithm fits this game.")
        with working("thinking"):
            choice = adviser.choose(self.match, self.random)
        name = action_name(self.match.game, self.match.state, choice.action)
        found = choice.result
        why = "" if found is None else f" ({verdict(self.match.game, found.value, found.distance, found.exact)}, {certainty(found)})"
        self.console.print(f"Hint: {name}{why}.")
        return False

    def save(self, file: str, _: int) -> bool:
        if not file:
            raise ZermeloError("Save where? Say save and the name of a file, such as save match.json.")
        save(self.match, Path(file).expanduser(), self.name, self.position)
        self.console.print(f"Saved in {file}.")
        return False

    def load(self, file: str, _: int) -> bool:
        if not file:
            raise ZermeloError("Load what? Say load and the name of a file, such as load match.json.")
        self.match = load(Path(file).expanduser(), self.match.game, self.name, self.match.beginning, self.position)
        self.console.print(f"Loaded {file}: {plural(len(self.match.actions), 'move')}.")
        return True

    def help(self, _: str, __: int) -> bool:
        self.console.print(HELP)
        return False

    def quit(self, _: str, __: int) -> bool:
        raise Left

    def show(self, player: int | None = None) -> None:
        """The board; a person at a game with hidden information sees what that player knows."""
        from rich.text import Text

        text = Text(self.view(player))
        text.highlight_regex(re.compile(r"(?<!\w)X(?!\w)"), "bold red")
        text.highlight_regex(re.compile(r"(?<!\w)O(?!\w)"), "bold blue")
        text.highlight_regex(re.compile(r"(?<!\w)([a-z]?\d+)(?!\w)"), "dim")
        self.console.print()
        self.console.print(text)
        self.console.print()

    def view(self, player: int | None) -> str:
        game, state = self.match.game, self.match.state
        if self.secret and player is not None:
            known = knowledge(game, state, player)
            named = ask(game, "name_information", known) if has(game, "name_information") else known
            return f"What you know: {named}"
        return named_cells(game, state, self.match.legal if player is not None else [])

    def finish(self) -> None:
        """The last board, who won, and the whole match as a position."""
        self.show()
        if not self.match.over:
            self.console.print(f"No end in sight after {plural(len(self.match.actions), 'move')}: stopped. {self.so_far()}")
            return
        payoffs = self.match.payoffs()
        game = self.match.game
        single = game.players == 1 or (game.players == 2 and game.total is not None)
        words = outcome(game, payoffs[0] if single else payoffs)
        self.console.print(f"{words[0].upper()}{words[1:]}. {self.so_far()}")

    def so_far(self) -> str:
        """The match as a position that every command reads."""
        if not self.match.actions:
            return "No move was made."
        return f"Moves: {format_moves(self.match.game, self.match.beginning.state, self.match.actions)}"

    def who(self, player: int) -> str:
        return player_name(self.match.game, player)

    def called(self, player: int) -> str:
        seat = self.seats[player]
        return "you" if isinstance(seat, Human) else player_text(seat)


COMMANDS: dict[str, Callable[[Table, str, int], bool]] = {
    "undo": Table.undo,
    "hint": Table.hint,
    "save": Table.save,
    "load": Table.load,
    "help": Table.help,
    "?": Table.help,
    "quit": Table.quit,
    "exit": Table.quit,
}


def remark(choice: Choice) -> str:
    """How long a move took, and how far the engine saw."""
    if choice.result is None:
        return ""
    seen = "judged" if choice.result.depth is None else f"depth {choice.result.depth}"
    depth = "exact" if choice.result.exact else seen
    return f" ({duration(choice.seconds)}, {plural(choice.result.nodes, 'node')}, {depth})"
