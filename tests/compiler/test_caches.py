"""Functions that remember what they gave, by `functools.cache` or a dict: the same answers, and compiled ones remember too."""

from pathlib import Path

import pytest

from zermelo.compiler.rules import compile_rules
from zermelo.errors import RulesError

from . import language

SETUP = """
KNOWN, PARTLY, LATER = {}, {}, {}

def remembered(function):
    known = {}
    def wrapper(*arguments):
        if arguments not in known:
            known[arguments] = function(*arguments)
        return known[arguments]
    return wrapper

@cache
def fibonacci(k):
    return k if k < 2 else fibonacci(k - 1) + fibonacci(k - 2)

@cache
def doubled(k):  # wider than 64 bits
    return 1 if k == 0 else doubled(k - 1) * 3 + doubled(k - 1)

@cache
def pair(k, up):
    if k <= 0:
        return (0, 1.5)
    after = [pair(k - step, not up) for step in (1, 2)]
    return max(after) if up else min((x + k, y / 2) for x, y in after)

@remembered
def tribonacci(k):
    return 1 if k < 3 else tribonacci(k - 1) + tribonacci(k - 2) + tribonacci(k - 3)

def ways(total, largest):
    if total == 0:
        return 1
    if total < 0 or largest == 0:
        return 0
    if (total, largest) in KNOWN:
        return KNOWN[total, largest]
    answer = ways(total - largest, largest) + ways(total, largest - 1)
    KNOWN[total, largest] = answer
    return answer

def looked_up(k, up):
    key = (k, up)
    hit = LATER.get(key)
    if hit is not None:
        return hit
    LATER[key] = value = k if k < 2 else looked_up(k - 1, not up) * 2 + looked_up(k - 2, up) + up
    return value

def by_the_first(k, j):
    if k in PARTLY:
        return PARTLY[k]
    PARTLY[k] = k + j
    return k + j
"""
REMEMBERED = [
    "fibonacci(n + 80) % 1000",
    "doubled(n + 40) % 1000007",
    "int(sum(pair(n + 60, True)) * 8)",
    "tribonacci(n + 60) % 1000",
    "ways(n + 90, 6)",
    "looked_up(n + 40, True) % 1000",
]


@pytest.mark.parametrize("expression", REMEMBERED)
def test_what_would_take_for_ever_without_memory_is_compiled(expression: str, tmp_path: Path) -> None:
    game = language.game_of(language.Row("Caches", expression, f"return {expression}", SETUP), tmp_path)
    assert language.differences(game, compile_rules(game)) == []


def test_a_dict_whose_key_leaves_an_argument_out_is_no_cache(tmp_path: Path) -> None:
    game = language.game_of(language.Row("Caches", "partly", "return by_the_first(n, 2)", SETUP), tmp_path)
    with pytest.raises(RulesError, match="table that is not their own"):
        compile_rules(game)
