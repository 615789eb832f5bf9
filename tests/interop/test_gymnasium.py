"""Gymnasium's own check on games of every kind, and what it does not ask: rewards, opponents, actions that are not possible."""

import pytest

pytest.importorskip("gymnasium", reason="environments need Gymnasium: pip install 'zermelo[gym]'")

import gymnasium
from gymnasium.utils.env_checker import check_env

from zermelo.errors import ZermeloError
from zermelo.formats.position import parse_position
from zermelo.interop.encoding import encode
from zermelo.interop.gymnasium import SeatEnvironment
from zermelo.registry import find

MADE = "zermelo.interop.gymnasium:zermelo/Game-v0"


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("twenty48", {}),
        ("eightpuzzle", {"longest": 50}),
        ("fifteenpuzzle", {"longest": 50}),
        ("smallyahtzee", {}),
        ("tictactoe", {}),
        ("tictactoe", {"seat": 1, "opponents": "alphabeta(depth=2,backend='reference')"}),
        ("kuhn(players=3)", {"seat": 2}),
        ("pig(goal=10)", {"seat": 1}),
        ("leduc", {"opponents": "ismcts(playouts=20)"}),
    ],
)
def test_gymnasium_is_content(name: str, settings: dict[str, object]) -> None:
    game = find(name)
    env = gymnasium.make(MADE, game=game, encoding=encode(game, look=1_000), render_mode="ansi", **settings)
    check_env(env.unwrapped)


def test_the_puzzle_costs_what_its_slides_cost() -> None:
    env = SeatEnvironment("eightpuzzle(tiles=(1,2,3,4,5,6,0,7,8))", encoding=encode(find("eightpuzzle"), look=500))
    _, info = env.reset(seed=1)
    assert info["action_mask"].nonzero()[0].tolist() == [3, 7]
    assert env.step(7)[1:4] == (-1.0, False, False)
    assert env.step(0)[1:4] == (-1.0, False, False)  # not possible: nothing happens
    assert env.action_masks().nonzero()[0].tolist() == [4, 6, 8]
    assert env.step(8)[1:4] == (-1.0, True, False)
    with pytest.raises(ZermeloError, match="The game is over: reset"):
        env.step(8)


def test_a_game_of_chance_pays_at_its_end() -> None:
    env = SeatEnvironment("twenty48(goal=8)")
    paid = set()
    for seed in range(30):
        _, info = env.reset(seed=seed)
        total, done = 0.0, False
        while not done:
            _, reward, done, _, info = env.step(int(info["action_mask"].argmax()))
            total += reward
        paid.add(total)
    assert paid == {0.0, 1.0}


@pytest.mark.parametrize("seat", [0, 1])
def test_the_others_move_until_it_is_this_seats_turn(seat: int) -> None:
    env = SeatEnvironment("tictactoe", seat=seat, opponents="minimax(backend='reference',depth=3)")
    _, info = env.reset(seed=2)
    assert env.table.moves == seat
    while True:
        assert env.table.match.mover == seat
        _, reward, done, _, info = env.step(int(info["action_mask"].argmax()))
        if done:
            break
    assert reward in (-1, 0, 1)
    assert reward == env.table.match.payoffs()[seat]


def test_a_game_that_is_over_before_this_seat_had_a_turn_is_begun_again() -> None:
    env = SeatEnvironment("pig(goal=4)", seat=1)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        assert info["action_mask"].any()
    game = find("tictactoe")
    with pytest.raises(ZermeloError, match="seat 0 never had a turn"):
        SeatEnvironment(game).reset(options={"position": parse_position(game, "03142")})


def test_it_is_found_by_name_and_can_be_limited() -> None:
    env = gymnasium.make(MADE, max_episode_steps=3, game="eightpuzzle(rows=2,columns=2)")
    _, info = env.reset(seed=0)
    for step in range(3):
        *_, cut, info = env.step(int(info["action_mask"].argmax()))
        assert cut == (step == 2)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"seat": 2}, "seats are 0 to 1"),
        ({"opponents": "human"}, "asks nobody"),
        ({"opponents": "random,random"}, "2 opponents are given for 1 other seats"),
        ({"opponents": "randam"}, "did you mean random"),
        ({"render_mode": "rgb_array"}, "'ansi' or None"),
    ],
)
def test_what_is_wrong_is_said(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(ZermeloError, match=sentence):
        SeatEnvironment("tictactoe", **settings)  # type: ignore[arg-type]
