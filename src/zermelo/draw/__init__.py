"""Pictures: a tree, the trace of a search or a result as text, SVG, DOT, TikZ, plain data and words. Views never search.

All functions take the same options: `limit`, about how many nodes are drawn (the rest is folded, with its number); `depth`, how many
levels; `merge`, symmetric siblings drawn once (for games with `canonical`); `information`, how information sets are shown (True: all nodes
of a set joined, None: those side by side, False: not at all); `only`, the outcomes of chance that are drawn, as texts such as "Q J";
`boards`, small boards in the nodes.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

from zermelo.draw.description import fault_of
from zermelo.draw.dot import write_dot
from zermelo.draw.explain import explain, path
from zermelo.draw.guessing import guessed_board
from zermelo.draw.outlines import Subject, outline_of
from zermelo.draw.picture import svg_of
from zermelo.draw.pictures import picture_of
from zermelo.draw.scene import Scene, select
from zermelo.draw.svg import paint
from zermelo.draw.text import write
from zermelo.draw.tikz import write_tikz
from zermelo.draw.tree_data import data_of
from zermelo.errors import ZermeloError
from zermelo.rules import Game, State

__all__ = ["Options", "Scene", "board", "dot", "explain", "path", "scene", "svg", "text", "tikz", "to_data", "to_json"]


class Options(TypedDict, total=False):
    """What is drawn of a subject."""

    limit: int  # nodes, about
    depth: int | None
    merge: bool
    information: bool | None
    only: Sequence[str]


def scene(subject: Subject, *, boards: bool = True, **options: Unpack[Options]) -> Scene:
    """What is to be drawn, before it has its places; about 100 nodes by default."""
    options.setdefault("limit", 100)
    return select(outline_of(subject, boards), **options)


def svg(subject: Subject, *, boards: bool = True, **options: Unpack[Options]) -> str:
    """An SVG that stands alone."""
    return paint(scene(subject, boards=boards, **options))


def board(game: Game, state: State = None, *, turned: bool = False, width: float = 420) -> str:
    """A position as an SVG that stands alone, drawn from what `board(state)` says.

    Parameters
    ----------
    game : Game
    state : State, optional
        The position; the start of the game where none is given.
    turned : bool
        Seen from the second player's side.
    width : float
        In pixels.

    Raises
    ------
    ZermeloError
        Where the game has no board, or one that does not fit its kind.
    """
    described = game_board(game, game.start() if state is None else state)
    return svg_of(picture_of(described, turned), width, str(described.get("caption") or ""))


def game_board(game: Game, state: State) -> Mapping[str, Any]:
    """What the board of a state is; guessed from its letters, or from the state itself, where the rules have no `board`."""
    own = getattr(game, "board", None)
    described = own(state) if own is not None else guessed_board(game, state)
    if described is None:
        raise ZermeloError(f"{type(game).__name__} has no board: give it `board(state)`.")
    fault = fault_of(described)
    if fault:
        raise ZermeloError(fault)
    made: Mapping[str, Any] = described
    return made


def text(subject: Subject, *, ascii_only: bool = False, **options: Unpack[Options]) -> str:
    """A tree in letters, one line a node; about 150 of them by default."""
    options.setdefault("limit", 150)
    return write(scene(subject, boards=False, **options), ascii_only)


def dot(subject: Subject, **options: Unpack[Options]) -> str:
    """The DOT language of Graphviz; about 1,000 nodes by default."""
    options.setdefault("limit", 1_000)
    return write_dot(scene(subject, boards=False, **options))


def tikz(subject: Subject, **options: Unpack[Options]) -> str:
    """A LaTeX document that compiles as it is."""
    return write_tikz(scene(subject, boards=False, **options))


def to_data(subject: Subject, *, boards: bool = True, **options: Unpack[Options]) -> dict[str, Any]:
    """Plain data: nodes with values, windows and boards, the steps of a search, the figures of the tree; up to 100,000 nodes by default."""
    options.setdefault("limit", 100_000)
    return data_of(scene(subject, boards=boards, **options), subject)


def to_json(subject: Subject, *, boards: bool = True, **options: Unpack[Options]) -> str:
    """The plain data as JSON text."""
    return json.dumps(to_data(subject, boards=boards, **options), ensure_ascii=False, indent=1) + "\n"
