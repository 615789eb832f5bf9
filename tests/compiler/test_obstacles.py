"""What does not compile is said in the user's words, all of it at once; what would be silently wrong is refused."""

from pathlib import Path

import pytest

from corpus.truth import load
from zermelo.compiler.rules import compile_rules
from zermelo.errors import RulesError

from . import language

SETUP = """
import random
import re
import time

STREAM = iter(range(1000))

class Lost(Exception):
    def __init__(self, where):
        self.where = where
"""
REFUSED = {
    "return int(random.random() * 9)": "depends on more than what it is given",
    "return random.randrange(9)": "depends on more than what it is given",
    "return int(time.perf_counter()) % 9": "depends on more than what it is given",
    "return len(locals())": "depends on more than what it is given",
    "return next(STREAM)": "an iterator from outside",
    "try:\n    raise ValueError('abc')\nexcept ValueError as error:\n    return len(str(error))": "what the exception error carries",
    "try:\n    raise Lost(n)\nexcept Lost as lost:\n    return lost.where": "what the exception lost carries",
    "return len(re.findall('a', 'a' * n))": "re.findall has no compiled form",
    "class Local: pass\nreturn n": "a class inside a function has no compiled form",
    "steps = [lambda: n, lambda: 2]\nreturn sum(step() for step in steps)": "a function cannot be kept in a list",
    "return 1 if float('nan') == n else 0": "nan has no compiled form: use None",
    "t = (map(abs, [1, n]), 2)\nreturn next(t[0]) + sum(t[0])": "an iterator is kept in a tuple, list or dict: make a list of its items",
    "return {1: n}.values() == [n]": "the values of a dict are compared",
}


@pytest.mark.parametrize("body", REFUSED)
def test_a_refusal_names_the_line_in_the_rules(body: str, tmp_path: Path) -> None:
    game = language.game_of(language.Row("Refused", body, body, SETUP), tmp_path)
    with pytest.raises(RulesError, match=REFUSED[body]) as refused:
        compile_rules(game)
    assert Path(str(refused.value.file)).parent == tmp_path


SEVERAL = """
import re
from zermelo import Game

class Several(Game):
    def start(self): return (0, "ab")
    def player(self, s): return id(s) % 2
    def actions(self, s): return [1, 2] if re.match("a", s[1]) else [1]
    def result(self, s, a): return (s[0] + a, s[1])
    def terminal(self, s):
        with open("/dev/null") as file:
            return s[0] >= 5 and not file.read()
    def utility(self, s): return 1
    def order(self, s, a): return hash((s, a)) % 7
"""


def test_all_obstacles_are_listed_those_of_optional_rules_too(tmp_path: Path) -> None:
    path = tmp_path / "several.py"
    path.write_text(SEVERAL, encoding="utf-8")
    with pytest.raises(RulesError) as refused:
        compile_rules(load(path))
    for line in (7, 8, 11, 14):
        assert f"several.py:{line}: " in str(refused.value)
