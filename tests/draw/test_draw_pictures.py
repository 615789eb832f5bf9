"""Text, SVG, DOT, TikZ and JSON: well formed, complete, and nothing said by colour alone."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from recorded import alphabeta, minimax, recorded

from zermelo import draw
from zermelo.draw.boards import miniature, text_width
from zermelo.draw.number_words import probability_texts, text_of, window_text
from zermelo.draw.picture import PALETTE
from zermelo.games.kqj import KQJ
from zermelo.games.kuhn import Kuhn
from zermelo.games.pruning import PRUNING
from zermelo.games.threenim import ThreeNim
from zermelo.games.tictactoe import TicTacToe
from zermelo.scores import Score
from zermelo.trees import BackwardInduction, Chance, Leaf, Max, Min, Tree, unfold

NASTY = Tree.of(Max({'<b> & "x"': Leaf(1, label="50% $_{^~#}\\"), "a|b": Min({"-3 ∞": -3})}), title='<script> & "quotes"')
SVG = "{http://www.w3.org/2000/svg}"

SUBJECTS = {
    "tree": KQJ,
    "minimax": minimax(KQJ),
    "alpha-beta": alphabeta(PRUNING),
    "induction": BackwardInduction().search(KQJ),
    "chance": recorded(BackwardInduction(), Tree.of(Chance(a=(1, Max(x=1, y=2)), b=(0, Min(x=Fraction(1, 3), y=2))))),
    "players": BackwardInduction().search(unfold(ThreeNim(heaps=(1, 2)))),
    "information": unfold(Kuhn()),
    "folded": minimax(TicTacToe(), depth=3),
    "estimates": unfold(TicTacToe(), depth=1),
    "nasty": NASTY,
    "root": Tree.of(5),
}


@pytest.fixture(params=SUBJECTS)
def subject(request: pytest.FixtureRequest) -> object:
    return SUBJECTS[request.param]


def elements(picture: str, tag: str) -> Iterator[ElementTree.Element]:
    return ElementTree.fromstring(picture).iter(f"{SVG}{tag}")


def test_text_of_kqj() -> None:
    assert draw.text(minimax(KQJ)) == (
        "P1A  Max  -1\n"
        "┝━━ CHECK: P2A  Min  -1 ◀\n"
        "│   ┝━━ CHECK: E1  -1 ◀\n"
        "│   └── BET: P1B  Max  -1\n"
        "│       ├── FOLD: E2  -1\n"
        "│       └── CALL: E3  -2\n"
        "└── BET: P2B  Min  -2\n"
        "    ├── FOLD: E4  1\n"
        "    └── CALL: E5  -2\n"
    )


def test_text_of_pruned_and_folded_branches() -> None:
    told = draw.text(alphabeta(PRUNING)).splitlines()
    assert "├── Middle: Min  ≤ -9  [-4, ∞]  α-cut" in told
    assert "│   └── 3: Max  pruned" in told
    folded = draw.text(minimax(TicTacToe(), depth=3), limit=30)
    assert "… 64 more nodes" in folded


def test_text_for_plain_terminals(subject: object) -> None:
    told = draw.text(alphabeta(PRUNING), ascii_only=True)
    assert told.isascii()
    assert "<= -9" in told
    assert draw.text(subject).endswith("\n")  # type: ignore[arg-type]


def test_svg_is_well_formed_and_describes_itself(subject: object) -> None:
    picture = draw.svg(subject)  # type: ignore[arg-type]
    root = ElementTree.fromstring(picture)
    assert root.get("role") == "img"
    assert root.get("aria-label")
    assert root.find(f"{SVG}title") is not None
    description = root.find(f"{SVG}desc")
    assert description is not None
    assert "nodes are drawn" in (description.text or "")
    assert "script" not in {element.tag.removeprefix(SVG) for element in root.iter()}


def test_svg_tells_kinds_by_shape() -> None:
    kqj = draw.svg(minimax(KQJ))
    polygons = [element.get("class", "") for element in elements(kqj, "polygon")]
    assert sum("zt-max" in look for look in polygons) == 2 + 1  # and one in the legend
    assert sum("zt-min" in look for look in polygons) == 2 + 1
    assert sum("zt-end" in element.get("class", "") for element in elements(kqj, "rect")) == 5 + 1
    tops = {}
    for element in elements(kqj, "polygon"):
        corners = [tuple(map(float, pair.split(","))) for pair in element.get("points", "").split()]
        highest = min(y for _, y in corners)
        tops.setdefault(element.get("class", "").split()[1], set()).add(sum(y == highest for _, y in corners))
    assert tops == {"zt-max": {1}, "zt-min": {2}}  # one corner up, two corners up
    chance = draw.svg(SUBJECTS["chance"])  # type: ignore[arg-type]
    assert sum("zt-chance" in element.get("class", "") for element in elements(chance, "circle")) == 1 + 1


def test_svg_lets_the_chosen_line_stand_out() -> None:
    lines = [element.get("class", "") for element in elements(draw.svg(minimax(KQJ)), "line")]
    assert sum("zt-ec" in look for look in lines) == 2 + 1  # CHECK, CHECK, and the legend
    assert "zt-ec{stroke:#0a5fb4;stroke-width:4}" in draw.svg(KQJ)


def test_svg_cuts_pruned_branches_with_two_strokes() -> None:
    picture = draw.svg(alphabeta(PRUNING))
    strokes = [element.get("d", "") for element in elements(picture, "path") if element.get("class") == "zt-cut"]
    assert len(strokes) == 2 + 1  # two branches, and the legend
    assert all(stroke.count("M") == 2 and stroke.count("L") == 2 for stroke in strokes)
    assert sum(element.get("class") == "zt-p" for element in elements(picture, "g")) == 4  # greyed nodes
    assert "[−4, ∞]" in picture
    assert "≤ −9" in picture


def test_svg_has_boards_in_its_nodes() -> None:
    picture = draw.svg(unfold(TicTacToe(), depth=2), merge=True)
    assert sum(element.get("class") == "zt-board" for element in elements(picture, "svg")) == 16
    assert sum(element.get("stroke") == PALETTE["red"] for element in elements(picture, "path")) == 3 + 12  # crosses
    assert "×4" in picture
    without = draw.svg(unfold(TicTacToe(), depth=2), merge=True, boards=False)
    assert 'class="zt-board"' not in without


def test_svg_labels_of_one_row_do_not_overlap() -> None:
    tree = Tree.of(
        Max({f"a rather long name {number}": Min({f"reply {number} {reply}": reply for reply in range(3)}) for number in range(5)})
    )
    rows: dict[str, list[tuple[float, float]]] = {}
    for element in elements(draw.svg(tree), "text"):
        if "zt-l" in element.get("class", "").split():
            half = text_width(element.text or "", 10.5) / 2
            rows.setdefault(element.get("y", ""), []).append((float(element.get("x", "0")) - half, float(element.get("x", "0")) + half))
    assert sorted(map(len, rows.values())) == [5, 15]
    for row in rows.values():
        row.sort()
        assert all(one[1] <= other[0] for one, other in pairwise(row))


def test_text_in_svg_is_escaped() -> None:
    picture = draw.svg(NASTY)
    assert "<script>" not in picture
    texts = [element.text for element in elements(picture, "text")]
    assert '<b> & "x"' in texts


@pytest.mark.parametrize(
    ("board", "tag", "count"),
    [
        ({"kind": "grid", "rows": [["X", "O"], ["", "7"]]}, "rect", 1),
        ({"kind": "grid", "look": "stones", "rows": [["X"] * 8] * 8}, "circle", 2 * 64),  # a disc and its ring
        ({"kind": "grid", "look": "chess", "rows": [["K", "k"]]}, "path", 1 + 2 * 4),  # the dark square; a king has four parts
        ({"kind": "hexes", "rows": [["X", ""], ["", "O"]]}, "polygon", 4),
        ({"kind": "graph", "points": [[0, 0], [1, 0]], "lines": [[0, 1]], "marks": ["X", ""]}, "circle", 2 + 2),
        ({"kind": "pits", "rows": [[4, 4], [0, 2]], "stores": [0, 3]}, "circle", 4 + 13),
        ({"kind": "piles", "piles": [3, 4, 500]}, "rect", 3 + 3 + 4 + 100),
        ({"kind": "dots", "size": [1, 2], "lines": [["h", 0, 0]]}, "circle", 6),
        ({"kind": "cards", "hands": {"Max": ["K", "?"], "table": []}, "caption": "pot 3"}, "rect", 2 + 2),
        ({"kind": "dice", "dice": [[1, 6], ["?"]]}, "circle", 7),
        ({"kind": "dice", "dice": [[]]}, "circle", 0),
        ({"kind": "points", "points": [["X", 2], ["", 0], ["O", 1]], "bar": [0, 1], "off": [0, 0]}, "circle", 2 * 4),
    ],
)
def test_boards_in_miniature(board: dict[str, object], tag: str, count: int) -> None:
    made = miniature(board)
    assert made is not None
    assert made.width > 0
    assert made.height > 0
    drawn = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{made.svg}</svg>')
    assert len(list(drawn.iter(f"{SVG}{tag}"))) == count


def test_boards_of_unknown_kinds_fall_back_to_letters() -> None:
    assert miniature({"kind": "sphere"}) is None
    shown = miniature({"kind": "sphere"}, "X O\n<->")
    assert shown is not None
    assert "X O" in shown.svg
    assert "&lt;-&gt;" in shown.svg


def test_dot(subject: object) -> None:
    told = draw.dot(subject)  # type: ignore[arg-type]
    marks = draw.scene(subject, limit=1_000).marks  # type: ignore[arg-type]
    assert len(re.findall(r"^  n\d+ \[", told, re.MULTILINE)) == len(marks)
    assert len(re.findall(r"^  n\d+ -> n\d+ \[label", told, re.MULTILINE)) == len(marks) - 1
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tcanon"], input=told, text=True, check=True, capture_output=True)


def test_dot_marks_cut_edges() -> None:
    told = draw.dot(alphabeta(PRUNING))
    assert told.count("//") == 2
    assert "invtriangle" in told


def test_tikz(subject: object, tmp_path: Path) -> None:
    told = draw.tikz(subject)  # type: ignore[arg-type]
    assert told.startswith("\\documentclass[tikz")
    bare = re.sub(r"\\[\\{}$]", "", told)
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    marks = draw.scene(subject, limit=100).marks  # type: ignore[arg-type]
    assert len(re.findall(r"\(n\d+\) at \(", told)) == len(marks)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs LaTeX; install texlive-pictures and texlive-latex-extra to run it")
@pytest.mark.parametrize("name", ["alpha-beta", "chance", "players", "information", "folded", "nasty"])
def test_tikz_compiles(name: str, tmp_path: Path) -> None:
    (tmp_path / "tree.tex").write_text(draw.tikz(SUBJECTS[name]), encoding="utf-8")  # type: ignore[arg-type]
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tree.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def test_json(subject: object) -> None:
    data = json.loads(draw.to_json(subject))  # type: ignore[arg-type]
    assert [node["id"] for node in data["nodes"]] == list(range(len(data["nodes"])))
    assert all(node["parent"] is None or node["parent"] < node["id"] for node in data["nodes"])


def test_json_of_alpha_beta() -> None:
    data = draw.to_data(alphabeta(PRUNING))
    assert data["value"] == 1
    assert data["line"] == ["Right", "1", "1"]
    assert data["statistics"]["cutoffs"] == 3
    assert data["algorithm"] == "alpha-beta"
    middle = next(node for node in data["nodes"] if node.get("action") == "Middle")
    assert (middle["value"], middle["bound"], middle["window"], middle["note"]) == (-9, "upper", [-4, None], "α-cut")
    assert sum(node.get("pruned", False) for node in data["nodes"]) == 4
    assert [step["step"] for step in data["steps"]].count("cutoff") == 3
    assert {step["node"] for step in data["steps"]} == {node["id"] for node in data["nodes"] if not node.get("pruned")}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-1, "-1"),
        (0.5, "0.5"),
        (2.0, "2"),
        (0.123456, "0.1235"),
        (Fraction(1, 3), "1/3"),
        (Fraction(10**9 + 1, 10**9), "1"),
        (Score(1, -3), "1"),
        ((1, -2.5), "(1, -2.5)"),
        (float("-inf"), "-∞"),
        (None, ""),
    ],
)
def test_numbers_in_words(value: object, text: str) -> None:
    assert text_of(value) == text


def test_windows_and_probabilities_in_words() -> None:
    assert window_text(Score(float("-inf"), 0), 3) == "[-∞, 3]"
    assert window_text(None, None) == ""
    assert probability_texts([1, 2]) == ["1/3", "2/3"]
    assert probability_texts([0.25, 0.75]) == ["0.25", "0.75"]
    assert probability_texts([Fraction(1, 2), Fraction(1, 2)]) == ["1/2", "1/2"]


def test_trees_traces_and_results_show_themselves_in_a_notebook() -> None:
    script = (
        "import sys, zermelo\n"
        "from zermelo.trees import BackwardInduction, Max, Tree\n"
        "tree = Tree.of(Max(a=1, b=2))\n"
        "assert 'zermelo.draw' not in sys.modules\n"
        "assert tree._repr_svg_().startswith('<svg')\n"
        "assert BackwardInduction().search(tree)._repr_svg_().startswith('<svg')\n"
        "assert tree._repr_svg_().startswith('<svg')\n"
        "assert not {'numpy', 'llvmlite', 'matplotlib'} & set(sys.modules), sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    assert minimax(KQJ)._repr_svg_() == draw.svg(minimax(KQJ))
