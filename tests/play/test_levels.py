"""Opponents by level: what they see, which mistakes they make, and what is kept of their measurement."""

import json
from dataclasses import replace
from random import Random

import pytest

from zermelo.errors import ZermeloError
from zermelo.formats.position import parse_position
from zermelo.play.levels import LEVELS, LevelPlayer, Measured, erring, even_skills, keep_levels, kept_levels, levels_file, skills_of
from zermelo.play.match import Match, roll
from zermelo.play.players import parse_player, player_text
from zermelo.registry import find
from zermelo.rules import CHANCE


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    skills_of.cache_clear()
    yield
    skills_of.cache_clear()


def at(text, position):
    game = find(text)
    return Match(game, parse_position(game, position))


def test_names_a_level_as_any_player():
    assert parse_player("level(3)") == LevelPlayer(3)
    assert parse_player(player_text(LevelPlayer(7))) == LevelPlayer(7)


@pytest.mark.parametrize("level", [0, 11, -1, True, "3"])
def test_refuses_other_levels(level):
    with pytest.raises(ZermeloError, match="Levels go from 1, a beginner, to 10"):
        LevelPlayer(level)


def test_small_mistakes_are_more_frequent_than_large_ones():
    match = at("connect4(width=4,height=4)", "")
    result = LevelPlayer(LEVELS).choose(match, Random(0)).result
    judged = replace(result, scores={0: 0.5, 1: 0.4, 2: 0.1, 3: -0.9}, action=0, actions=(0,))
    random = Random(1)
    played = [erring(judged, 0, 0.8, random) for _ in range(2000)]
    counts = [played.count(action) for action in range(4)]
    assert counts == sorted(counts, reverse=True)
    assert counts[3] > 0
    assert erring(judged, 0, 0.0, random) == 0


def test_the_strongest_wins_where_a_win_is_near_and_a_beginner_not_always():
    match = at("tictactoe", "031")  # X has 0 and 1: cell 2 wins
    match.play(4)
    assert {LevelPlayer(LEVELS).choose(match, Random(seed)).action for seed in range(5)} == {2}
    assert len({LevelPlayer(1).choose(match, Random(seed)).action for seed in range(60)}) > 1


@pytest.mark.parametrize("text", ["nim", "kuhn", "pig(goal=10)", "threenim", "eightpuzzle(rows=2,columns=3)", "quixo(size=3)"])
def test_every_kind_of_game_has_opponents(text):
    game = find(text)
    match = Match(game, parse_position(game, None))
    random = Random(3)
    for _ in range(3):
        while not match.over and match.mover == CHANCE:
            match.play(roll(game, match.state, random))
        if match.over:
            break
        action = LevelPlayer(2).choose(match, random).action
        assert action in match.legal
        match.play(action)


def test_even_skills_follow_the_ratings():
    assert even_skills([0, 0.25, 0.5, 1.0], [0, 100, 90, 300]) == pytest.approx((0, 0.25, 0.75, 1))


def test_keeps_what_was_measured_and_ignores_a_damaged_file():
    game = find("nim")
    assert kept_levels(game) is None
    even = skills_of(game)
    skills = tuple(skill**2 for skill in even)
    keep_levels(game, Measured(skills, tuple(range(0, 1000, 100)), (10.0,) * LEVELS, 4), "nim")
    assert skills_of(game) == skills
    assert skills_of(find("tictactoe")) == even
    document = json.loads(levels_file(game).read_text())
    for damaged in ("{", "[]", json.dumps(document | {"skills": [0.5]}), json.dumps(document | {"skills": [2.0] * LEVELS})):
        levels_file(game).write_text(damaged)
        assert kept_levels(game) is None
