"""The house in order: what is imported when, what may not be written down, and what is said twice."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "zermelo"
HEAVY = {"llvmlite", "numpy", "scipy", "matplotlib"}
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
    *(PACKAGE / part for part in ("runtime", "compiler", "equilibrium", "solve", "interop", "search/montecarlo/network", "learn/network")),
    *PACKAGE.rglob("*_kernel.py"),
    *PACKAGE.rglob("*_driver.py"),
    *(PACKAGE / "search" / name for name in ("kept_table.py", "oracle_arrays.py", "proof/proof_table.py")),
)


def test_modules_without_arrays_load_nothing_heavy() -> None:
    light = [dotted(path) for path in MODULES if not any(map(path.is_relative_to, WITH_ARRAYS)) and path.name != "__main__.py"]
    assert len(light) > 50
    assert loaded_by("import importlib\n" + "\n".join(f"importlib.import_module({module!r})" for module in light)) == set()


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


def test_the_architecture_page_shows_the_layers_of_the_contract() -> None:
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][0]["layers"]
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Where things are")[0]
    shown = [re.findall(r"`(\w+)`", cell) for cell in re.findall(r"^\| (`.*?`) \|", page, flags=re.MULTILINE)]
    layers = [re.findall(r"zermelo\.(\w+)", layer) for layer in contract]
    assert shown == layers
    parts = {path.stem for path in PACKAGE.iterdir() if path.is_dir() or path.suffix == ".py"}
    assert {part for part in parts if not part.startswith("__")} == {part for layer in layers for part in layer}


def test_the_list_of_games_has_every_game() -> None:
    listed = set(re.findall(r"\((\w+)\.md\)", (ROOT / "docs" / "games" / "README.md").read_text(encoding="utf-8")))
    assert listed == {page.stem for page in (ROOT / "docs" / "games").glob("*.md")} - {"README"}


def test_every_make_target_that_is_mentioned_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / ".ci" / "run"]
    mentioned = {
        word for page in pages for word in re.findall(r"(?:^|[`;$] ?)make ([a-z]+)", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    }
    assert {"run", "test", "lint"} <= mentioned
    assert mentioned <= targets
