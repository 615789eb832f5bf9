"""The notebooks run from top to bottom, and print what they show."""

import json
from pathlib import Path

import pytest

from pages import run_page

NOTEBOOKS = sorted((Path(__file__).resolve().parent.parent / "docs" / "notebooks").glob("*.ipynb"))


def as_page(notebook: Path) -> str:
    """The notebook's cells as the blocks of a page; what a cell has printed is expected of it."""
    parts = []
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        printed = "".join("".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream")
        parts += ["````python", "".join(cell["source"]), "````", "````output", printed.rstrip("\n"), "````"] if printed else []
        parts += [] if printed else ["````python", "".join(cell["source"]), "````"]
    return "\n".join(parts) + "\n"


QUICK = {"1-first-game", "6-own-game"}  # nothing is compiled there


def paced(notebook: Path) -> object:
    """A notebook as a parameter; a long one is for the slow tests."""
    return pytest.param(notebook, id=notebook.stem, marks=[] if notebook.stem in QUICK else [pytest.mark.slow])


def test_there_are_six_notebooks() -> None:
    assert len(NOTEBOOKS) == 6


@pytest.mark.parametrize("notebook", [paced(path) for path in NOTEBOOKS])
def test_a_notebook_runs_and_prints_what_it_shows(notebook: Path, tmp_path: Path) -> None:
    run_page(notebook.name, as_page(notebook), tmp_path)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_was_run_without_an_error(notebook: Path) -> None:
    cells = [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert any(cell["outputs"] for cell in cells)
    assert not [output for cell in cells for output in cell["outputs"] if output["output_type"] == "error"]
