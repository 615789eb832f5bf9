"""Strategies and their verifier: what is promised holds, and a table that was tampered with is found out."""

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from zermelo import CHANCE, BackwardInduction, Chance, Game, Leaf, Max, Min, Tree, ZermeloError
from zermelo.formats.position import Position, parse_moves
from zermelo.play.match import Match
from zermelo.play.players import RandomMover, SolvedPlayer, parse_player
from zermelo.play.strategies import Strategy, game_text, strategy, written
from zermelo.registry import find
from zermelo.rules import Repetition, legal_actions
from zermelo.runtime.identity import rules_hash
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.search.proof import verifier

# game, player, position, payoff that is sure, where that is known from
KNOWN = [
    ("tictactoe", 0, None, 0, "a draw, as every child knows"),
    ("tictactoe", 1, None, 0, "the same, by the other side"),
    ("tictactoe", 0, "01", 1, "A. Newell and H. A. Simon, Human Problem Solving (1972)"),
    ("nim", 0, None, 1, "Bouton 1901: 3 xor 4 xor 5 is not 0"),
    ("nim(heaps=(1, 2, 3))", 1, None, 1, "Bouton 1901: 1 xor 2 xor 3 is 0"),
    ("ponghauki", 0, None, 0, "Straffin 1995: a draw, since good play never ends"),
    ("ponghauki", 1, None, 0, "the same, by the other side"),
    ("kqj", 0, None, -1, "the OpenGenus article"),
]


@pytest.mark.parametrize("against", ["any", "optimal"])
@pytest.mark.parametrize(("text", "player", "position", "payoff", "source"), KNOWN)
def test_a_strategy_promises_what_is_known_and_keeps_it(
    text: str, player: int, position: str | None, payoff: Any, source: str, against: Any
) -> None:
    made = strategy(find(text), player, position=position, against=against)
    verdict = made.verify()
    assert made.payoff == payoff, source
    assert verdict.holds, verdict.reason
    assert verdict.worst == payoff
    assert verdict.used == len(made.choices) + len(made.replies) > 0


@pytest.mark.parametrize("player", [0, 1])
def test_every_choice_against_any_reply_is_a_best_one(player: int) -> None:
    game: Any = find("tictactoe")
    made = strategy(game, player)
    induction = BackwardInduction().search(game)
    chosen = [(state, made.action(state)) for state in induction.optimal if made.action(state) is not None]
    assert len(chosen) == len(made.choices)
    assert all(action in induction.optimal[state] for state, action in chosen)
    late = [(state, action) for state, action in chosen if state.count(" ") <= 5 and induction.values[state] != 0]
    assert late
    for state, action in late:  # the soonest win, the latest loss
        found = AlphaBeta(backend="reference").search(game, state)
        assert found.distances[action] == found.distance


def reachable(game: Game) -> list[Any]:
    seen = {game.start()}
    queue = list(seen)
    for state in queue:  # grows while it is read
        for action in legal_actions(game, state):
            child = game.result(state, action)
            if child not in seen:
                seen.add(child)
                queue.append(child)
    return queue


def test_optimal_replies_are_all_that_are_tied() -> None:
    game = find("tictactoe")
    made = strategy(game, 0, against="optimal")
    begin = game.result(game.start(), made.choices[written(game, game.start())])
    assert made.replies[written(game, begin)] == AlphaBeta(backend="reference").search(game, begin).actions
    assert len(made.replies) < len(strategy(game, 0).choices)


@pytest.mark.slow
@pytest.mark.parametrize("against", ["any", "optimal"])
@pytest.mark.parametrize(("text", "payoff"), [("connect4(width=4,height=4)", 0), ("connect4(width=5,height=4)", 0)])
@pytest.mark.parametrize("player", [0, 1])
def test_the_compiled_prover_finds_strategies_of_small_connect_four_boards(text: str, payoff: int, player: int, against: Any) -> None:
    made = strategy(find(text), player, against=against, backend="compiled")
    assert made.payoff == payoff  # draws: Tromp, John's Connect Four Playground
    assert made.verify().holds


def test_a_connect_four_position_that_is_lost_and_won() -> None:
    game = find("connect4(width=4,height=4)")
    winner = strategy(game, 0, position="21324")
    loser = strategy(game, 1, position="21324")
    assert winner.payoff + loser.payoff == 0
    assert winner.verify().holds
    assert loser.verify().holds


# --- chance


def test_chance_counts_as_the_mean() -> None:
    tree = Tree.of(Max({"safe": 1, "bet": Chance({"heads": (1, Min({"a": 4, "b": 3})), "tails": (2, Leaf(0))})}))
    made = strategy(tree, 0)
    assert made.payoff == 1
    assert made.verify() == verifier.Verification(True, 1, 2, 1)
    both = strategy(tree, 1, position="bet")
    assert (both.payoff, both.verify().worst) == (Fraction(-1), Fraction(-1))


# --- tables that were tampered with


def tampered(made: Strategy, **changes: Any) -> Strategy:
    return Strategy(**{name: getattr(made, name) for name in Strategy.__dataclass_fields__} | changes)


@pytest.mark.parametrize("text", ["tictactoe", "nim", "ponghauki", "nim(heaps=(2, 3))"])
def test_a_promise_that_is_too_large_is_found_out(text: str) -> None:
    made = strategy(find(text))
    verdict = tampered(made, payoff=made.payoff + 1).verify()
    assert not verdict.holds
    assert f"only {made.payoff} is sure" in verdict.reason


@pytest.mark.parametrize("text", ["tictactoe", "nim", "ponghauki"])
def test_a_missing_action_is_found_out(text: str) -> None:
    made = strategy(find(text))
    for state in made.choices:
        verdict = tampered(made, choices={each: action for each, action in made.choices.items() if each != state}).verify()
        assert not verdict.holds
        assert verdict.reason == f"no action is given for a state that can be reached, {state}"


@pytest.mark.parametrize("text", ["tictactoe", "nim"])
def test_an_impossible_action_is_found_out(text: str) -> None:
    made = strategy(find(text))
    for state in made.choices:
        verdict = tampered(made, choices=made.choices | {state: 999}).verify()
        assert not verdict.holds
        assert "action 999 is given, which is not possible" in verdict.reason


def test_every_action_that_gives_the_win_away_is_found_out() -> None:
    """Each other action of each state: the promise holds exactly where the table still covers what follows and wins."""
    game: Any = find("nim(heaps=(2, 3))")
    made = strategy(game, 0)
    states = {written(game, state): state for state in reachable(game)}
    broken = 0
    for text in made.choices:
        for action in legal_actions(game, states[text]):
            verdict = tampered(made, choices=made.choices | {text: action}).verify()
            loses = AlphaBeta(backend="reference").search(game, game.result(states[text], action)).value == -1
            if loses:
                broken += 1
                assert not verdict.holds
    assert broken > 5


def test_the_line_of_a_verdict_leads_to_the_fault() -> None:
    game = find("tictactoe")
    made = strategy(game, 0, position="01")
    place = parse_moves(game, "01")
    blunder = {written(game, place.state): 2}
    verdict = tampered(made, choices=strategy(game, 0, position="012").choices | made.choices | blunder).verify()
    assert not verdict.holds
    state = place.state
    for action in verdict.line:
        assert action in legal_actions(game, state)
        state = game.result(state, action)


def test_replies_that_are_left_out_or_impossible_are_found_out() -> None:
    made = strategy(find("tictactoe"), 0, against="optimal")
    text = next(iter(made.replies))
    assert not tampered(made, replies={}).verify().holds
    assert not tampered(made, replies=made.replies | {text: ()}).verify().holds
    assert not tampered(made, replies=made.replies | {text: (0, 99)}).verify().holds
    assert tampered(made, replies=made.replies | {text: made.replies[text][:1]}).verify().holds  # a weaker promise


class Place(NamedTuple):
    point: int
    turn: int


@dataclass(frozen=True)
class Round(Game):
    """Walk round a ring of four points forever, or step off it: the walker on an even point wins."""

    rule: Repetition = "draw"
    payoffs = (-1, 1)

    @property
    def repetition(self) -> Repetition:
        return self.rule

    def start(self) -> Place:
        return Place(0, 0)

    def player(self, place: Place) -> int:
        return place.turn

    def actions(self, place: Place) -> list[int]:
        return [0, 1] if place.turn else [0]

    def result(self, place: Place, action: int) -> Place:
        return Place(9 if action else (place.point + 1) % 4, 1 - place.turn)

    def terminal(self, place: Place) -> bool:
        return place.point == 9

    def utility(self, place: Place) -> float:
        return 1


def test_going_round_is_a_draw_where_the_rules_say_so() -> None:
    made = strategy(Round(), 0)
    assert (made.payoff, made.verify().holds) == (0, True)
    verdict = tampered(made, payoff=1).verify()
    assert (verdict.holds, verdict.worst) == (False, 0)


@pytest.mark.parametrize("rule", ["loss", "forbidden"])
def test_where_the_way_matters_there_is_no_strategy_of_states(rule: Repetition) -> None:
    with pytest.raises(ZermeloError, match="a state returns, and the game may go round forever"):
        strategy(Round(rule), 0)


def test_a_promise_of_a_game_without_end_is_found_out() -> None:
    made = strategy(Round(None), 0)
    assert not made.verify().holds


def test_a_state_of_the_history_that_returns_is_a_draw() -> None:
    game = find("ponghauki")
    made = strategy(game, 0, position="ba")
    assert made.payoff == 0
    assert made.verify().holds


# --- files


def saved(tmp_path: Path, text: str = "tictactoe", **wanted: Any) -> Path:
    path = tmp_path / "strategy.jsonl"
    strategy(find(text), **wanted).save(path)
    return path


@pytest.mark.parametrize("against", ["any", "optimal"])
@pytest.mark.parametrize(("text", "position"), [("nim(heaps=(1, 2, 4))", None), ("tictactoe", "04"), ("ponghauki", "ba")])
def test_a_file_gives_back_what_was_saved(tmp_path: Path, text: str, position: str | None, against: Any) -> None:
    made = strategy(find(text), 0, position=position, against=against)
    made.save(tmp_path / "strategy.jsonl")
    back = Strategy.load(tmp_path / "strategy.jsonl")
    for name in Strategy.__dataclass_fields__.keys() - {"seconds"}:
        assert getattr(back, name) == getattr(made, name), name
    assert not back.changed()
    assert back.verify() == made.verify()


def edited(path: Path, line: int, text: str | None) -> Path:
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[line : line + 1] = [] if text is None else [text]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("line", "text", "part"),
    [
        (0, "", "is not a strategy: its first line must be the header"),
        (0, "[1, 2]", "is not a strategy"),
        (0, '{"zermelo": "strategy", "version": 99}', "is a strategy of version 99"),
        (0, '{"zermelo": "strategy", "version": 1, "game": "nim"}', "line 1: the header lacks against, payoff"),
        (1, "nonsense", "line 2: this is no state with an action"),
        (1, "[[0, 0]]", "line 2: this is no state with an action"),
        (2, "[[9, 9], 4.5]", "line 3: 4.5 is not an action"),
        (2, "[[9, 9], true]", "line 3: true is not an action"),
        (2, "[[9, 9], [1, 2]]", "line 3: replies are named, but the strategy is against every reply"),
        (3, None, "is damaged: 81 states are announced, 80 are there"),
    ],
)
def test_a_bad_file_is_refused_in_a_sentence(tmp_path: Path, line: int, text: str | None, part: str) -> None:
    with pytest.raises(ZermeloError) as caught:
        Strategy.load(edited(saved(tmp_path), line, text))
    assert part in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("player", 2),
        ("player", True),
        ("against", "all"),
        ("payoff", "much"),
        ("payoff", "1e999999999"),
        ("payoff", None),
        ("states", "3"),
        ("position", 4),
    ],
)
def test_a_bad_header_is_refused_in_a_sentence(tmp_path: Path, name: str, value: Any) -> None:
    path = saved(tmp_path)
    header = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    with pytest.raises(ZermeloError, match=f"line 1: .* is no {name} of a strategy"):
        Strategy.load(edited(path, 0, json.dumps(header | {name: value})))


def test_a_state_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path)
    first = path.read_text(encoding="utf-8").splitlines()[1]
    with pytest.raises(ZermeloError, match=r"line 3: the state .* stands there twice"):
        Strategy.load(edited(path, 2, first))


def test_files_that_are_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(ZermeloError, match="There is no file"):
        Strategy.load(tmp_path / "nothing.jsonl")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ZermeloError, match="is not UTF-8 text"):
        Strategy.load(tmp_path / "binary.jsonl")
    with pytest.raises(ZermeloError, match="cannot be written"):
        strategy(find("nim")).save(tmp_path / "no folder" / "nim.jsonl")


def test_mutations_of_a_file_are_refused_or_found_out(tmp_path: Path) -> None:
    """Random changes of single signs: whatever still loads and is still verified keeps the promise that it makes."""
    path = saved(tmp_path, "nim(heaps=(1, 2, 2))")
    original, random = path.read_text(encoding="utf-8"), Random(3)
    refused = found_out = 0
    for _ in range(300):
        place = random.randrange(original.index("\n"), len(original))
        path.write_text(original[:place] + random.choice("0123456789[],-x") + original[place + 1 :], encoding="utf-8")
        try:
            verdict = Strategy.load(path).verify()
        except ZermeloError:
            refused += 1
            continue
        found_out += not verdict.holds
    assert refused > 50
    assert found_out > 50


# --- what is refused, and small things


@pytest.mark.parametrize(
    ("text", "wanted", "part"),
    [
        ("kuhn", {}, "would see what is hidden"),
        ("threenim", {}, "two players with a constant sum"),
        ("eightpuzzle", {}, "here is none"),
        ("tictactoe", {"player": 2}, "There is no player 2"),
        ("tictactoe", {"against": "all"}, "against any or optimal replies"),
        ("tictactoe", {"position": "0314 2".replace(" ", "")}, "The game is over"),
        ("tictactoe", {"limit": 50, "backend": "reference"}, "has more than 50 states"),
        ("pig", {}, "has a cycle"),
    ],
)
def test_what_has_no_strategy_is_told_in_a_sentence(text: str, wanted: dict[str, Any], part: str) -> None:
    with pytest.raises(ZermeloError) as caught:
        strategy(find(text), **wanted)
    assert part in str(caught.value)


class Thing:
    pass


@dataclass(frozen=True)
class Opaque(Game):
    """A game of one move, whose states cannot be written."""

    def start(self) -> Any:
        return Thing()

    def player(self, state: Any) -> int:
        return CHANCE if isinstance(state, int) else 0

    def actions(self, state: Any) -> list[int]:
        return [1]

    def result(self, state: Any, action: int) -> Any:
        return 1

    def terminal(self, state: Any) -> bool:
        return isinstance(state, int)

    def utility(self, state: Any) -> float:
        return 1


def test_states_that_cannot_be_written_are_refused() -> None:
    with pytest.raises(ZermeloError, match="cannot be written: make them of numbers and tuples, or give `show`"):
        strategy(Opaque())


def test_a_game_without_a_name_cannot_be_saved(tmp_path: Path) -> None:
    tree = Tree.of(Max({"left": 1, "right": Min({"a": 2, "b": 0})}))
    with pytest.raises(ZermeloError, match="has no name"):
        strategy(tree).save(tmp_path / "tree.jsonl")


def test_rules_are_told_apart_by_their_text_and_parameters() -> None:
    assert rules_hash(find("nim")) == rules_hash(find("nim"))
    assert rules_hash(find("nim")) != rules_hash(find("nim(heaps=(1, 2))"))
    assert rules_hash(find("nim")) != rules_hash(find("tictactoe"))
    assert game_text(find("nim(heaps=(1, 2))")) == "nim(heaps=(1, 2))"


# --- playing


def test_a_player_follows_a_file_and_never_loses(tmp_path: Path) -> None:
    game = find("tictactoe")
    path = saved(tmp_path)
    follower = parse_player(f"strategy({path})")
    for seed in range(10):
        random = Random(seed)
        match = Match(game, Position(game.start()))
        while not match.over:
            player: Any = follower if match.mover == 0 else RandomMover()
            match.play(player.choose(match, random).action)
        assert match.payoffs()[0] >= 0


def test_a_file_of_another_player_game_or_place_is_refused(tmp_path: Path) -> None:
    follower: Any = parse_player(f"strategy({saved(tmp_path)})")
    game = find("tictactoe")
    with pytest.raises(ZermeloError, match="is a strategy of X, and O moves"):
        follower.choose(Match(game, parse_moves(game, "0")), Random(0))
    with pytest.raises(ZermeloError, match="has no possible action for this state"):
        follower.choose(Match(game, parse_moves(game, "35")), Random(0))
    nim = find("nim")
    with pytest.raises(ZermeloError, match="made for other rules"):
        follower.choose(Match(nim, Position(nim.start())), Random(0))


def test_a_solved_player_proves_its_move() -> None:
    game = find("tictactoe")
    choice = SolvedPlayer(backend="reference").choose(Match(game, parse_moves(game, "01")), Random(0))
    assert choice.result is not None
    assert (choice.result.value, choice.result.distance) == (1, 5)
