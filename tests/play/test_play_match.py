"""A match keeps its moves: undo, save and load lose nothing."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from zermelo.errors import ZermeloError
from zermelo.formats.position import Position, parse_position
from zermelo.play.match import Match, find_action, load, roll, save
from zermelo.registry import find
from zermelo.rules import Game, Repetition


def begin(name: str, position: str | None = None) -> Match:
    game = find(name)
    return Match(game, parse_position(game, position))


def test_moves_are_made_and_taken_back_to_the_players_own_last_decision() -> None:
    match = begin("tictactoe")
    for action in (0, 4, 8):
        match.play(action)
    assert match.names() == ["0", "4", "8"]
    assert match.history == tuple(match.states[:-1])
    assert match.undo(0) == 1
    assert match.undo(0) == 2
    assert match.undo(0) == 0
    assert match.state == match.game.start()


def test_undo_passes_over_chance() -> None:
    match = begin("pig")
    player = match.mover
    match.play(match.legal[0])
    while match.mover == -1:
        match.play(match.legal[-1])
    match.undo(player)
    assert match.mover == player
    assert match.actions == []


def test_an_impossible_move_is_refused() -> None:
    match = begin("tictactoe", "04")
    with pytest.raises(ZermeloError, match="not possible"):
        match.play(4)
    assert match.actions == []


def test_a_saved_match_is_the_match_that_is_loaded(tmp_path: Path) -> None:
    match = begin("connect4", "44")
    for action in (2, 2, 1):
        match.play(action)
    path = tmp_path / "match.json"
    save(match, path, "connect4", "44")
    again = load(path, match.game, "connect4", match.beginning, "44")
    assert (again.actions, again.states) == (match.actions, match.states)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"game": "tictactoe"}, "is a match of tictactoe, not of connect4"),
        ({"position": "11"}, "began elsewhere: begin with `position='11'`"),
        ({"moves": ["4", "9"]}, "is damaged: move 2, 9, is not possible."),
        ({"zermelo": "tree"}, "is not a saved match."),
        ({"moves": 3}, "is not a saved match."),
    ],
)
def test_another_match_is_refused(tmp_path: Path, change: dict[str, object], part: str) -> None:
    match = begin("connect4")
    path = tmp_path / "match.json"
    save(match, path, "connect4", None)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ZermeloError) as caught:
        load(path, match.game, "connect4", match.beginning, None)
    assert part in str(caught.value)


def test_files_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    match = begin("connect4")
    with pytest.raises(ZermeloError, match="There is no file"):
        load(tmp_path / "none.json", match.game, "connect4", match.beginning, None)
    (tmp_path / "text.json").write_text("not JSON")
    with pytest.raises(ZermeloError, match="is not a saved match"):
        load(tmp_path / "text.json", match.game, "connect4", match.beginning, None)
    with pytest.raises(ZermeloError, match="cannot be written"):
        save(match, tmp_path / "nowhere" / "match.json", "connect4", None)


def test_chance_follows_its_weights_and_its_seed() -> None:
    game = find("kuhn")
    seen = Counter(roll(game, game.start(), Random(seed)) for seed in range(600))
    assert set(seen) == {0, 1, 2}
    assert min(seen.values()) > 150
    assert [roll(game, game.start(), Random(5)) for _ in range(3)] == [roll(game, game.start(), Random(5))] * 3


def test_names_are_found_exactly_first_then_in_any_case() -> None:
    game = find("kqj")
    assert find_action(game, 0, [0, 1], " bet ") == 1
    assert find_action(game, 0, [0, 1], "fold") is None


@dataclass(frozen=True)
class Ring(Game):
    """Three places in a ring; a step forth or back, forever."""

    returning: Repetition
    payoffs = (-5, 5)

    @property
    def repetition(self) -> Repetition:
        return self.returning

    def start(self) -> tuple[int, int]:
        return (0, 0)

    def player(self, state: tuple[int, int]) -> int:
        return state[1]

    def actions(self, state: tuple[int, int]) -> list[int]:
        return [1, 2]

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return ((state[0] + action) % 3, 1 - state[1])

    def terminal(self, state: tuple[int, int]) -> bool:
        return False

    def utility(self, state: tuple[int, int]) -> int:
        raise AssertionError


RETURNS: tuple[tuple[Repetition, tuple[int, int]], ...] = (("draw", (0, 0)), ("loss", (5, -5)))


def test_a_state_that_returns_ends_the_match_as_the_rules_say() -> None:
    for repetition, payoffs in RETURNS:
        match = Match(Ring(repetition), Position((0, 0)))
        match.play(1)
        assert not match.over
        match.play(2)
        assert match.over
        assert match.payoffs() == payoffs


def test_a_forbidden_return_is_no_legal_move_and_who_has_none_loses() -> None:
    match = Match(Ring("forbidden"), Position((0, 0)))
    while not match.over:
        match.play(match.legal[0])
    assert len(set(match.states)) == len(match.states) == 6
    loser = match.mover
    assert match.payoffs()[loser] == -5
