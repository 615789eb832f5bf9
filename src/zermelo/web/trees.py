"""The tree lab: trees drawn, opened or unfolded; a search on them, step by step; subtrees and steps are sent when they are asked for."""

import re
import secrets
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from zermelo.draw.explain import sentences
from zermelo.draw.number_words import text_of
from zermelo.draw.outlines import outline_of
from zermelo.draw.scene import Outline
from zermelo.errors import ZermeloError
from zermelo.formats.efg import tree_from_efg, tree_to_efg
from zermelo.formats.json import tree_from_json, tree_to_json
from zermelo.limits import Limits
from zermelo.play.algorithms import make_algorithm, search, suited, unfinished
from zermelo.play.setup import open_position
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Action, Game, State, chance_weights, hidden_information, legal_actions, player_role
from zermelo.trees.trace import Event, Recorder, Trace
from zermelo.trees.tree import ROOT, Tree
from zermelo.trees.tree_size import statistics
from zermelo.trees.unfolding import unfold
from zermelo.web.channel import Connection, Handler, Tell
from zermelo.web.editing import ORDERS, editable, ordered, tree_from_editable
from zermelo.web.jobs import Job
from zermelo.web.messages import BadMessageError, choice, text, whole
from zermelo.web.offers import title_of
from zermelo.web.views import drawn
from zermelo.web.workbench import Workbench

__all__ = ["ALGORITHMS", "HANDLERS", "Lab", "export", "outgrows"]

ALGORITHMS = ("none", "minimax", "alphabeta", "negamax", "expectiminimax", "star1", "star2", "backward", "maxn", "paranoid")
MINUS = re.compile(r"(?<!\w)-(?=[\d∞])")
FIRST_NODES = 260  # sent at once with a tree
MOST_NODES = 4_000  # in one answer
MOST_STEPS = 1_000
EDITABLE = 600  # nodes of a tree that the page can edit
MEASURED = 20_000  # nodes of a tree up to which best and worst orders are tried out
FIRST_LEVELS = 100  # levels are counted until they hold this part of what may be shown: one node in so many
SAMPLE = 40  # nodes of a level that stand for all of it
FORESEEN = 4  # levels that are foreseen from there
MARGIN = 4  # by so much a tree must be foreseen to be too large
WITH_BOARDS = 400  # nodes up to which boards are drawn in them


@dataclass
class Lab:
    """One tree of one browser, with the search on it."""

    tree: Tree
    subject: Tree | Trace
    result: SearchResult | None
    outline: Outline
    below: list[list[int]]  # [node] → nodes below it
    sizes: list[int]  # [node] → nodes of its subtree
    on_line: set[int] = field(default_factory=set)  # nodes of best play
    words: list[str] = field(default_factory=list)  # of the steps told so far
    telling: Iterator[str] = field(default_factory=lambda: iter(()))

    @classmethod
    def of(cls, tree: Tree, subject: Tree | Trace, result: SearchResult | None, boards: bool = True) -> "Lab":
        outline = outline_of(subject, boards=boards and len(tree) <= WITH_BOARDS)
        parents = outline.parents
        below: list[list[int]] = [[] for _ in parents]
        sizes = [1] * len(parents)
        for node in range(len(parents) - 1, 0, -1):
            sizes[parents[node]] += sizes[node]
        for node in range(1, len(parents)):
            below[parents[node]].append(node)
        made = cls(tree, subject, result, outline, below, sizes, {ROOT, *outline.line} if outline.line else set())
        if isinstance(subject, Trace):
            made.telling = sentences(subject)
        return made

    @property
    def events(self) -> tuple[Event, ...]:
        return self.subject.events if isinstance(self.subject, Trace) else ()

    def node(self, number: int) -> dict[str, Any]:
        """One node for the page; what is empty is left out."""
        mark = self.outline.mark(number)
        facts = {
            "i": number,
            "p": self.outline.parents[number],
            "k": mark.kind,
            "y": None if mark.player is None or mark.player == CHANCE else player_role(self.outline.game, mark.player),
            "v": mark.value.replace("-", "−"),
            "a": mark.action,
            "l": mark.label,
            "w": mark.window.replace("-", "−"),
            "n": mark.note,
            "q": mark.probability,
            "o": mark.optimal,
            "c": number in self.on_line,
            "x": mark.pruned,
            "u": mark.cut,
            "s": mark.information,
            "m": len(self.below[number]),
            "d": self.sizes[number],
            "b": drawn(mark.board) if isinstance(mark.board, dict) else None,
        }
        return {name: fact for name, fact in facts.items() if fact not in (None, "", False) or name in ("i", "p", "m")}

    @property
    def visited(self) -> int:
        """Nodes that the search entered; those that it skipped have higher numbers."""
        return len(self.subject.visits) if isinstance(self.subject, Trace) else len(self.subject)

    def spread(self, roots: list[int], budget: int) -> list[int]:
        """Nodes level by level below these, whole families only, at most about so many."""
        found: list[int] = []
        waiting = deque(roots)
        while waiting:
            node = waiting.popleft()
            if len(found) + len(self.below[node]) > budget and found:
                continue
            found.extend(self.below[node])
            waiting.extend(self.below[node])
        return found

    def steps(self, first: int, count: int) -> list[dict[str, Any]]:
        """Some steps of the search, each with its sentence."""
        last = min(first + count, len(self.events))
        while len(self.words) < last:
            self.words.append(next(self.telling))
        return [self._step(number) for number in range(first, last)]

    def _step(self, number: int) -> dict[str, Any]:
        event = self.events[number]
        step: dict[str, Any] = {"step": event.kind, "node": event.node, "words": signs(self.words[number])}
        if event.value is not None:
            step["value"] = text_of(event.value).replace("-", "−")
        if event.alpha is not None and event.beta is not None:
            step["window"] = [text_of(event.alpha).replace("-", "−"), text_of(event.beta).replace("-", "−")]
        if event.child is not None:
            step |= {"child": event.child, "improved": event.improved}
        if event.reason is not None:
            step["reason"] = event.reason
        if event.kind == "cutoff":
            step["skipped"] = [child for child in self.below[event.node] if child >= self.visited]
        return step


def signs(words: str) -> str:
    """Numbers with minus signs; words keep their hyphens."""
    return MINUS.sub("−", words)


def tree_of(bench: Workbench, source: Any) -> Tree:
    """The tree that a message describes: by its data, a file's text, the name of a tree on offer, or a position of a game."""
    if not isinstance(source, dict):
        raise BadMessageError("The message needs a source.")
    kind = choice(source, "kind", ("data", "text", "game"))
    if kind == "data":
        return tree_from_editable(source.get("data"))
    if kind == "text":
        return tree_of_text(text(source, "name", "file.json", 300), text(source, "text", most=bench.bounds.message))
    game = bench.offers.open(text(source, "game", most=bench.bounds.text))
    moves = text(source, "moves", "", bench.bounds.text)
    if isinstance(game, Tree) and not moves and source.get("depth") is None:
        return game
    depth = None if source.get("depth") is None else whole(source, "depth", 0, 100)
    place = open_position(game, moves)
    try:
        if outgrows(game, place.state, depth, bench.bounds.shown):
            raise ZermeloError(f"The tree has more than {bench.bounds.shown:,} nodes.")
        tree = unfold(game, place.state, depth, bench.bounds.shown)
    except ZermeloError as error:
        raise ZermeloError(f"{str(error).rstrip('.')}: {fitting(game, place.state, depth, bench.bounds.shown)}") from None
    return replace(tree, names=game.names) if isinstance(game, Tree) else tree


def fitting(game: Game, state: State, depth: int | None, most: int) -> str:
    """Which depth fits, in words; a tenth of what may be shown is counted, so that the answer comes soon."""
    fits = 0
    for level in range(1, depth or 100):
        try:
            unfold(game, state, level, most // 10)
        except ZermeloError:
            break
        fits = level
    return f"{fits} deep fits." if fits else "choose a later position."


def outgrows(game: Game, state: State, depth: int | None, most: int) -> bool:
    """Is the tree by far too large, as its first levels grow? So much is said at once, not after all that fits has been unfolded."""
    levels, row = [1.0], [state]
    while row and sum(levels) < most / FIRST_LEVELS:
        seen = row[:: -(-len(row) // SAMPLE)]
        row = [game.result(each, action) for each in seen if not game.terminal(each) for action in actions_from(game, each)]
        levels.append(levels[-1] * len(row) / len(seen))
    if len(levels) < 3 or not row:
        return False
    *_, before, last, now = levels
    growth, change, total, level = now / last, (now / last) / (last / before), sum(levels), now
    for _ in range(min(FORESEEN, FORESEEN if depth is None else max(0, depth - len(levels) + 1))):
        growth *= min(1.0, change)
        level *= growth
        total += level
    return total > MARGIN * most


def actions_from(game: Game, state: State) -> Iterable[Action]:
    """Every action there, those of chance too."""
    return [action for action, _ in chance_weights(game, state)] if game.player(state) == CHANCE else legal_actions(game, state)


def title_of_source(bench: Workbench, source: Any, tree: Tree) -> str:
    """What the page calls a tree: by its own title, or by that of the game from which it was unfolded."""
    if source["kind"] != "game":
        return tree.title
    return title_of(source["game"], bench.offers.open(source["game"]))


def tree_of_text(name: str, content: str) -> Tree:
    """The tree in a file that was chosen in the browser: JSON or `.efg`. Rules are never taken from there."""
    if name.lower().endswith(".efg"):
        return tree_from_efg(content)
    if name.lower().endswith(".json"):
        return tree_from_json(content, name)
    raise ZermeloError(
        f"{name} is not a tree: choose a .json or an .efg file. Rules of your own are given at the start, as `zermelo web FILE`."
    )


def natural(tree: Tree) -> str:
    """The search that fits a tree."""
    if hidden_information(tree):
        return "none"
    if tree.players <= 2 and tree.total is not None:
        return "expectiminimax" if CHANCE in tree.movers else "alphabeta"
    return "backward"


def searched(
    tree: Tree, engine: str, most: int, job: Job | None = None, tell: Tell | None = None
) -> tuple[Tree | Trace, SearchResult | None]:
    """The textbook's search on a tree, recorded; the bare tree for none."""
    if engine == "none":
        return tree, None
    recorder = Recorder(tree, engine)
    wanted = suited(engine, textbook=True, backend="reference", memory=0, limit=most)
    progress = None if tell is None else lambda nodes: tell({"nodes": nodes})
    limits = Limits(nodes=most, stop=None if job is None else job.stop, progress=progress)
    result = search(make_algorithm(engine, **wanted), tree, ROOT, (), limits, recorder)
    if unfinished(result):
        raise ZermeloError(f"The search was stopped, or has more than {most:,} nodes: choose a smaller depth.")
    return recorder.trace(), result


async def run(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """A tree is opened and searched."""
    bench = connection.bench
    asked = choice(message, "engine", ("auto", *ALGORITHMS), "auto")
    order = choice(message, "order", ORDERS, "drawn")
    seed = whole(message, "seed", 0, 1 << 31, 0)
    source = message.get("source")

    def work(job: Job, tell: Tell) -> dict[str, Any]:
        tree = ordered(tree_of(bench, source), order, seed)
        engine = natural(tree) if asked == "auto" else asked
        subject, result = searched(tree, engine, bench.bounds.shown, job, tell)
        lab = Lab.of(tree, subject, result)
        identity = secrets.token_urlsafe(6)
        bench.call(keep, connection, identity, lab)
        named = {"title": title_of_source(bench, source, tree)}
        return {"lab": identity, "engine": engine, **summary(lab), **named, "orders": orders(tree, engine, order, job)}

    return {"job": connection.start(work)}


def keep(connection: Connection, identity: str, lab: Lab) -> None:
    """A tree is kept for its browser; the oldest gives way."""
    connection.trees[identity] = lab
    while len(connection.trees) > connection.bench.bounds.trees:
        connection.trees.popitem(last=False)


def summary(lab: Lab) -> dict[str, Any]:
    """What a page needs to begin with."""
    tree, result = lab.tree, lab.result
    first = [ROOT, *lab.spread([ROOT], FIRST_NODES)]
    return {
        "title": tree.title,
        "size": len(tree),
        "players": tree.players,
        "zeroSum": tree.players == 2 and tree.total is not None,
        "names": [player_role(tree, player) for player in range(tree.players)],
        "data": editable(tree) if len(tree) <= EDITABLE else None,
        "nodes": [lab.node(node) for node in first],
        "drawn": len(lab.below),
        "steps": len(lab.events),
        "value": None if result is None else text_of(result.value).replace("-", "−"),
        "line": [] if result is None else result.line_names(),
        "visited": None if result is None else result.nodes,
        "cuts": None if result is None else [result.alpha_cuts, result.beta_cuts],
        "statistics": statistics(lab.subject).to_dict(),
        "whole": statistics(tree).to_dict(),
        "notes": [] if result is None else list(result.notes),
    }


def orders(tree: Tree, engine: str, order: str, job: Job) -> dict[str, Any] | None:
    """Nodes and leaves that alpha-beta visits with the best, and with the worst move first; None where that does not fit."""
    fits = engine in ("alphabeta", "minimax", "negamax") and len(tree) <= MEASURED and tree.players == 2 and CHANCE not in tree.movers
    if not fits or tree.total is None or hidden_information(tree):
        return None
    counted = {}
    for how in ("drawn", "best", "worst"):
        subject, result = searched(ordered(tree, how), "alphabeta", MEASURED * 2, job)
        assert isinstance(subject, Trace)
        assert result is not None
        counted["here" if how == "drawn" else how] = {"nodes": result.nodes, "leaves": statistics(subject).leaves}
    return counted


def lab_of(connection: Connection, message: dict[str, Any]) -> Lab:
    lab = connection.trees.get(text(message, "lab"))
    if lab is None:
        raise ZermeloError("This tree is no longer kept: open it again.")
    kept: Lab = lab
    return kept


async def nodes(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """Subtrees that were opened."""
    lab = lab_of(connection, message)
    wanted = message.get("open")
    if not isinstance(wanted, list) or not all(isinstance(node, int) and 0 <= node < len(lab.below) for node in wanted):
        raise BadMessageError("The message needs nodes to open.")
    budget = whole(message, "budget", 1, MOST_NODES, 60)
    return await connection.bench.aside(lambda: {"nodes": [lab.node(node) for node in lab.spread(wanted, budget)]})


async def steps(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """Steps of the search, with the nodes that they are about and those above them."""
    lab = lab_of(connection, message)
    first, count = whole(message, "from", 0, 1 << 31), whole(message, "count", 1, MOST_STEPS)
    return await connection.bench.aside(told_steps, lab, first, count)


def told_steps(lab: Lab, first: int, count: int) -> dict[str, Any]:
    """Some steps and their nodes, for the page."""
    found = lab.steps(first, count)
    named: set[int] = set()
    for step in found:
        node = step["node"]
        while node >= 0 and node not in named:
            named.add(node)
            node = lab.outline.parents[node]
        named.update(step.get("skipped", ()))
    whole_families = {child for node in named for parent in [lab.outline.parents[node]] if parent >= 0 for child in lab.below[parent]}
    return {"steps": found, "nodes": [lab.node(node) for node in sorted(named | whole_families)]}


def export(bench: Workbench, wanted: dict[str, Any]) -> tuple[str, str]:
    """A tree as the text of a file, and the file's ending."""
    from zermelo import draw

    form = choice(wanted, "format", ("svg", "dot", "tikz", "json", "efg"))
    tree = ordered(tree_of(bench, wanted.get("source")), choice(wanted, "order", ORDERS, "drawn"), whole(wanted, "seed", 0, 1 << 31, 0))
    if form == "json":
        return tree_to_json(tree), "json"
    if form == "efg":
        return tree_to_efg(tree), "efg"
    engine = choice(wanted, "engine", ALGORITHMS, "none")
    subject, _ = searched(tree, engine, bench.bounds.shown)
    makers = {"svg": draw.svg, "dot": draw.dot, "tikz": draw.tikz}
    return makers[form](subject, limit=whole(wanted, "limit", 1, 5_000, 300)), {"tikz": "tex"}.get(form, form)


HANDLERS: dict[str, Handler] = {"tree.run": run, "tree.nodes": nodes, "tree.steps": steps}
