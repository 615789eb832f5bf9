"""What is to be drawn, before anybody says where: a list of marks, made from a tree, a trace or a result.

Every picture (text, SVG, DOT, TikZ, JSON) is made from a scene. A scene is small: what lies beyond its limit is folded into stubs that
say how many nodes they hide. `outlines` turns each kind of subject into an `Outline`; `scene` selects from it.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from zermelo.draw.wanted import Wanted
from zermelo.errors import ZermeloError
from zermelo.rules import Game, State

__all__ = ["Kind", "Mark", "Outline", "Scene", "hidden_text", "select"]

Kind = Literal["max", "min", "player", "chance", "end", "judged", "fold"]
# max, min   a node of one of two opponents (or of a single player, who is Max)
# player     a node of a game with more players, or of general sum; `player` says whose
# chance     nobody moves
# end        the game is over
# judged     a depth limit stood there: the value is an estimate
# fold       a stub for nodes that are not drawn; `hidden` says how many


@dataclass
class Mark:
    """One node of a picture, with the action that leads to it."""

    kind: Kind
    parent: int = -1  # the mark above; -1 at the root
    player: int | None = None  # who moves
    value: str = ""  # with ≤ or ≥ where a search knows no more than a bound
    number: Any = None  # the same as a number, or a tuple of numbers
    bounds: tuple[Any, Any] | None = None  # alpha and beta on entering
    node: int = -1  # its number in the outline
    label: str = ""
    window: str = ""  # [α, β] on entering
    note: str = ""  # "α-cut", "β-cut", "from the table", …
    action: str = ""  # the name of the action that leads here
    probability: str = ""
    chosen: bool = False  # on the line of best play from the root
    optimal: bool = False  # as good as any of its siblings, as far as is known
    pruned: bool = False  # never visited
    cut: bool = False  # the pruned branch begins here
    copies: int = 1  # symmetric siblings that this one stands for, itself included
    hidden: int = 0  # nodes behind a stub
    at_least: bool = False  # are there perhaps more of them?
    information: str | None = None
    board: Any = None  # plain data
    text: str = ""  # the board in letters, where it has no plain data
    visits: int = 0  # of a search by playouts
    share: float = 0.0  # of the root's visits: how wide its branch is


@dataclass(frozen=True)
class Scene:
    """A picture without places: marks with parents before children, siblings in order."""

    title: str
    game: Game
    marks: list[Mark]
    joined: bool = False  # every two neighbours of an information set are joined, also where other nodes stand between them

    def children(self) -> list[list[int]]:
        """[mark] → the marks below it."""
        below: list[list[int]] = [[] for _ in self.marks]
        for number, mark in enumerate(self.marks[1:], 1):
            below[mark.parent].append(number)
        return below

    def depths(self) -> list[int]:
        """[mark] → actions below the root."""
        depths = [0] * len(self.marks)
        for number, mark in enumerate(self.marks[1:], 1):
            depths[number] = depths[mark.parent] + 1
        return depths


@dataclass(frozen=True)
class Outline:
    """A whole subject, however large: its shape, and how to look at one of its nodes."""

    title: str
    game: Game
    parents: Sequence[int]  # [node] smaller than the node; -1 at the root, which is 0
    mark: Callable[[int], Mark]  # everything about a node but its parent
    state: Callable[[int], State]  # of the game, for its symmetries
    line: Sequence[int] = ()  # nodes of the chosen line below the root
    beyond: dict[int, int] = field(default_factory=dict)  # node → at least so many nodes below it are not in the outline


def select(
    outline: Outline,
    limit: int,
    depth: int | None = None,
    merge: bool = False,
    information: bool | None = None,
    only: Sequence[str] = (),
) -> Scene:
    """At most about `limit` nodes: the chosen line first, then level by level; the rest is folded.

    `information`: True joins all nodes of an information set, None those that stand side by side, False shows no sets at all.
    `only` names what chance does, from the root on ("Q J"): other outcomes are folded.
    """
    if limit < 1:
        raise ZermeloError(f"A picture needs at least one node, not {limit}.")
    if depth is not None and depth < 0:
        raise ZermeloError(f"The depth must be at least 0, not {depth}.")
    return _Selection(outline, limit, depth, _symmetry(outline.game) if merge else None, information, only).scene()


def hidden_text(mark: Mark) -> str:
    """How many nodes a stub hides."""
    return f"{'at least ' if mark.at_least else '+'}{mark.hidden:,}"


def _symmetry(game: Game) -> Callable[[State], State]:
    """What two states have in common when they are the same up to symmetry."""
    source = getattr(game, "source", None) or game
    canonical = getattr(source, "canonical", None)
    if canonical is None:
        raise ZermeloError(
            f"{type(source).__name__} has no `canonical`, so it is not known which siblings are symmetric; do not merge them."
        )
    if source is not game:
        states: Sequence[State] = vars(game)["states"]  # a tree keeps those of the game that it was unfolded from
        return lambda node: canonical(states[node])[0]
    return lambda state: canonical(state)[0]


class _Selection:
    """One choice of the nodes to draw."""

    def __init__(
        self,
        outline: Outline,
        limit: int,
        depth: int | None,
        symmetry: Callable[[State], State] | None,
        information: bool | None,
        only: Sequence[str],
    ) -> None:
        self.outline, self.limit, self.symmetry, self.information = outline, limit, symmetry, information
        self.only = Wanted(only)
        self.deepest = depth
        parents = outline.parents
        self.below: list[list[int]] = [[] for _ in parents]
        self.sizes = [1 + outline.beyond.get(node, 0) for node in range(len(parents))]
        for node in range(len(parents) - 1, 0, -1):
            self.sizes[parents[node]] += self.sizes[node]
        for node in range(1, len(parents)):
            self.below[parents[node]].append(node)
        self.line = set(outline.line)
        self.marks: dict[int, Mark] = {}  # drawn nodes
        self.shown: dict[int, list[int]] = {}  # drawn node → its drawn children
        self.stub: dict[int, int] = {}  # drawn node → nodes that its stub hides
        self.depth = {0: 0}

    def scene(self) -> Scene:
        self._draw(0)
        for node in (0, *self.outline.line):
            if node in self.marks:
                self._open(node)
        waiting = deque([0])
        while waiting:
            node = waiting.popleft()
            if node not in self.shown:
                self._open(node)
            waiting.extend(self.shown[node])
        self.only.judge()
        return Scene(self.outline.title, self.outline.game, self._ordered(), self.information is True)

    def _draw(self, node: int) -> None:
        mark = self.marks[node] = self.outline.mark(node)
        mark.node = node
        if self.information is False:
            mark.information = None
        mark.chosen = node in self.line or (node == 0 and bool(self.line))

    def _open(self, node: int) -> None:
        """Draw the children of a node, as many as there is room for."""
        self.shown[node] = []
        children = self.only.among(node, self.marks[node].kind == "chance", [(child, self._action(child)) for child in self.below[node]])
        hidden = self.outline.beyond.get(node, 0) + sum(self.sizes[child] for child in set(self.below[node]).difference(children))
        room = self.limit - len(self.marks)
        if self.deepest is not None and self.depth[node] >= self.deepest:
            room = 0
        groups = self._groups(children) if room > 0 else [[child] for child in children]
        keep = set(range(len(groups))) if len(groups) <= room else self._first(groups, room, node)
        for number, group in enumerate(groups):
            if number not in keep:
                hidden += sum(self.sizes[child] for child in group)
                continue
            child = next((each for each in group if each in self.line), group[0])
            self.depth[child] = self.depth[node] + 1
            if child not in self.marks:
                self._draw(child)
            self.marks[child].copies = len(group)
            self.shown[node].append(child)
        if hidden:
            self.stub[node] = hidden

    def _action(self, child: int) -> str:
        return self.outline.mark(child).action if self.only.texts else ""

    def _first(self, groups: list[list[int]], room: int, node: int) -> set[int]:
        """Where not all fit: the chosen one and the first; none at all away from the chosen line, if that is less than half of them."""
        if room <= 0:
            return set()
        chosen = {number for number, group in enumerate(groups) if any(child in self.line for child in group)}
        if not chosen and node != 0 and 2 * room < len(groups):
            return set()
        return chosen | set(range(room - len(chosen)))

    def _groups(self, children: list[int]) -> list[list[int]]:
        """Siblings that look the same up to symmetry, together; each alone where they are not merged."""
        if self.symmetry is None:
            return [[child] for child in children]
        groups: dict[Any, list[int]] = {}
        for child in children:
            mark = self.outline.mark(child)
            groups.setdefault((self.symmetry(self.outline.state(child)), mark.value, mark.pruned), []).append(child)
        return list(groups.values())

    def _ordered(self) -> list[Mark]:
        """The drawn marks with parents before children, each stub behind its siblings."""
        marks: list[Mark] = []
        waiting: list[tuple[int, int]] = [(-1, 0)]
        while waiting:
            parent, node = waiting.pop()
            number = len(marks)
            if node < 0:
                above, hidden = marks[parent], self.stub[-node - 1]
                marks.append(Mark("fold", parent, hidden=hidden, at_least=bool(self.outline.beyond), pruned=above.pruned))
                continue
            mark = self.marks[node]
            mark.parent = parent
            marks.append(mark)
            if node in self.stub:
                waiting.append((number, -node - 1))
            waiting.extend((number, child) for child in reversed(self.shown.get(node, [])))
        return marks
