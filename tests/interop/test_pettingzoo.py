"""PettingZoo's own tests on games of every kind, and what they do not ask: chance by the seed, rewards, copies."""

import pytest

pytest.importorskip("pettingzoo", reason="environments need PettingZoo: pip install 'zermelo[gym]'")

from pettingzoo.test import api_test, seed_test

from zermelo.errors import ZermeloError
from zermelo.formats.position import parse_position
from zermelo.interop.encoding import encode
from zermelo.interop.pettingzoo import TurnEnvironment, environment
from zermelo.registry import find

# What PettingZoo remarks on every environment with an action mask whose name is not in a list of its own.
MASKED = pytest.mark.filterwarnings("ignore:Observation (space for each agent|is not a NumPy)")

GAMES = [
    "tictactoe",
    "connect4(width=4,height=4)",
    "kuhn",
    "leduc",
    "threenim",  # three players, general sum
    "kuhn(players=3)",
    "pig(goal=12)",  # dice
    "rps",  # both at once
    "goofspiel(shuffled=True)",
    "twenty48",  # one player
    "ponghauki",  # a state that returns ends the game
]


@MASKED
@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_is_content(name: str) -> None:
    game = find(name)
    encoding = encode(game, look=2_000)
    api_test(TurnEnvironment(game, encoding=encoding), num_cycles=300)
    api_test(environment(game, encoding=encoding), num_cycles=300)
    seed_test(lambda: environment(game, encoding=encoding), num_cycles=100)


def played(env: TurnEnvironment, *actions: int) -> TurnEnvironment:
    for action in actions:
        env.step(action)
    return env


def test_the_winner_is_paid_and_everybody_hears_of_it() -> None:
    env = TurnEnvironment("tictactoe")
    env.reset(seed=1)
    assert played(env, 0, 3, 1, 4).agent_selection == "player_0"
    assert env.observe("player_0")["action_mask"].tolist() == [0, 0, 1, 0, 0, 1, 1, 1, 1]
    assert not env.observe("player_1")["action_mask"].any()
    env.step(2)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert played(env, None, None).agents == []  # type: ignore[arg-type]


def test_a_single_player_pays_for_every_move() -> None:
    env = TurnEnvironment("eightpuzzle(tiles=(1,2,3,4,5,6,0,7,8))", encoding=encode(find("eightpuzzle"), look=500))
    env.reset()
    assert played(env, 7).rewards == {"player_0": -1.0}
    assert not env.terminations["player_0"]
    assert played(env, 8).rewards == {"player_0": -1.0}
    assert env.terminations["player_0"]


def test_chance_follows_the_seed() -> None:
    env = TurnEnvironment("leduc")
    deals = []
    for seed in (5, 5, 6, None):
        env.reset(seed=seed)
        deals.append(env.table.match.actions)
    assert deals[0] == deals[1]
    assert len({tuple(deal) for deal in deals}) > 1
    assert all(len(deal) == 2 for deal in deals)


def test_a_copy_goes_its_own_way() -> None:
    env = TurnEnvironment("pig(goal=30)")
    env.reset(seed=3)
    env.step(0)
    copy = env.clone()
    assert copy.table.match.state == env.table.match.state
    for _ in range(5):
        for each in (env, copy):
            each.step(int(each.infos[each.agent_selection]["action_mask"].argmax()))
        assert copy.table.match.state == env.table.match.state  # the same dice in both
    before = env.table.match.state, env.agent_selection, dict(env.rewards)
    copy.step(int(copy.infos[copy.agent_selection]["action_mask"].argmax()))
    assert (env.table.match.state, env.agent_selection, env.rewards) == before


def test_a_game_without_end_is_cut_short() -> None:
    env = TurnEnvironment("ponghauki", longest=4)
    env.reset()
    for _ in range(4):
        assert not any(env.truncations.values())
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    assert all(env.truncations.values()) or all(env.terminations.values())


def test_a_game_may_begin_elsewhere_and_shows_itself() -> None:
    game = find("tictactoe")
    env = TurnEnvironment(game, render_mode="ansi")
    env.reset(options={"position": parse_position(game, "40")})
    assert env.render() == "O 1 2\n3 X 5\n6 7 8"
    assert env.agent_selection == "player_0"


def test_what_is_wrong_is_said() -> None:
    env = TurnEnvironment("tictactoe")
    env.reset()
    env.step(4)
    with pytest.raises(ZermeloError, match="Action 4 is not possible here"):
        env.step(4)
    with pytest.raises(ZermeloError, match="player_1 is to move"):
        env.step(None)
    with pytest.raises(ZermeloError, match="'ansi' or None, not 'human'"):
        TurnEnvironment("tictactoe", render_mode="human")
    wrapped = environment("tictactoe")
    wrapped.reset()
    wrapped.step(4)
    wrapped.step(4)  # loses at once
    assert wrapped.rewards["player_1"] == -1
    assert all(wrapped.terminations.values())
