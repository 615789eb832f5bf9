"""What the site adds to the pages as they lie in the repository: a picture for every game, titles of files, and the pages of the root."""

import re
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

from zermelo import Game, Tree, ZermeloError, draw, unfold
from zermelo.registry import find, names
from zermelo.rules import ask, has
from zermelo.web.offers import cover

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^(`{3,})(\w+) (\S+)$", flags=re.MULTILINE)  # ```python mygame.py: a file of that name
OUTSIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
SCRIPT = re.compile(r'<script type="module">(?:(?!</script>).)*?mermaid.*?</script>', flags=re.DOTALL)
WIDTH = 360


def on_config(config: Any) -> Any:
    """Every game has its place in the menu."""
    for entry in config.nav:
        if "Games" in entry:
            entry["Games"] += [f"games/{page.name}" for page in sorted((ROOT / "docs" / "games").glob("*.md")) if page.stem != "README"]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Pages of the repository's root belong to the site as well."""
    for source, target in OUTSIDE.items():
        files.append(File.generated(config, target, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Pictures and titles."""
    text = FENCE.sub(r'\1\2 title="\3"', markdown).replace("```output", "```text")
    for source, target in OUTSIDE.items():
        text = text.replace(f"(../{source}", f"({target}").replace(f"({source}", f"({target}")
    if page.file.src_uri in OUTSIDE.values():
        text = text.replace("(docs/", "(")
    name = Path(page.file.src_uri).stem
    if page.file.src_uri.startswith("games/") and name in names():
        head, newline, rest = text.partition("\n")
        text = f"{head}{newline}\n{figure(find(name))}\n{rest}"
    return text


def on_post_page(output: str, **_: Any) -> str:
    """Nothing is fetched from elsewhere: notebooks have no diagrams that would need a script for them."""
    return SCRIPT.sub("", output)


def figure(game: Game) -> str:
    """The picture of a game: its tree where it is one, a position in the middle of a game elsewhere."""
    drawn = draw.svg(game, limit=40) if isinstance(game, Tree) else board(game)
    return f'<figure class="game" markdown="0">{drawn}</figure>\n'


def board(game: Game) -> str:
    """The position that stands for the game."""
    state = cover(game, game.start())
    if has(game, "board"):
        with suppress(ZermeloError):  # a board of a kind that has no picture
            return draw.board(game, state, width=WIDTH)
    return f"<pre>{escape(ask(game, 'show', state))}</pre>" if has(game, "show") else draw.svg(unfold(game, depth=1), limit=12)
