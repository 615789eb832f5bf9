"""The house in order: what is imported when, how large files are, what names are public, and what may not be written down."""

import ast
import json
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "zermelo"
HEAVY = {"numba", "llvmlite", "numpy", "scipy", "matplotlib"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def dotted(path: Path) -> str:
    """The module's name for `import`."""
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def tracked_files() -> Iterator[Path]:
    """The files of the project; outside a git checkout, all that are neither hidden nor made by a tool."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0:
        yield from (ROOT / file for file in listed.stdout.decode().split("\0") if file and (ROOT / file).is_file())
    else:
        for folder in ("src", "tests", "docs", "examples", "benchmarks", ".ci"):
            yield from (file for file in (ROOT / folder).rglob("*") if file.is_file() and file.suffix != ".pyc")


def loaded_by(program: str) -> set[str]:
    """The heavy libraries that a fresh Python has loaded after running the program."""
    report = f"{program}\nimport json, sys\nprint('loaded', json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    modules = json.loads(done.stdout.rpartition("loaded ")[2])
    assert "zermelo" in modules
    return HEAVY & set(modules)


# --- what loads when


COMMANDS = ("--help", "best --help", "games", "tree kqj")


def test_importing_zermelo_loads_nothing_heavy() -> None:
    assert loaded_by("import zermelo") == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_light_commands_load_nothing_heavy(command: str) -> None:
    program = f"from zermelo.cli import main\ntry: main({command.split()!r})\nexcept SystemExit as end: assert not end.code, end.code"
    assert loaded_by(program) == set()


# These calculate with arrays, so they load NumPy; everybody else loads them only when there is something to calculate.
WITH_ARRAYS = (
    *(PACKAGE / part for part in ("engine", "equilibrium", "solve", "interop", "search/network", "learn/network")),
    *(PACKAGE / "search").rglob("compiled*.py"),
    PACKAGE / "learn" / "compiled.py",
)


def test_modules_without_arrays_load_nothing_heavy() -> None:
    light = [dotted(path) for path in MODULES if not any(map(path.is_relative_to, WITH_ARRAYS)) and path.name != "__main__.py"]
    assert len(light) > 50
    assert loaded_by("import importlib\n" + "\n".join(f"importlib.import_module({module!r})" for module in light)) == set()


# --- size and shape


def lines_of_code(path: Path) -> int:
    """Lines that hold code: no blank lines, comments or docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            docstrings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    silent = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}
    code: set[int] = set()
    with tokenize.open(path) as source:
        for token in tokenize.generate_tokens(source.readline):
            if token.type not in silent:
                code.update(range(token.start[0], token.end[0] + 1))
    return len(code - docstrings)


def test_tic_tac_toe_is_written_in_45_lines_of_code() -> None:
    path = PACKAGE / "games" / "tictactoe.py"
    written = {node.name for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)}
    assert {"start", "player", "actions", "result", "terminal", "utility", "show", "read", "board"} <= written
    assert 20 < lines_of_code(path) <= 45


def test_a_user_writes_a_game_in_40_lines_of_code() -> None:
    assert 20 < lines_of_code(ROOT / "examples" / "mygame.py") <= 40


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_is_one_thing_with_a_purpose(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 600, f"{name(path)} is long: is it two things?"
    assert path.stem not in {"utils", "util", "helpers", "helper", "common", "misc", "manager"}
    tree = ast.parse(text)
    assert not tree.body or ast.get_docstring(tree), f"{name(path)} does not say what it is for"


# Rules files are found by their Game, and kernels are templates that no one imports; everything else says what is public.
WITHOUT_PUBLIC_NAMES = (PACKAGE / "games", PACKAGE / "engine" / "kernels", PACKAGE / "engine" / "kernels" / "parts")


@pytest.mark.parametrize("path", [path for path in MODULES if path.parent not in WITHOUT_PUBLIC_NAMES], ids=name)
def test_public_names_are_listed_and_exist(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if not tree.body or path.name == "__main__.py":
        return
    listed: list[str] | None = None
    defined: set[str] = set()
    lazy = False
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                listed = ast.literal_eval(node.value)
            case ast.Assign(targets=targets):
                defined.update(part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=identifier)):
                defined.add(identifier)
            case ast.FunctionDef(name=identifier) | ast.AsyncFunctionDef(name=identifier) | ast.ClassDef(name=identifier):
                defined.add(identifier)
                lazy = lazy or identifier == "__getattr__"
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                defined.update(alias.asname or alias.name for alias in names)
    if listed is None:
        assert [type(node) for node in tree.body] == [ast.Expr], f"{name(path)} has more than a docstring and no __all__"
    else:
        assert len(listed) == len(set(listed)), f"{name(path)} lists a name twice"
        assert lazy or set(listed) <= defined, f"{name(path)} lists what it does not define: {set(listed) - defined}"


# Both run the program that the specialiser has written from the user's own rules, in the same process. Nothing else may run text.
RUNS_GENERATED_RULES = {"src/zermelo/engine/cache.py", "src/zermelo/engine/emulation.py"}


def test_no_text_is_handed_to_eval() -> None:
    found = set()
    for path in MODULES:
        calls = [node.func for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
        if {"eval", "exec"} & {function.id for function in calls if isinstance(function, ast.Name)}:
            found.add(name(path))
    assert found == RUNS_GENERATED_RULES


# --- what may not be written down


MACHINE = re.compile(r"(?<![\w.~:])/(?:work|root|farm|tmp|home|Users)/\w")
HOSTS = re.compile("|".join(["py" + "pi\\.org", "python" + "hosted", "ana" + "conda\\.org", "npm" + "js\\.com"]))


@pytest.mark.parametrize("pattern", [MACHINE, HOSTS], ids=["paths of one machine", "package hosts"])
def test_tracked_files_do_not_name(pattern: re.Pattern[str]) -> None:
    found = []
    for file in tracked_files():
        if file == Path(__file__):
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if pattern.search(line):
                found.append(f"{name(file)}:{number}: {line.strip()}")
    assert not found


def test_the_patterns_can_find_something() -> None:
    assert MACHINE.search('open("/ro' + 'ot/file")')
    assert MACHINE.search("/tm" + "p/x")
    assert not MACHINE.search("docs/tm" + "p/x, ~/wo" + "rk/x and https://example.org/wo" + "rk/x")
    assert HOSTS.search("https://py" + "pi.org/simple")


def test_tracked_files_are_small() -> None:
    assert not [name(file) for file in tracked_files() if file.stat().st_size > 500_000]


# --- what is said twice must be the same


def test_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    init = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    assert f'__version__ = "{project["version"]}"' in init
    assert project["version"] in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_make_target_that_is_mentioned_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / ".ci" / "run"]
    mentioned = {
        word for page in pages for word in re.findall(r"(?:^|[`;$] ?)make ([a-z]+)", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    }
    assert {"run", "test", "lint"} <= mentioned
    assert mentioned <= targets
