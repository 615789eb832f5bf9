"""Parameters that are far too large, for every bundled game: a sentence, or a game that can be looked at; never a full memory."""

import pytest

from zermelo.errors import ZermeloError
from zermelo.play.setup import open_game
from zermelo.registry import names
from zermelo.registry.catalogue import load
from zermelo.registry.sampled_states import explore
from zermelo.registry.spelling import parameters


def spellings(value):
    """Every bundled game with one of its whole numbers replaced."""
    for name in names():
        member = load(name)
        for field, parameter in parameters(member).items() if isinstance(member, type) else ():
            default = parameter.default
            if isinstance(default, int) and not isinstance(default, bool):
                yield f"{name}({field}={value})"
            elif "tuple[int" in str(parameter.annotation) and isinstance(default, tuple):
                yield f"{name}({field}={(value,) * max(1, len(default))})"


@pytest.mark.parametrize("text", list(spellings(10**10)))
def test_a_huge_parameter_is_one_sentence_in_every_command(run, text):
    for command in ("games", "best", "equilibrium"):
        done = run(command, text)
        assert done.code == 2, command
        assert len(done.err.strip().splitlines()) == 1


@pytest.mark.parametrize("text", list(spellings(10**6)))
def test_a_large_parameter_is_refused_or_played(text):
    try:
        game = open_game(text)
    except ZermeloError:
        return
    assert explore(game, 20).states
