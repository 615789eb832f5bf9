"""Kernels of every family: compiled by `warmup`, and taken from the cache by a fresh process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from corpus.styles import Cards, PlainTuple
from zermelo.compiler.templates import kernel_files
from zermelo.games.chesslib import ChessLib
from zermelo.registry import find
from zermelo.runtime import vocabulary
from zermelo.runtime.backend import choose
from zermelo.runtime.warmup import warmup

TEXTS = {family: file.read_text(encoding="utf-8") for family, file in kernel_files().items()}
FAMILIES = sorted(  # what Python calls, not what other kernels import
    family
    for family, text in TEXTS.items()
    if "@entry" in text and not any(f".{family}_kernel import" in other for other in TEXTS.values())
)

SECOND = """
import json, sys
from corpus.styles import Cards
from zermelo.runtime.warmup import warmup

print(json.dumps([(done.family, done.from_cache) for done in warmup(Cards(), sys.argv[1:])]))
"""


def test_there_are_families() -> None:
    assert {"alphabeta", "perft"} <= set(FAMILIES)


@pytest.mark.parametrize("family", ["perft", *(pytest.param(family, marks=pytest.mark.slow) for family in FAMILIES if family != "perft")])
def test_a_fresh_process_takes_every_kernel_from_the_cache(family: str, tmp_path: Path) -> None:
    paths = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"ZERMELO_CACHE": str(tmp_path), "PYTHONPATH": paths}

    def run() -> list[list[object]]:
        command = [sys.executable, "-c", SECOND, family]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        answer: list[list[object]] = json.loads(done.stdout)
        return answer

    assert run() == [[family, False]]
    assert run() == [[family, True]]


def test_warmup_tells_what_it_did() -> None:
    (done,) = warmup(PlainTuple(4), ("perft",))
    assert (done.family, done.notes) == ("perft", ())
    (interned,) = warmup(ChessLib(), ("perft",))
    assert interned.family == "perft"
    (reference,) = warmup(find("kqj"))
    assert reference.family is None


def test_a_game_with_chance_has_every_name_of_the_vocabulary() -> None:
    program = choose(Cards(), "compiled").required.kernel_program()
    program.integer_payoffs_known = program.integer_payoffs
    names = program.namespace("perft")
    assert [name for name in vocabulary.__all__ if name not in names and name not in ("information", "key", "store", "utility")] == []
