"""Every reader has limits that it names, and answers at once."""

import json
import time
from fractions import Fraction

import pytest

from zermelo import ZermeloError
from zermelo.formats.efg import tree_from_efg
from zermelo.formats.gambit import unique
from zermelo.formats.json import tree_from_json
from zermelo.formats.nfg import matrix_from_nfg
from zermelo.trees.exact_numbers import exact_number

HUGE = ["1e999999999", "-1e999999999", "1e-999999999", "1e30000000", "9" * 5000, "1/" + "9" * 5000, "1e400", "0." + "0" * 5000 + "1"]


@pytest.mark.parametrize("number", HUGE, ids=lambda text: text[:14])
def test_numbers_without_measure_are_refused_at_once(number):
    begun = time.perf_counter()
    tree = f'EFG 2 R "t" {{ "A" "B" }}\nt "" 1 "" {{ {number} 0 }}\n'
    table = f'NFG 1 R "t" {{ "A" "B" }} {{ 1 1 }}\n\n{number} 0\n'
    for read, text in ((tree_from_efg, tree), (matrix_from_nfg, table)):
        with pytest.raises(ZermeloError, match=r"line \d+, column \d+: .*(1e300|too long|too large)"):
            read(text)
    for payoff in (f'"{number}"', number):
        if payoff == number and ("/" in number or "e-" in number or number.startswith("0.")):  # no JSON, or a float next to 0
            continue
        with pytest.raises(ZermeloError):
            tree_from_json(f'{{"root": {{"player": "Max", "actions": {{"a": {payoff}, "b": 1}}}}}}')
    assert time.perf_counter() - begun < 1.0


@pytest.mark.parametrize(
    ("text", "value"),
    [("3", 3), ("-1/3", Fraction(-1, 3)), ("0.25", Fraction(1, 4)), ("1e-3", Fraction(1, 1000)), ("1e300", 10**300)],
)
def test_numbers_within_the_limits_are_exact(text, value):
    assert exact_number(text) == value


@pytest.mark.parametrize("counts", ["2 2000000000", "100000 100000"])
def test_a_table_larger_than_its_file_is_refused_at_once(counts):
    with pytest.raises(ZermeloError, match="the file has"):
        matrix_from_nfg(f'NFG 1 R "t" {{ "A" "B" }} {{ {counts} }}\n\n1 1\n')


def test_equal_labels_take_no_cubic_time():
    begun = time.perf_counter()
    assert len(set(unique(["same"] * 20_000))) == 20_000
    labels = " ".join(['"same"'] * 3000)
    ends = "\n".join(f't "" {1 + number} "" {{ {number} {-number} }}' for number in range(3000))
    tree = tree_from_efg(f'EFG 2 R "t" {{ "A" "B" }}\np "" 1 1 "" {{ {labels} }} 0\n{ends}\n')
    assert len(tree) == 3001
    assert time.perf_counter() - begun < 20


def test_floats_that_are_no_numbers_are_refused():
    for word in ("NaN", "Infinity", "1e308"):
        with pytest.raises(ZermeloError):
            tree_from_json(json.dumps({"root": {"player": "Max", "actions": {"a": 0}}}).replace(": 0}", f": {word}}}"))
