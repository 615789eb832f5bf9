"""Pictures: a tree, the trace of a search or a result as text, SVG, DOT, TikZ, plain data and words. Views never search.

All functions take the same options: `limit`, about how many nodes are drawn (the rest is folded, with its number); `depth`, how many
levels; `merge`, symmetric siblings drawn once (for games with `canonical`); `boards`, small boards in the nodes.
"""

import json
from typing import Any

from zermelo.draw.dot import write_dot
from zermelo.draw.explain import explain, path
from zermelo.draw.export import data_of
from zermelo.draw.outlines import Subject, outline_of
from zermelo.draw.scene import Scene, select
from zermelo.draw.svg import paint
from zermelo.draw.text import write
from zermelo.draw.tikz import write_tikz

__all__ = ["Scene", "dot", "explain", "path", "scene", "svg", "text", "tikz", "to_data", "to_json"]


def scene(subject: Subject, *, limit: int = 100, depth: int | None = None, merge: bool = False, boards: bool = True) -> Scene:
    """What is to be drawn, before it has its places."""
    return select(outline_of(subject, boards), limit, depth, merge)


def svg(subject: Subject, *, limit: int = 100, depth: int | None = None, merge: bool = False, boards: bool = True) -> str:
    """An SVG that stands alone."""
    return paint(scene(subject, limit=limit, depth=depth, merge=merge, boards=boards))


def text(subject: Subject, *, limit: int = 150, depth: int | None = None, merge: bool = False, ascii_only: bool = False) -> str:
    """A tree in letters, one line a node."""
    return write(scene(subject, limit=limit, depth=depth, merge=merge, boards=False), ascii_only)


def dot(subject: Subject, *, limit: int = 1_000, depth: int | None = None, merge: bool = False) -> str:
    """The DOT language of Graphviz."""
    return write_dot(scene(subject, limit=limit, depth=depth, merge=merge, boards=False))


def tikz(subject: Subject, *, limit: int = 100, depth: int | None = None, merge: bool = False) -> str:
    """A LaTeX document that compiles as it is."""
    return write_tikz(scene(subject, limit=limit, depth=depth, merge=merge, boards=False))


def to_data(
    subject: Subject, *, limit: int = 100_000, depth: int | None = None, merge: bool = False, boards: bool = True
) -> dict[str, Any]:
    """Plain data: nodes with values, windows and boards, the steps of a search, the figures of the tree."""
    return data_of(scene(subject, limit=limit, depth=depth, merge=merge, boards=boards), subject)


def to_json(subject: Subject, *, limit: int = 100_000, depth: int | None = None, merge: bool = False, boards: bool = True) -> str:
    """The plain data as JSON text."""
    return json.dumps(to_data(subject, limit=limit, depth=depth, merge=merge, boards=boards), ensure_ascii=False, indent=1) + "\n"
