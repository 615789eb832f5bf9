"""Kernels of every family: compiled by `warmup`, and run a second time from the cache by a fresh process (numba#6061)."""

import json
import os
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from numba import njit

from corpus.styles import Cards, PlainTuple
from corpus.texts import Words
from zermelo.engine.backend import choose
from zermelo.engine.compiling import is_safe_to_keep
from zermelo.engine.warmup import warmup
from zermelo.engine.writing import SELFCHECK, template_text

NO_FAMILIES = ("__init__", "vocabulary")
FAMILIES = sorted(
    name
    for name in (file.name.removesuffix(".py") for file in resources.files("zermelo.engine.kernels").iterdir() if file.name.endswith(".py"))
    if name not in (*NO_FAMILIES, SELFCHECK)
)

SECOND = """
import json, sys
from corpus.styles import Cards
from zermelo.engine.warmup import warmup

print(json.dumps([(done.family, done.from_cache) for done in warmup(Cards(), sys.argv[1:])]))
"""


def test_there_are_families() -> None:
    assert {"alphabeta", "perft"} <= set(FAMILIES)


@pytest.mark.parametrize("family", ["perft", *(pytest.param(family, marks=pytest.mark.slow) for family in FAMILIES if family != "perft")])
def test_a_fresh_process_takes_every_kernel_from_the_cache(family: str, tmp_path: Path) -> None:
    environment = os.environ | {"ZERMELO_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[1])}

    def run() -> list[list[object]]:
        command = [sys.executable, "-c", SECOND, family]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        answer: list[list[object]] = json.loads(done.stdout)
        return answer

    assert run() == [[family, False]]
    assert run() == [[family, True]]


ANSWERS = """
import json, sys
from corpus.styles import PlainTuple
from zermelo.engine.backend import choose
from zermelo.search.alphabeta import AlphaBeta
from zermelo.search.perft import perft

game = PlainTuple(8)
answers = [
    [perft(game, 5, backend=backend).leaves, AlphaBeta(backend=backend).search(game).scores] for backend in ("compiled", "reference")
]
compiled = choose(game).compiled
kernels = [getattr(module, name) for module in map(compiled.module, ("perft", "alphabeta")) for name in module.SIGNATURES]
print(json.dumps([answers, sum(sum(kernel.stats.cache_misses.values()) for kernel in kernels)]))
"""


@pytest.mark.slow
def test_searches_take_what_warmup_has_compiled(tmp_path: Path) -> None:
    """Twice, because code from the cache must also run."""
    environment = os.environ | {"ZERMELO_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[1])}
    fill = "from corpus.styles import PlainTuple\nfrom zermelo.engine.warmup import warmup\nlist(warmup(PlainTuple(8)))"
    subprocess.run([sys.executable, "-c", fill], env=environment, check=True)
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", ANSWERS], env=environment, capture_output=True, text=True, check=True)
        (compiled, reference), misses = json.loads(done.stdout)
        assert compiled == reference
        assert compiled[0] > 0
        assert misses == 0


def test_warmup_tells_what_it_did() -> None:
    (done,) = warmup(PlainTuple(4), ("perft",))
    assert (done.family, done.notes) == ("perft", ())
    (reference,) = warmup(Words())
    assert reference.family is None


def test_code_that_would_crash_the_next_process_is_not_kept() -> None:
    @njit
    def even(number):  # type: ignore[no-untyped-def]
        if number == 0:
            return True
        return odd(number - 1)

    @njit
    def odd(number):  # type: ignore[no-untyped-def]
        if number == 0:
            return False
        return even(number - 1)

    @njit
    def alone(number):  # type: ignore[no-untyped-def]
        return number + 1

    even(10)
    alone(10)
    assert not all(is_safe_to_keep(result) for function in (even, odd) for result in function.overloads.values())
    assert all(is_safe_to_keep(result) for result in alone.overloads.values())


def test_templates_are_pasted_without_their_imports() -> None:
    for family in (*FAMILIES, SELFCHECK):
        assert "zermelo.engine.kernels" not in template_text(family)


def test_a_template_that_imports_from_a_part_gets_its_text_once() -> None:
    text = template_text("alphabeta")
    assert text.count("def earlier(") == 1
    assert text.index("def earlier(") < text.index("def search(")
    assert "def earlier(" not in template_text("perft")


def test_a_game_with_chance_has_every_name_of_the_vocabulary() -> None:
    from zermelo.engine.kernels import vocabulary

    compiled = choose(Cards(), "compiled").compiled
    assert compiled is not None
    module = compiled.module("perft")
    typing_names = {"Row", "State"}
    missing = [name for name in vocabulary.__all__ if name not in typing_names and not hasattr(module, name)]
    assert missing == []
