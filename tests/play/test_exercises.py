"""Exercises: one right answer, found by two routes, the same from the same seed."""

import pytest

from zermelo.draw.outlines import outline_of
from zermelo.errors import ZermeloError
from zermelo.play.algorithms import make_algorithm, search
from zermelo.play.exercises import KINDS, LEVELS, exercise, right
from zermelo.trees.backward_induction import BackwardInduction
from zermelo.trees.trace import Recorder
from zermelo.trees.tree import Tree

SEEDS = range(1, 6)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", KINDS)
def test_an_exercise_has_one_right_answer_and_is_repeated(kind: str, level: int) -> None:
    for seed in SEEDS:
        made = exercise(kind, seed, level)
        assert made == exercise(kind, seed, level)
        assert all(right(made, dict(made.answers)).values())
        assert not any(right(made, {name: "nonsense" for name, _ in made.answers}).values())
    assert len({exercise(kind, seed, level).answers for seed in SEEDS}) > 1


@pytest.mark.parametrize("kind", ["minimax", "expectimax"])
def test_values_are_those_of_backward_induction(kind: str) -> None:
    for seed in SEEDS:
        made = exercise(kind, seed, 3)
        assert isinstance(made.subject, Tree)
        found = BackwardInduction().search(made.subject)
        assert right(made, {"value": str(found.value), "move": found.action_name(found.action)}) == {"value": True, "move": True}


@pytest.mark.parametrize("level", LEVELS)
def test_cut_leaves_are_those_that_alpha_beta_skips(level: int) -> None:
    """The exercise's own search against the library's, recorded."""
    for seed in SEEDS:
        made = exercise("cutoffs", seed, level)
        assert isinstance(made.subject, Tree)
        recorder = Recorder(made.subject, "alphabeta")
        search(make_algorithm("alphabeta", textbook=True, backend="reference", memory=0), made.subject, 0, (), None, recorder)
        outline = outline_of(recorder.trace())
        skipped = [mark.label for number in range(len(outline.parents)) if (mark := outline.mark(number)).pruned and mark.label]
        assert sorted(skipped) == dict(made.answers)["leaves"].split()


def test_answers_may_be_written_in_several_ways() -> None:
    made = exercise("mixed", 3, 1)
    assert dict(made.answers) == {"rows": "2/3 1/3", "columns": "5/6 1/6", "value": "1/3"}
    assert right(made, {"rows": "(2/3, 1/3)", "columns": "0.8333 0.1667", "value": "0.333"}) == {
        "rows": True,
        "columns": True,
        "value": True,
    }


def test_a_number_of_a_billion_digits_is_wrong_at_once() -> None:
    assert not right(exercise("mixed", 3, 1), {"rows": "1e999999999 0", "columns": "5/6 1/6", "value": "1/3"})["rows"]


@pytest.mark.parametrize(("kind", "level", "words"), [("chess", 1, "no exercises of the kind"), ("mixed", 9, "levels 1, 2 and 3")])
def test_what_there_is_not_is_said(kind: str, level: int, words: str) -> None:
    with pytest.raises(ZermeloError, match=words):
        exercise(kind, 1, level)
