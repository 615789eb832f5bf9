"""Which games a browser may open: those with a name, with parameters, and the files that were given on the command line. No others."""

import re
import sys
import threading
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import zermelo.games
from zermelo.draw.outlines import kind_of as drawn_kind
from zermelo.errors import ZermeloError, nearest
from zermelo.formats.position import parse_position
from zermelo.play.setup import open_game, open_named_game
from zermelo.play.wording import number
from zermelo.registry import names, summary
from zermelo.registry.catalogue import registered
from zermelo.registry.spelling import parse
from zermelo.rules import CHANCE, Game, State, has, hidden_information, legal_actions
from zermelo.trees.matrix import Matrix
from zermelo.trees.tree import Tree
from zermelo.web.bounds import Bounds
from zermelo.web.measures import seat_name
from zermelo.web.views import board_of, drawn, text_of
from zermelo.weights import learned, read_weights

__all__ = ["Offers", "rules_of", "title_of"]

MATRIX_KINDS = "matrix"
SOLVED = ".npz"
LONGEST_TITLE = 40  # letters
SMALL_TREE = 60  # nodes
SMALL_TABLE = 3  # choices of each player
COVER_SEED, COVER_MOVES = 7, 6  # how the position on a card comes about


class Offers:
    """The games on offer. Opened games are kept, so that all who play one share its compiled rules."""

    def __init__(self, given: Sequence[str] = (), bounds: Bounds | None = None) -> None:
        self.bounds = bounds or Bounds()
        self.solved = tuple(text for text in given if text.endswith(SOLVED))  # files of solved poker spots
        self.given = tuple(text for text in given if not text.endswith(SOLVED))
        self.kept = set(self.given)  # games that are never closed
        self.opened: OrderedDict[str, Game] = OrderedDict()
        self.lock = threading.Lock()
        for text in self.given:  # a file that cannot be read is told at the start
            self.opened[text] = open_game(text)
        for text in self.solved:
            from zermelo.equilibrium.extensive.public.public_result import RangeResult

            RangeResult.source_of(Path(text))

    @cached_property
    def known(self) -> tuple[str, ...]:
        """Games with a name. Looking through all installed packages takes a while, so it is done once."""
        return names()

    def adopt(self, files: Sequence[Path]) -> None:
        """From now on the game that each of these files of weights names judges its positions by them."""
        for file in files:
            weights = read_weights(file)
            game = self.opened.get(weights.game) or open_named_game(weights.game, str(file))
            self.opened[weights.game] = learned(game, weights)
            self.kept.add(weights.game)

    def open(self, text: str) -> Game:
        """The game that a browser names; a file only where it was given at the start."""
        text = text.strip()
        with self.lock:
            if text in self.opened:
                self.opened.move_to_end(text)
                return self.opened[text]
        game = self._checked(text)
        with self.lock:
            self.opened[text] = game
            for old in list(self.opened):
                if len(self.opened) <= self.bounds.games:
                    break
                if old not in self.kept:
                    del self.opened[old]
        return game

    def _checked(self, text: str) -> Game:
        if len(text) > self.bounds.text:
            raise ZermeloError("The name of the game is too long.")
        spelling = parse(text)
        if spelling.file is not None or "/" in text or "\\" in text:
            raise ZermeloError("A file of your own is opened by giving it at the start: `zermelo web FILE`.")
        if registered(spelling.name or "") not in self.known:
            near = nearest(spelling.name or "", [*self.given, *self.known])
            raise ZermeloError(f"There is no game {spelling.name}: {near if near.startswith('did') else 'the page Games shows all.'}")
        for value in (*spelling.arguments.positional, *spelling.arguments.named.values()):
            self._judge_parameter(value)
        game = open_game(text)
        if len(legal_actions(game, game.start())) > self.bounds.choices:
            raise ZermeloError(f"The game has more than {self.bounds.choices:,} first moves: choose smaller parameters.")
        return game

    def _judge_parameter(self, value: Any) -> None:
        if isinstance(value, tuple | list):
            if len(value) > 100:
                raise ZermeloError("A parameter of the game is too long.")
            for each in value:
                self._judge_parameter(each)
        elif isinstance(value, int | float) and abs(value) > self.bounds.parameter:
            raise ZermeloError(f"A parameter of the game is above {self.bounds.parameter:,}: choose a smaller one.")

    def listing(self) -> list[dict[str, Any]]:
        """Every game with what a gallery shows; one that cannot be opened says why."""
        return [self._entry(text) for text in (*self.given, *self.known)]

    def _entry(self, text: str) -> dict[str, Any]:
        try:
            game = self.open(text)
            if text in self.given:
                return {**describe(text, game, f"From the file {Path(text).name}." if isinstance(game, Tree | Matrix) else ""), "own": True}
            shown = str(getattr(game, "showcase", text))  # with other parameters than those that are quick to solve
            return {**describe(text, self.open(shown), summary(text)), "showcase": shown}
        except ZermeloError as error:
            return {"name": text, "title": text, "problem": str(error), "own": text in self.given}


def describe(text: str, game: Game, words: str) -> dict[str, Any]:
    """What a gallery shows of a game."""
    state = game.start() if isinstance(game, Tree) else cover(game, game.start())
    picture = None if isinstance(game, Tree) else drawn(board_of(game, state))
    return {
        "name": text,
        "title": title_of(text, game),
        "summary": words.strip() or own_words(game),
        "kind": kind_of(game),
        "players": game.players,
        "zeroSum": game.players == 2 and game.total is not None,
        "hidden": hidden_information(game),
        "chance": has(game, "chances") and not (isinstance(game, Tree) and CHANCE not in game.movers),
        "parameters": parameters_of(game),
        "picture": picture,
        "text": None if picture or isinstance(game, Tree | Matrix) else text_of(game, state),
        "rules": rules_of(game),
        "seats": [seat_name(game, player) for player in range(game.players)],
        "outline": outline_of(game) if isinstance(game, Tree) else None,
        "payoffs": payoffs_of(game) if isinstance(game, Matrix) else None,
    }


def cover(game: Game, start: State) -> State:
    """A position that looks like the game: after the moves that its `cover` names, or after that many, always the same ones.

    A game that chooses nothing and is soon over is shown in its middle, where somebody is to decide.
    """
    chosen = getattr(game, "cover", COVER_MOVES)
    if isinstance(chosen, str):
        with suppress(ZermeloError):  # the moves of another variant, or from another first position
            return parse_position(game, chosen).state
    own = hasattr(game, "cover") and not isinstance(chosen, str)
    random, states = Random(COVER_SEED), [start]
    for _ in range(chosen if own else 2 * COVER_MOVES):
        legal = legal_actions(game, states[-1])
        if not legal:
            break
        following = game.result(states[-1], random.choice(legal))
        if game.terminal(following):
            break
        states.append(following)
    middle = len(states) - 1 if own else len(states) // 2
    decided = (state for state in (*states[middle:], *reversed(states[:middle])) if game.player(state) != CHANCE)
    return next(decided, states[middle])  # dice that lie on the table


def rules_of(game: Game) -> str:
    """What the rules' file says of the game: its rules, and where they come from."""
    for kind in type(game).__mro__:
        module = sys.modules.get(kind.__module__)
        words = (getattr(module, "__doc__", None) or "").strip()
        if words and kind.__module__ != Game.__module__:  # the layout of a state is for those who read the file
            return "\n\n".join(part for part in re.split(r"\n\s*\n", words) if not part.startswith(" "))
    return ""


def outline_of(tree: Tree) -> list[list[Any]] | None:
    """A small tree for its card: the parent and the kind of every node; None of one that would not be seen."""
    if len(tree) > SMALL_TREE:
        return None
    kinds = (None if not below else mover for below, mover in zip(tree.children, tree.movers, strict=True))
    return [[parent, drawn_kind(tree, mover)] for parent, mover in zip(tree.parents, kinds, strict=True)]


def payoffs_of(table: Matrix) -> list[list[str]] | None:
    """A small table for its card; None of one that would not be read."""
    if table.players != 2 or max(table.shape) > SMALL_TABLE:
        return None
    rows, columns = table.shape
    return [[", ".join(number(worth) for worth in table.payoff((r, c))) for c in range(columns)] for r in range(rows)]


def kind_of(game: Game) -> str:
    """In which part of the gallery a game stands."""
    if isinstance(game, Matrix):
        return MATRIX_KINDS
    if isinstance(game, Tree):
        return "tree"
    return "puzzle" if game.players == 1 else "game"


def parameters_of(game: Game) -> list[dict[str, Any]]:
    """A game's parameters with their present values; none of a tree, a table, or rules that are not dataclasses."""
    if isinstance(game, Tree | Matrix) or not is_dataclass(game):
        return []
    simple = (int, float, str, bool, tuple)
    return [
        {"name": field.name, "value": getattr(game, field.name)}
        for field in fields(game)
        if field.init and isinstance(getattr(game, field.name), simple) and field.default is not MISSING
    ]


def own_words(game: Game) -> str:
    """The first line of what the rules, or the file that they are in, say of themselves."""
    module = sys.modules.get(type(game).__module__)
    return (type(game).__doc__ or getattr(module, "__doc__", None) or "").strip().split("\n")[0]


def title_of(text: str, game: Game) -> str:
    """A name for people: a tree's own title, what the rules' file calls the game in its first words, else the class's name in words."""
    if isinstance(game, Tree | Matrix):
        return game.title or text
    for kind in type(game).__mro__:
        if kind.__module__.startswith(f"{zermelo.games.__name__}."):
            name, colon, _ = (sys.modules[kind.__module__].__doc__ or "").partition(":")
            if colon and len(name) <= LONGEST_TITLE:
                return name.strip().partition("(")[0] or name.strip()
    if ":" in (parse(text).name or ""):  # a game of another library
        return text
    words, last = [""], ""
    for sign in type(game).__name__:
        if sign.isupper() and last and not last.isupper():
            words.append("")
        words[-1] += sign
        last = sign
    return " ".join(words)
