"""Players by name, and engines that think within a budget."""

from random import Random

import pytest

from zermelo.errors import ZermeloError
from zermelo.formats.position import parse_position
from zermelo.play.algorithms import ALGORITHMS, Budget, interrupted, make_algorithm, search, think, unfinished
from zermelo.play.match import Match
from zermelo.play.players import (
    PLAYERS,
    AlgorithmPlayer,
    Human,
    RandomMover,
    default_player,
    parse_player,
    parse_seats,
    player_text,
)
from zermelo.registry import find

NEEDS_WORDS = {
    "strategy": "strategy(file='nim.jsonl')",
    "uci": "uci(command='engine', depth=3)",
    "network": "network(file='nim.npz')",
}  # players that are nothing without a parameter


@pytest.mark.parametrize(
    "text",
    [
        *(NEEDS_WORDS.get(name, name) for name in PLAYERS),
        "alphabeta(depth=4)",
        "minimax(time=0.5)",
        "negamax(perfect_information=True, nodes=100)",
        "alphabeta(ordering=False, weights='w.json')",
    ],
)
def test_a_player_is_written_as_it_is_read(text: str) -> None:
    assert player_text(parse_player(text)) == text


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("alphabta", "There is no player alphabta: did you mean alphabeta?"),
        ("alphabeta(dept=4)", "alphabeta has no parameter dept: did you mean depth?"),
        ("alphabeta(depth=0)", "alphabeta's depth must be at least 1, not 0."),
        ("alphabeta(depth=-3)", "must be at least 1"),
        ("alphabeta(depth='deep')", "alphabeta's depth must be a whole number, not 'deep'."),
        ("minimax(time=0)", "minimax's time must be above 0, not 0."),
        ("minimax(nodes=0)", "minimax's nodes must be at least 1, not 0."),
        ("", "A seat is empty"),
        ("alphabeta(depth=4", "is not a name"),
        ("random(3)", "random takes no parameters; 1 were given."),
        ("strategy", "strategy needs a value for file: write strategy(file=…)."),
    ],
)
def test_a_wrong_player_gets_one_sentence(text: str, part: str) -> None:
    with pytest.raises(ZermeloError) as caught:
        parse_player(text)
    assert part in str(caught.value)


def test_seats_are_filled_and_counted() -> None:
    game = find("tictactoe")
    assert parse_seats("human", game) == (Human(), AlgorithmPlayer("deepening"))
    assert parse_seats("alphabeta(depth=4,nodes=9), random", game) == (AlgorithmPlayer.named("alphabeta", depth=4, nodes=9), RandomMover())
    with pytest.raises(ZermeloError, match="3 seats are given, but the game has 2"):
        parse_seats("human,human,human", game)
    assert len(parse_seats("random", find("threenim"))) == 3


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [
        ("connect4", "deepening"),
        ("kqj", "deepening"),
        ("eightpuzzle", "realtime"),
        ("threenim", "backward"),
        ("kuhn", "ismcts"),
        ("rps", "ismcts"),
        ("pig", "star2"),
        ("twenty48", "expectiminimax"),
        ("threeconnect", "maxn"),
    ],
)
def test_every_game_has_a_default_player_that_fits(name: str, algorithm: str) -> None:
    assert default_player(find(name)) == AlgorithmPlayer(algorithm)


@pytest.mark.parametrize("text", ["alphabeta", "minimax", "backward", "alphabeta(depth=9, backend='reference')"])
def test_engines_do_not_lose_at_tictactoe(text: str) -> None:
    game, player = find("tictactoe"), parse_player(text)
    assert isinstance(player, AlgorithmPlayer)
    for seed in range(3):
        match, random = Match(game, parse_position(game, "0")), Random(seed)
        while not match.over:
            mover = player if match.mover == 1 else RandomMover()
            match.play(mover.choose(match, random).action)
        assert match.payoffs()[1] >= 0


def test_an_engine_takes_the_win_and_says_what_it_took() -> None:
    game = find("tictactoe")
    match = Match(game, parse_position(game, "03 14"))
    choice = AlgorithmPlayer.named("alphabeta", depth=2).choose(match, Random(0))
    assert choice.action == 2
    assert choice.result is not None
    assert choice.result.nodes > 0
    assert choice.seconds > 0


def test_a_budget_of_nodes_gives_the_same_answer_every_time_and_is_kept() -> None:
    game = find("connect4")
    engine = make_algorithm("alphabeta", backend="reference")
    answers = [think(engine, game, game.start(), Budget(nodes=3000)) for _ in range(2)]
    assert answers[0].nodes == answers[1].nodes <= 3000
    assert answers[0].scores == answers[1].scores
    assert answers[0].depth is not None
    assert answers[0].depth > 1
    assert not answers[0].exact
    assert not unfinished(answers[0])  # it is the answer of a depth that was finished


def test_thinking_stops_when_the_value_is_exact() -> None:
    game = find("tictactoe")
    result = think(make_algorithm("alphabeta", backend="reference"), game, parse_position(game, "04").state, Budget(nodes=1_000_000))
    assert result.exact
    assert result.value == 0


def test_a_depth_is_not_exceeded() -> None:
    result = think(
        make_algorithm("minimax", backend="reference"), find("connect4"), find("connect4").start(), Budget(depth=3, nodes=100_000)
    )
    assert result.depth == 3
    assert not interrupted(result)


def test_a_search_that_is_cut_short_is_recognised() -> None:
    from zermelo.limits import Limits

    game = find("tictactoe")
    assert unfinished(search(make_algorithm("minimax", backend="reference"), game, game.start(), limits=Limits(nodes=50)))
    assert not unfinished(search(make_algorithm("minimax", backend="reference"), game, parse_position(game, "0123").state))


def test_engines_are_found_by_name_and_refuse_what_they_do_not_have() -> None:
    assert all(make_algorithm(name) is not None for name in ALGORITHMS)
    with pytest.raises(ZermeloError, match=r"There is no algorithm alphabet: did you mean alphabeta\?"):
        make_algorithm("alphabet")
    with pytest.raises(ZermeloError, match="The algorithm backward has no parameter depth"):
        make_algorithm("backward", depth=3)
    with pytest.raises(ZermeloError, match="cannot stop early"):
        think(make_algorithm("backward"), find("kqj"), 0, Budget(nodes=5))
