"""Everything written is executed: every example of README, docs and examples is run, and every link leads somewhere."""

import dataclasses
import re
import shutil
import textwrap
from pathlib import Path

import click
import pytest

from pages import PageError, blocks, matches, run_page
from zermelo.cli import main
from zermelo.games.kqj import KQJ
from zermelo.results import PerftResult, SearchResult
from zermelo.rules import OPTIONAL_METHODS, Game
from zermelo.search import AlphaBeta, Minimax, Negamax
from zermelo.trees import BackwardInduction

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")])
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


LONG = {  # pages whose examples take more than ten seconds from an empty cache
    "docs/games/fifteenpuzzle.md",
    "docs/howto/add-knowledge.md",
    "docs/howto/compiler-messages.md",
    "docs/howto/databases.md",
    "docs/reference/command-line.md",
    "docs/reference/databases.md",
    "docs/theory/mcts.md",
    "docs/theory/proof.md",
    "docs/tutorial.md",
}


def paced(page: Path) -> object:
    """A page as a parameter; a long one is for the slow tests."""
    return pytest.param(page, id=name(page), marks=[pytest.mark.slow] if name(page) in LONG else [])


def test_long_pages_exist() -> None:
    assert {name(page) for page in PAGES} >= LONG


@pytest.mark.parametrize("page", [paced(page) for page in PAGES])
def test_every_example_of_a_page_runs_and_prints_what_it_says(page: Path, tmp_path: Path) -> None:
    for example in (ROOT / "examples").iterdir():
        if example.is_file():
            shutil.copy(example, tmp_path)
    run_page(name(page), page.read_text(encoding="utf-8"), tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for match in LINK.finditer(prose(page)):
        target = match[1] or match[2]
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path) if path else page
        assert file.exists(), f"{name(page)} links to {target}, which is not there"
        if anchor:
            assert anchor in anchors(file), f"{name(page)} links to {target}, but no heading there has that anchor"


def anchors(page: Path) -> set[str]:
    """The anchors of a page: those it sets itself, and those that its headings get."""
    text = prose(page)
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    own = re.findall(r'<a id="([^"]*)">', text)
    return {*own, *(re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings)}


def test_files_shown_on_pages_are_the_files_in_examples() -> None:
    """A game shown in full is the one in examples/, so that both stay alike."""
    for page in PAGES:
        for block in blocks(page.read_text(encoding="utf-8")):
            original = ROOT / "examples" / (block.file or "")
            if block.file and original.exists():
                assert block.text == original.read_text(encoding="utf-8"), f"{name(page)}:{block.line} differs from examples/{block.file}"


def test_every_script_in_examples_is_run_by_a_page() -> None:
    console = "".join(block.text for page in PAGES for block in blocks(page.read_text(encoding="utf-8")) if block.language == "console")
    for script in (ROOT / "examples").glob("*.py"):
        assert script.name in console, f"no page runs examples/{script.name}"


PICTURES = {  # docs/pictures/<name> is what this command draws
    "overview.svg": "tree tictactoe --position 041263 --engine alphabeta --svg",
    "pruning.svg": "tree pruning --engine alphabeta --svg",
    "mcts.svg": "tree tictactoe --position 0412 --engine mcts --playouts 1000 --seed 1 --limit 30 --svg",
}
MEASURED = {
    "learning.svg": "learning.py",
    "hidden.png": "hidden.py",
    "mcts-strength.svg": "mcts.py",
    "network.svg": "network.py",
}  # what a benchmark has drawn of its measurements
SCREENS = {"workbench-chess.jpg", "workbench-play.jpg", "workbench-lecture.jpg"}  # by tests/web/screens.py


def test_every_picture_is_named_here() -> None:
    assert {picture.name for picture in (ROOT / "docs" / "pictures").iterdir()} == PICTURES.keys() | MEASURED.keys() | SCREENS
    assert all((ROOT / "benchmarks" / benchmark).exists() for benchmark in MEASURED.values())


@pytest.mark.parametrize("picture", [pytest.param(each, marks=[pytest.mark.slow] if "mcts" in each else []) for each in PICTURES])
def test_pictures_are_what_the_command_draws(picture: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*PICTURES[picture].split(), str(tmp_path / picture)])
    assert not ended.value.code
    drawn, kept = tmp_path / picture, ROOT / "docs" / "pictures" / picture
    command = f"zermelo {PICTURES[picture]} docs/pictures/{picture}"
    assert drawn.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8"), f"draw it again: {command}"


# --- references are complete


def reference(page: str) -> str:
    return (ROOT / "docs" / "reference" / page).read_text(encoding="utf-8")


def code_words(text: str) -> set[str]:
    """The first word of everything that stands in `backticks`."""
    return {match[1] for match in re.finditer(r"`(-{0,2}[\w-]+)[^`]*`", text)}


def test_the_rules_reference_has_a_sentence_and_an_example_of_everything() -> None:
    page = reference("rules.md")
    attributes = {"players", "total", "payoffs", "repetition", "word"}
    names = {*Game.__abstractmethods__, *OPTIONAL_METHODS, *attributes}
    assert names <= code_words(prose(ROOT / "docs" / "reference" / "rules.md"))
    examples = "".join(block.text for block in blocks(page) if block.language == "python")
    written = set(re.findall(r"^    def (\w+)\(|^    (\w+)(?:: \w+)? = ", examples, flags=re.MULTILINE))
    assert names <= {word for pair in written for word in pair}


@pytest.mark.parametrize("kind", [SearchResult, PerftResult])
def test_the_results_reference_has_every_field(kind: type) -> None:
    assert {field.name for field in dataclasses.fields(kind)} <= code_words(reference("results.md"))


@pytest.mark.parametrize("search", [AlphaBeta, BackwardInduction, Minimax, Negamax])
def test_the_results_reference_has_every_parameter_of_a_search(search: type) -> None:
    assert {search.__name__, *(field.name for field in dataclasses.fields(search))} <= code_words(reference("results.md"))


def test_the_json_reference_has_every_key_of_a_search() -> None:
    answer = Minimax(backend="reference").search(KQJ)
    assert set(answer.to_dict()) <= code_words(prose(ROOT / "docs" / "reference" / "json.md"))


def test_the_command_line_reference_has_every_command_and_option_and_no_other() -> None:
    general, *sections = re.split(r"^## `zermelo (\w+)[^`]*`$", reference("command-line.md"), flags=re.MULTILINE)
    common = set(re.findall(r"(?<=`)--[\w-]+", general))
    described = dict(zip(sections[::2], sections[1::2], strict=True))
    context = click.Context(main)
    assert set(described) == set(main.list_commands(context))
    for command_name, section in described.items():
        command = main.get_command(context, command_name)
        assert command is not None
        options = [set(parameter.opts) for parameter in command.params if isinstance(parameter, click.Option)]
        listed = set(re.findall(r"^\| `(--[\w-]+)", section, flags=re.MULTILINE))
        assert all(spellings & (listed | common) for spellings in options), f"zermelo {command_name}"
        assert listed <= set().union(*options), f"zermelo {command_name}"


# --- the runner itself: it must notice when a page is wrong


def page_of(*parts: str) -> str:
    return "\n".join(textwrap.dedent(part).strip() for part in parts) + "\n"


def test_blocks_carry_language_file_and_line() -> None:
    found = list(blocks("text\n```python mygame.py\nx = 1\n```\n\n````\n```\n````\n"))
    assert [(block.language, block.file, block.text, block.line) for block in found] == [
        ("python", "mygame.py", "x = 1\n", 3),
        ("", None, "```\n", 7),
    ]


def test_an_open_block_is_an_error() -> None:
    with pytest.raises(PageError, match="never closed"):
        list(blocks("```python\nx = 1\n"))


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("one\ntwo", "one\ntwo\n", True),
        ("one\ntwo", "one\nthree\n", False),
        ("one", "one\ntwo\n", False),
        ("one\n…", "one\ntwo\nthree\n", True),
        ("…\nthree", "one\ntwo\nthree\n", True),
        ("…\ntwo", "one\ntwo\nthree\n", False),
        ("took … s", "took 0.31 s\n", True),
        ("took … s", "took 0.31\ns\n", False),
        ("a ─── b", "a  ─ b\n", True),
        ("", "", True),
        ("", "something\n", False),
    ],
)
def test_shown_and_printed_text_are_compared(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) is same


@pytest.mark.parametrize(
    "page",
    [
        page_of("```python", "print(1)", "```", "```output", "2", "```"),
        page_of("```console", "$ zermelo --version", "something else", "```"),
        page_of("```console", "$ zermelo no-such-command", "…", "```"),
        page_of("```console", "$ zermelo no-such-command", "…", "$ echo $?", "0", "```"),
        page_of("```console", "$ rm -r folder", "```"),
        page_of("```console", "output without a command", "```"),
    ],
    ids=["output", "console", "failure", "exit code", "another program", "no command"],
)
def test_a_wrong_page_is_noticed(page: str, tmp_path: Path) -> None:
    with pytest.raises(PageError):
        run_page("page.md", page, tmp_path)


def test_errors_name_the_line_of_the_page(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        run_page("page.md", page_of("text", "", "```python", "x = 0", "1 / x", "```"), tmp_path)
    assert caught.traceback[-1].lineno + 1 == 5


def test_files_of_a_page_can_be_imported_and_are_forgotten(tmp_path: Path) -> None:
    page = page_of("```python own.py", "x = 3", "```", "```python", "import own", "print(own.x)", "```", "```output", "3", "```")
    run_page("page.md", page, tmp_path)
    assert (tmp_path / "own.py").exists()
    with pytest.raises(ModuleNotFoundError):
        __import__("own")
