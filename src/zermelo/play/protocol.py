"""The engine protocol: UCI for chess, and the same conversation as UGI for every other game. It reads no input and prints nothing.

A `Conversation` hears one line after the other and says lines through a function. A search runs on a thread of its own; `stop` and the
clock are answered from the best that was found by then, even while a search has not noticed yet that it should end.

    uci, ugi            who we are, and the options
    isready             readyok, once the engine is warm; at once during a search
    setoption name X value Y
    ucinewgame, uginewgame
    position startpos | fen BOARD [moves M1 M2 …]
    go [movetime MS] [depth N] [nodes N] [mate N] [infinite] [ponder] [wtime MS btime MS winc MS binc MS movestogo N], UGI: p1time … p2inc
    stop, ponderhit, query gameover | p1turn | result, quit
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import zermelo
from zermelo.errors import ZermeloError, nearest
from zermelo.formats.position import Position
from zermelo.limits import Limits
from zermelo.play.algorithm_player import Remembered
from zermelo.play.algorithms import ALGORITHMS, Budget, algorithm_class, anytime, make_algorithm, search, suited, think
from zermelo.play.match import Match, find_action
from zermelo.play.players import RandomMover, default_searcher
from zermelo.play.wording import win_or_lose
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, MAX, Action, Game, action_name, draw_value, has, hidden_information
from zermelo.scores import LONGEST
from zermelo.solve.database_oracle import oracle_of

__all__ = ["Conversation", "Request", "default_algorithm"]

PATIENCE = 0.5  # seconds before a program is told that the rules are still being compiled

GRACE = 0.03  # seconds that a search has to end by itself, once it is stopped
FIRST_GRACE = 2.0  # the same where it has found nothing yet
OVERHEAD = 0.05  # seconds of a clock that are kept for the way of the answer
MOVES_LEFT = 30  # of a game, where nobody says how many
WHOLE = 10_000  # centipawns of a win
MEBIBYTE = 1 << 20
OTHER_QUESTIONS = (
    "backward",
    "astar",
    "idastar",
    "realtime",
    "lrta",
    "valueiteration",
    "layers",
    "database",
    "network",
)  # whole games, one player, and what needs a file


def default_algorithm(game: Game) -> str:
    """The name of the engine that searches best; a database of the game is asked from inside its search."""
    player = default_searcher(game)
    if isinstance(player, RandomMover) or hidden_information(game):
        raise ZermeloError(f"{type(game).__name__} hides something, which an engine of this protocol would see: there is none for it.")
    return player.algorithm


@dataclass(frozen=True)
class Request:
    """What `go` asks for; None is no limit."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    patient: bool = False  # no answer before `stop` (infinite) or `ponderhit` (ponder)

    @property
    def budget(self) -> Budget:
        """Deeper and deeper within the limits; one who ponders, or thinks forever, has no clock."""
        return Budget(LONGEST if self.depth is None else self.depth, None if self.patient else self.seconds, self.nodes)


@dataclass
class Thought:
    """One search under way: from `go` to `bestmove`, which is said once."""

    match: Match
    request: Request
    begun: float = field(default_factory=time.perf_counter)
    stop: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)  # may the answer be given?
    done: threading.Event = field(default_factory=threading.Event)  # the search has ended
    answered: bool = False
    best: SearchResult | None = None  # the latest that was finished
    lock: threading.Lock = field(default_factory=threading.Lock)


class Conversation:
    """What a program on the other side and the engine say to each other, about one game."""

    def __init__(self, game: Game, name: str, say: Callable[[str], object]) -> None:
        self.game, self.name = game, name
        self.sayer, self.speaking = say, threading.Lock()
        self.engine, self.threads, self.memory = default_algorithm(game), 1, None  # type: str, int, int | None
        self.match = Match(game, Position(game.start()))
        self.thought: Thought | None = None
        self.kept = Remembered()  # what the engine remembers from one move to the next
        self.oracle = oracle_of(game)  # a database of the data folder, for an engine that asks one inside its search
        self.warm = False  # has the engine had its first look, for which rules may have to be compiled?
        self.words: dict[str, Callable[[list[str]], None]] = {
            "uci": lambda _: self.introduce("uci"),
            "ugi": lambda _: self.introduce("ugi"),
            "isready": lambda _: self.get_ready(),
            "setoption": self.set_option,
            "ucinewgame": lambda _: self.begin_again(),
            "uginewgame": lambda _: self.begin_again(),
            "position": self.set_position,
            "go": self.go,
            "stop": lambda _: self.end_thought(),
            "ponderhit": lambda _: self.ponder_hit(),
            "query": self.query,
            "debug": lambda _: None,  # there is nothing more to tell
        }

    def hear(self, line: str) -> bool:
        """Takes in a line; False when the conversation is over. What cannot be understood is answered by an `info string`."""
        words = line.split()
        if not words:
            return True
        if words[0] == "quit":
            self.end_thought()  # `go` is answered by `bestmove`, whatever follows
            self.close()
            return False
        if words[0] not in self.words:
            self.inform(f"{line.strip()!r} is ignored: {words[0]} is not a command, {nearest(words[0], self.words)}")
            return True
        try:
            self.words[words[0]](words[1:])
        except ZermeloError as error:
            self.inform(f"{line.strip()!r} is ignored: {error}")
        return True

    def close(self) -> None:
        """Ends the search that may be under way, without an answer."""
        if self.thought is not None:
            self.thought.answered = True
            self.thought.stop.set()
            self.thought.released.set()
            self.thought.done.wait(FIRST_GRACE)

    def say(self, line: str) -> None:
        with self.speaking:
            self.sayer(line)

    def inform(self, sentence: str) -> None:
        self.say(f"info string {' '.join(sentence.split())}")

    # --- who we are

    def introduce(self, protocol: str) -> None:
        self.say(f"id name Zermelo {zermelo.__version__} ({self.name})")
        self.say("id author The Zermelo developers")
        self.say(f"option name Engine type combo default {self.engine} {' '.join(f'var {name}' for name in self.engines())}")
        self.say("option name Hash type spin default 64 min 1 max 1048576")
        self.say("option name Threads type spin default 1 min 1 max 1024")
        self.say(f"{protocol}ok")

    def get_ready(self) -> None:
        """readyok: at once during a search; before the first one, after a look that lets the compiler do its work."""
        idle = self.thought is None or self.thought.answered
        if idle and not self.warm and not self.match.over and self.match.mover != CHANCE:
            self.warm = True
            patience = threading.Timer(PATIENCE, self.inform, [f"The rules of {self.name} are being compiled."])
            patience.start()
            try:
                search(
                    make_algorithm(self.engine, **suited(self.engine, depth=1)),
                    self.game,
                    self.match.state,
                    self.match.history,
                    Limits(nodes=1),
                )
            except ZermeloError as error:
                self.inform(str(error))
            finally:
                patience.cancel()
        self.say("readyok")

    def engines(self) -> list[str]:
        """Those that can think within limits about a game against somebody."""
        return [name for name in ALGORITHMS if name not in OTHER_QUESTIONS or name == self.engine]

    def set_option(self, words: list[str]) -> None:
        """setoption name X value Y"""
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        match name.strip().lower():
            case "engine":
                if value.strip() not in self.engines():
                    raise ZermeloError(f"there is no engine {value.strip()}: {nearest(value.strip(), self.engines())}")
                self.engine, self.warm, self.kept = value.strip(), False, Remembered()
            case "threads":
                self.threads = whole(value, "a number of threads", 1)
                if not suited(self.engine, threads=1) and self.threads > 1:
                    self.inform(f"The engine {self.engine} uses one thread.")
            case "hash":
                self.memory, self.kept = whole(value, "an amount of memory in MiB", 1) * MEBIBYTE, Remembered()
                if not suited(self.engine, memory=0):
                    self.inform(f"The engine {self.engine} has no table.")
            case other:
                raise ZermeloError(f"there is no option {other}: {nearest(other, ['Engine', 'Hash', 'Threads'])}")

    # --- the position

    def begin_again(self) -> None:
        self.require_silence()
        self.match, self.kept = Match(self.game, Position(self.game.start())), Remembered()

    def set_position(self, words: list[str]) -> None:
        """position startpos | fen BOARD [moves …]; a position with a move that is not possible changes nothing."""
        self.require_silence()
        kind, *rest = words or [""]
        board, moves = rest, []  # type: list[str], list[str]
        if "moves" in rest:
            board, moves = rest[: rest.index("moves")], rest[rest.index("moves") + 1 :]
        if kind == "startpos" and not board:
            match = Match(self.game, Position(self.game.start()))
        elif kind == "fen" and board:
            match = Match(self.game, Position(self.read(" ".join(board))))
        else:
            raise ZermeloError("a position is startpos or fen with a board, and then perhaps moves")
        for number, word in enumerate(moves, 1):
            action = None if match.over else find_action(self.game, match.state, match.legal, word)
            if action is None:
                raise ZermeloError(f"move {number}, {word}, is not possible")
            match.play(action)
        self.match = match

    def read(self, text: str) -> Any:
        """A board on one line; its rows may be separated by a slash."""
        if not has(self.game, "read"):
            raise ZermeloError(f"boards of {self.name} cannot be read: use startpos and moves")
        reads: Any = self.game
        lines = "\n" in reads.show(self.game.start()) if has(self.game, "show") else False
        try:
            return reads.read(text.replace("/", "\n") if lines else text)
        except ZermeloError:
            raise
        except Exception as error:
            raise ZermeloError(f"{text!r} is not a board of {self.name}: {error}") from error

    def query(self, words: list[str]) -> None:
        """UGI: is the game over, who moves, who has won?"""
        over = self.match.over
        match words:
            case ["gameover"]:
                answer = str(over).lower()
            case ["p1turn"]:
                answer = str(not over and self.match.mover == MAX).lower()
            case ["result"]:
                answer = outcome_word(self.match) if over else "none"
            case _:
                raise ZermeloError("a query is gameover, p1turn or result")
        self.say(f"response {answer}")

    # --- thinking

    def require_silence(self) -> None:
        """While a search is under way there is no other question; one whose answer was given is let go."""
        if self.thought is not None and not self.thought.answered:
            raise ZermeloError("a search is under way: say stop first")

    def go(self, words: list[str]) -> None:
        self.require_silence()
        request = self.requested(words)
        if self.match.over or self.match.mover == CHANCE:
            self.inform("The game is over." if self.match.over else "Chance moves: say what it did.")
            self.say("bestmove (none)")
            return
        if self.thought is not None:
            self.thought.done.wait(FIRST_GRACE)
        self.thought = Thought(self.match, request)
        if not request.patient:
            self.thought.released.set()
        threading.Thread(target=self.think, args=(self.thought,), daemon=True).start()
        self.start_clock(self.thought)

    def requested(self, words: list[str]) -> Request:
        """What the words after `go` ask for; those that mean nothing here are told and left out."""
        numbers: dict[str, int] = {}
        flags: set[str] = set()
        waiting = iter(words)
        for word in waiting:
            if word in ("infinite", "ponder"):
                flags.add(word)
            elif word in NUMBERS:
                numbers[word] = whole(next(waiting, ""), f"a number for {word}", 1 if word in ("depth", "nodes", "mate") else -(1 << 60))
            else:
                self.inform(f"{word} is not known after go, and is ignored.")
        seconds = self.share_of_clock(numbers) if "movetime" not in numbers else max(1, numbers["movetime"]) / 1000
        depth = numbers.get("depth", 2 * numbers["mate"] - 1 if "mate" in numbers else None)
        if "infinite" in flags:
            return Request(depth, None, numbers.get("nodes"), True)
        return Request(depth, seconds, numbers.get("nodes"), "ponder" in flags)

    def share_of_clock(self, numbers: dict[str, int]) -> float | None:
        """How long to think about this move when a clock runs: an equal share of what is left, and most of the increment."""
        seat = self.match.mover if not self.match.over else MAX
        clock, increment = (("wtime", "winc"), ("btime", "binc"))[seat % 2]
        left = numbers.get(clock, numbers.get(f"p{seat + 1}time"))
        if left is None:
            return None
        added = numbers.get(increment, numbers.get(f"p{seat + 1}inc", 0))
        share = left / max(1, min(MOVES_LEFT, numbers.get("movestogo", MOVES_LEFT))) + 0.75 * added
        return max(0.01, min(share / 1000, left / 1000 - OVERHEAD))

    def start_clock(self, thought: Thought) -> None:
        """The answer comes in time, whether or not the search looks at its limits often enough."""
        seconds = thought.request.seconds
        if seconds is not None and thought.released.is_set():
            timer = threading.Timer(seconds + GRACE, self.answer_at_once, [thought])
            timer.daemon = True
            timer.start()

    def think(self, thought: Thought) -> None:
        """The search, on its own thread."""
        try:
            found = self.searched(thought)
            if found.action is not None:
                self.tell(thought, found)
        except ZermeloError as error:
            self.inform(str(error))
        except Exception as error:  # a fault in the rules: the other side must get its answer all the same
            self.inform(f"The search failed: {type(error).__name__}: {error}")
        thought.done.set()
        thought.released.wait()
        self.answer(thought)

    def searched(self, thought: Thought) -> SearchResult:
        match, request = thought.match, thought.request
        wanted = suited(self.engine, depth=request.depth, threads=self.threads, memory=self.memory)
        engine = make_algorithm(self.engine, **{name: value for name, value in wanted.items() if value is not None})
        table = None
        if hasattr(engine, "new_table"):  # which looks deeper where only the best move is asked for, and remembers
            engine = replace(engine, textbook=True)
            table = self.kept.table(engine, self.game, self.oracle)
        if not anytime(self.engine) and "depth" not in algorithm_class(self.engine).__dataclass_fields__:
            return search(engine, self.game, match.state, match.history)

        def tell(result: SearchResult) -> None:
            self.tell(thought, result)

        return think(
            engine, self.game, match.state, request.budget, match.history, stop=thought.stop, tell=tell, table=table, oracle=self.oracle
        )

    def tell(self, thought: Thought, result: SearchResult) -> None:
        """A search was finished: the best so far, and a line about it."""
        with thought.lock:
            if not thought.answered:
                if thought.best is None or (result.depth, result.nodes) != (thought.best.depth, thought.best.nodes):
                    self.say(information(result))
                thought.best = result

    def end_thought(self) -> None:
        """stop: the answer, now."""
        if self.thought is None or self.thought.answered:
            return
        self.answer_at_once(self.thought)

    def ponder_hit(self) -> None:
        """The move that was expected was made: from now on the clock runs. Where nobody ponders, this means nothing."""
        thought = self.thought
        if thought is not None and not thought.answered and not thought.released.is_set():
            thought.released.set()
            self.start_clock(thought)

    def answer_at_once(self, thought: Thought) -> None:
        """Stops a search and answers; from what it had found before, where it takes its time to stop."""
        thought.stop.set()
        thought.done.wait(GRACE if thought.best is not None else FIRST_GRACE)
        thought.released.set()
        self.answer(thought)

    def answer(self, thought: Thought) -> None:
        """bestmove, once."""
        with thought.lock:
            if thought.answered:
                return
            thought.answered = True
            action, line = self.choice(thought), []  # type: Action, list[str]
            if thought.best is not None and thought.best.action == action:
                line = thought.best.line_names()
            name = action_name(self.game, thought.match.state, action)
            self.say(f"bestmove {name}" + (f" ponder {line[1]}" if len(line) > 1 and len(line[1].split()) == 1 else ""))

    def choice(self, thought: Thought) -> Action:
        """The best move that is known; without any search the one that the rules would try first."""
        if thought.best is not None and thought.best.action is not None:
            return thought.best.action
        order = getattr(self.game, "order", None)
        legal = thought.match.legal
        return legal[0] if order is None else max(legal, key=lambda action: order(thought.match.state, action))


NUMBERS = (
    *("movetime", "depth", "nodes", "movestogo", "mate"),
    *("wtime", "btime", "winc", "binc", "p1time", "p2time", "p1inc", "p2inc"),
)


def whole(text: str, what: str, least: int) -> int:
    """A whole number that is large enough."""
    try:
        number = int(text)
    except ValueError:
        raise ZermeloError(f"{text.strip() or 'nothing'!r} is not {what}") from None
    if number < least:
        raise ZermeloError(f"{number} is not {what}: it must be at least {least}")
    return number


def information(result: SearchResult) -> str:
    """The `info` line of a result, seen from the player to move."""
    milliseconds = int(result.seconds * 1000)
    rate = int(result.nodes / result.seconds) if result.seconds > 0 else result.nodes
    depth = len(result.line) if result.depth is None else result.depth
    line = " ".join(result.line_names())
    return f"info depth {depth} score {score_words(result)} nodes {result.nodes} nps {rate} time {milliseconds} pv {line}"


def score_words(result: SearchResult) -> str:
    """`mate N` in whole moves where a win is proven, otherwise hundredths of a pawn, of which 10,000 are the highest payoff."""
    game, mover = result.game, result.game.player(result.state)
    if isinstance(result.value, tuple):
        return f"cp {round(100 * result.value[mover])}"
    lead = result.value - draw_value(game)
    own = lead if mover == MAX else -lead
    if result.exact and result.distance is not None and win_or_lose(game):
        return f"mate {(result.distance + 1) // 2 if own > 0 else -(result.distance // 2)}"
    highest = None if game.payoffs is None else max(abs(payoff - draw_value(game)) for payoff in game.payoffs)
    return f"cp {round(WHOLE * own / highest) if highest else round(100 * own)}"


def outcome_word(match: Match) -> str:
    """UGI's word for a result."""
    first, second = match.payoffs()[:2] if match.game.players > 1 else (match.payoffs()[0], 0)
    return "p1win" if first > second else "p2win" if first < second else "draw"
