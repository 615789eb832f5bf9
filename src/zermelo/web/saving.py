"""A page as one HTML file: the modules that it needs, its styles, and everything that it would have asked the workbench for.

Modules are kept as they are: an import map leads their names to the texts in the file. Only the channel is another one, which answers from
what was saved. Nothing is fetched, and no move is known that was not played.
"""

import base64
import html
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.web.editing import ORDERS, ordered
from zermelo.web.messages import choice, pack, text, whole
from zermelo.web.offers import title_of
from zermelo.web.trees import ALGORITHMS, FIRST_NODES, Lab, natural, searched, summary, title_of_source, told_steps, tree_of
from zermelo.web.views import token
from zermelo.web.workbench import Workbench

__all__ = ["page"]

MODULES = {
    "play": ("dom.js", "picker.js", "picture.js", "board.js", "seats.js", "play.js"),
    "tree": (
        "dom.js",
        "picture.js",
        "link.js",
        "work.js",
        "lecture.js",
        "stepper.js",
        "tree-editor.js",
        "tree-model.js",
        "tree-view.js",
        "tree-lab.js",
    ),
}
STYLES = ("base.css", "play.css", "lab.css")
MOST_PLACES = 600  # positions of a saved match
MOST_STEPS = 20_000  # of a saved search

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
<script type="importmap">{imports}</script>
</head>
<body class="saved">
<main id="main" tabindex="-1"></main>
<div id="toasts" class="toasts" role="alert"></div><div id="announce" class="unseen" role="status" aria-live="polite"></div>
<script type="application/json" id="saved">{data}</script>
<script type="module">import "zermelo/saved.js";</script>
</body>
</html>
"""


def page(bench: Workbench, wanted: dict[str, Any], files: dict[str, tuple[bytes, str]]) -> str:
    """The file for a match (`table`) or for a searched tree (`source`)."""
    data = match_data(bench, text(wanted, "table")) if "table" in wanted else tree_data(bench, wanted)
    kind = data["page"]
    texts = {name: files[name][0].decode() for name in (*MODULES[kind], "saved.js")}
    texts["channel.js"] = files["saved-channel.js"][0].decode()
    imports = {f"zermelo/{name}": address(script) for name, script in texts.items()}
    style = "\n".join(files[name][0].decode() for name in STYLES).replace("</", "<\\/")
    safe = pack(data).replace("<", "\\u003c")
    return PAGE.format(title=html.escape(f"{data['title']} · Zermelo"), style=style, imports=pack({"imports": imports}), data=safe)


def address(script: str) -> str:
    """A module's text as its own address; it knows the others by their names."""
    named = script.replace('"/static/', '"zermelo/')
    return "data:text/javascript;base64," + base64.b64encode(named.encode()).decode()


def match_data(bench: Workbench, identity: str) -> dict[str, Any]:
    """Every position of a match, as the page would have been told."""
    table = bench.tables.find(identity)
    if table.secret and not table.record.match().over:
        raise ZermeloError("Something is hidden in this match: it can be saved when it is over.")
    if len(table.record.moves) > MOST_PLACES:
        raise ZermeloError(f"This match has more than {MOST_PLACES} positions: save a shorter one.")
    now, states = table.record.now, []
    try:
        for place in range(len(table.record.moves)):
            table.record.now = place
            states.append({**table.state(), "running": False, "thinking": False})
    finally:
        table.record.now = now
    children = [[[below, token(table.record.moves[below].action)] for below in family] for family in table.record.below]
    return {"page": "play", "title": title_of(table.text, table.game), "now": now, "states": states, "children": children}


def tree_data(bench: Workbench, wanted: dict[str, Any]) -> dict[str, Any]:
    """A tree with all of its nodes, and the steps of the search on it."""
    order, asked = choice(wanted, "order", ORDERS, "drawn"), choice(wanted, "engine", ("auto", *ALGORITHMS), "auto")
    tree = ordered(tree_of(bench, wanted.get("source")), order, whole(wanted, "seed", 0, 1 << 31, 0))
    engine = natural(tree) if asked == "auto" else asked
    subject, result = searched(tree, engine, bench.bounds.shown)
    lab = Lab.of(tree, subject, result)
    if len(lab.events) > MOST_STEPS or len(lab.below) > MOST_STEPS:
        raise ZermeloError(f"This search has more than {MOST_STEPS:,} steps or nodes: save a smaller one.")
    found = {"lab": "saved", "engine": engine, **summary(lab), "title": title_of_source(bench, wanted["source"], tree), "orders": None}
    steps = told_steps(lab, 0, len(lab.events)) if lab.events else {"steps": [], "nodes": []}
    rest = [lab.node(node) for node in range(len(lab.below))] if len(lab.below) > FIRST_NODES else []
    source = {name: value for name, value in wanted["source"].items() if name != "text"}
    return {"page": "tree", "title": found["title"], "found": found, "steps": steps["steps"], "nodes": rest, "source": source}
