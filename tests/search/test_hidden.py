"""Playouts under hidden information: nothing hidden is looked at, strategy fusion is seen and avoided, and self-play finds poker."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

import pytest

from zermelo.equilibrium.extensive.sequences.best_response import exploitability
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.errors import ZermeloError
from zermelo.formats.position import Position
from zermelo.games.kuhn import Kuhn
from zermelo.games.leduc import Leduc
from zermelo.games.liarsdice import LiarsDice
from zermelo.games.tictactoe import TicTacToe
from zermelo.games.twoworlds import TWO_WORLDS
from zermelo.limits import Limits
from zermelo.play.choice import Automatic
from zermelo.play.match import Match
from zermelo.play.players import parse_player
from zermelo.registry import find
from zermelo.rules import CHANCE, Game, knowledge, legal_actions
from zermelo.search.montecarlo.hidden.determinized import Determinized
from zermelo.search.montecarlo.hidden.ismcts import ISMCTS
from zermelo.search.montecarlo.hidden.isuct import ISUCT
from zermelo.search.montecarlo.hidden.pouct import POUCT
from zermelo.search.montecarlo.hidden.smooth import SmoothUCT
from zermelo.search.montecarlo.hidden.worlds import Worlds, possible_states
from zermelo.search.montecarlo.splitmix import SplitMix

GUESS_LATER, SURE = 0, 1  # left and right in the two worlds

BY_KNOWLEDGE: list[Any] = [ISMCTS(), ISMCTS(observers="single"), ISUCT(), SmoothUCT(decay=0.05), POUCT()]
EVERYBODY = [
    Determinized(playouts=300, seed=5, worlds=10, backend="reference"),
    ISMCTS(playouts=300, seed=5),
    ISMCTS(playouts=300, seed=5, observers="single"),
    ISUCT(playouts=300, seed=5),
    SmoothUCT(playouts=300, seed=5),
    POUCT(playouts=300, seed=5),
]


def hands(moves: str = "-") -> list[Any]:
    """Kuhn poker: the queen against either other card."""
    return [Kuhn().read(f"Q {other} {moves}") for other in "JK"]


def table(hand: str) -> Match:
    """A match that begins with a hand of Kuhn poker."""
    return Match(Kuhn(), Position(Kuhn().read(hand)))


class Unsampled(Kuhn):
    """Kuhn poker without `sample`, so that possible states are looked for."""

    sample = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Tiger(Game):
    """One player and two doors (L. Kaelbling, M. Littman and A. Cassandra, 1998, with one chance to listen for each of two steps).

    Behind one door is a tiger: opening it costs 100, opening the other brings 10. To listen costs 1 and tells the right door with
    probability 0.85. A state is (door of the tiger or -1, what was heard as digits behind a 1, opened or -1, is the ear at work).
    """

    steps: int = 2
    players = 1
    payoffs = (-100 - 2, 10)

    LISTEN = 2

    def start(self) -> tuple[int, int, int, int]:
        return -1, 1, -1, 0

    def player(self, state: tuple[int, int, int, int]) -> int:
        tiger, _, _, listening = state
        return CHANCE if tiger < 0 or listening else 0

    def chances(self, state: tuple[int, int, int, int]) -> Iterator[tuple[int, int]]:
        tiger = state[0]
        for side in (0, 1):
            yield side, 1 if tiger < 0 else 85 if side == tiger else 15

    def actions(self, state: tuple[int, int, int, int]) -> Iterator[int]:
        if not self.terminal(state):
            yield 0
            yield 1
            if state[1] < 2**self.steps:
                yield self.LISTEN

    def result(self, state: tuple[int, int, int, int], action: int) -> tuple[int, int, int, int]:
        tiger, heard, _, listening = state
        if tiger < 0:
            return action, heard, -1, 0
        if listening:
            return tiger, heard * 2 + action, -1, 0
        return (tiger, heard, -1, 1) if action == self.LISTEN else (tiger, heard, action, 0)

    def terminal(self, state: tuple[int, int, int, int]) -> bool:
        return state[2] >= 0

    def utility(self, state: tuple[int, int, int, int]) -> int:
        tiger, heard, opened, _ = state
        return (-100 if opened == tiger else 10) - (heard.bit_length() - 1)

    def information(self, state: tuple[int, int, int, int], player: int) -> tuple[int, int, int]:
        return state[1:]


@pytest.mark.parametrize("algorithm", EVERYBODY, ids=lambda each: f"{each.name}-{getattr(each, 'observers', '')}")
def test_what_is_hidden_changes_nothing(algorithm: Any) -> None:
    first, second = (algorithm.search(Kuhn(), hand) for hand in hands())
    assert first.extra["visits"] == second.extra["visits"]
    assert first.scores == second.scores
    assert sum(first.extra["visits"].values()) > 0


@pytest.mark.parametrize("algorithm", EVERYBODY, ids=lambda each: f"{each.name}-{getattr(each, 'observers', '')}")
def test_the_same_seed_gives_the_same_search(algorithm: Any) -> None:
    state = TWO_WORLDS.result(TWO_WORLDS.start(), 0)
    first, second = algorithm.search(TWO_WORLDS, state), algorithm.search(TWO_WORLDS, state)
    assert first.extra["visits"] == second.extra["visits"]
    assert first.algorithm == algorithm.name


# --- two backends, one tree


def facts(algorithm: Any, game: Game, state: Any, backend: str, **switches: Any) -> dict[str, Any]:
    found = replace(algorithm, seed=11, backend=backend, **switches).search(game, state)
    assert found.backend == backend
    return {name: fact for name, fact in found.to_dict().items() if name not in ("seconds", "backend", "parameters", "tree", "notes")}


def dealt(game: Game) -> Any:
    """The first state in which a player moves, by the first thing that can happen each time."""
    state = game.start()
    while game.player(state) == CHANCE:
        state = game.result(state, legal_actions(game, state)[0])
    return state


@pytest.mark.parametrize("algorithm", BY_KNOWLEDGE, ids=lambda each: f"{each.name}-{getattr(each, 'observers', '')}")
@pytest.mark.parametrize(
    "game",
    [Leduc(), *(pytest.param(game, marks=pytest.mark.slow) for game in (Kuhn(), LiarsDice(), Kuhn(players=3), TicTacToe()))],
    ids=str,
)
def test_both_engines_grow_the_same_tree(algorithm: Any, game: Game) -> None:
    state = dealt(game)
    assert facts(algorithm, game, state, "compiled", playouts=700) == facts(algorithm, game, state, "reference", playouts=700)


@pytest.mark.slow
@pytest.mark.parametrize(
    "switches", [{"cutoff": 1}, {"policy": "evaluate", "epsilon": 0.3}, {"exploration": 0.1, "final": "secure"}], ids=str
)
def test_both_engines_grow_the_same_tree_by_any_playouts(switches: dict[str, Any]) -> None:
    game, algorithm = TicTacToe(), ISMCTS(playouts=400)
    assert facts(algorithm, game, game.start(), "compiled", **switches) == facts(algorithm, game, game.start(), "reference", **switches)


@pytest.mark.slow
@pytest.mark.parametrize("game", [Tiger(), Unsampled()], ids=lambda game: type(game).__name__)
def test_both_engines_draw_the_same_worlds_and_pay_the_same(game: Game) -> None:
    """One player who pays; and states that are looked for because the rules have no `sample`."""
    state = game.result(game.start(), 1) if game.players == 1 else hands()[0]
    assert facts(POUCT(playouts=700), game, state, "compiled") == facts(POUCT(playouts=700), game, state, "reference")


def test_a_long_search_draws_among_the_worlds_it_has_on_both_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("worlds", "information_tree_driver"):
        monkeypatch.setattr(f"zermelo.search.montecarlo.hidden.{module}.MOST_SAMPLED", 50)
    game, algorithm = Leduc(), ISMCTS(playouts=300)
    assert facts(algorithm, game, dealt(game), "compiled") == facts(algorithm, game, dealt(game), "reference")
    worlds = Worlds(game, dealt(game), 0, SplitMix(3))
    drawn = [worlds.draw() for _ in range(300)]
    assert len(worlds.states) == 50
    assert set(drawn[50:]) <= set(drawn[:50])


def test_both_engines_find_the_same_strategy() -> None:
    compiled, reference = (SmoothUCT(playouts=2_000, seed=3, backend=backend).strategy(Leduc()) for backend in ("compiled", "reference"))
    assert compiled == reference
    assert all(len(table) > 100 for table in compiled)


def test_a_limit_on_nodes_stops_both_engines_at_the_same_playout() -> None:
    game = Leduc()
    compiled, reference = (
        ISUCT(seed=1, backend=backend).search(game, dealt(game), limits=Limits(nodes=1_000)) for backend in ("compiled", "reference")
    )
    assert compiled.extra["playouts"] == reference.extra["playouts"] > 0
    assert compiled.nodes == reference.nodes


def test_memory_ends_the_growth_of_the_compiled_tree_too() -> None:
    found = ISUCT(playouts=3_000, seed=1, memory=1 << 16, backend="compiled").search(Leduc(), dealt(Leduc()))
    assert found.extra["tree"]["full"]
    assert found.extra["playouts"] == 3_000
    assert any("memory limit" in note for note in found.notes)


class Sealed(NamedTuple):
    number: int
    first: int
    second: int


@dataclass(frozen=True)
class Envelope(Game):
    """A number is drawn that only the second player sees, who then has two actions that nobody has with another number."""

    numbers: int = 400
    payoffs = (-1, 1)

    def start(self) -> Sealed:
        return Sealed(-1, -1, -1)

    def player(self, state: Sealed) -> int:
        return CHANCE if state.number < 0 else 0 if state.first < 0 else 1

    def chances(self, state: Sealed) -> Iterator[tuple[int, float]]:
        for number in range(self.numbers):
            yield number, 1 / self.numbers

    def actions(self, state: Sealed) -> Iterator[int]:
        least, count = (0, 12) if state.first < 0 else (2 * state.number, 2)
        for action in range(count):
            yield least + action

    def result(self, state: Sealed, action: int) -> Sealed:
        if state.number < 0:
            return state._replace(number=action)
        return state._replace(first=action) if state.first < 0 else state._replace(second=action)

    def terminal(self, state: Sealed) -> bool:
        return state.second >= 0

    def utility(self, state: Sealed) -> int:
        return (state.first + state.second) % 3 - 1

    def information(self, state: Sealed, player: int) -> tuple[int, int]:
        return (state.first, state.second) if player == 0 else (state.number, state.first)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["compiled", "reference"])
def test_the_root_goes_on_learning_where_others_fill_the_memory(backend: Any) -> None:
    """To one observer all numbers look alike, so the second player's nodes get new actions for as long as there is room."""
    game = Envelope()
    found = ISMCTS(playouts=20_000, seed=1, observers="single", memory=1 << 16, backend=backend).search(game, Sealed(7, -1, -1))
    assert found.extra["tree"]["full"]
    assert sum(found.extra["visits"].values()) == 20_000


def test_who_searches_is_told_where_the_kernel_cannot() -> None:
    game, folding = Kuhn(), lambda game, state, actions: 0
    found = POUCT(playouts=50, seed=4, others=folding).search(game, hands()[0])
    assert found.backend == "reference"
    assert any("only it can call functions of Python" in note for note in found.notes)
    with pytest.raises(ZermeloError, match="The compiled backend cannot run this"):
        POUCT(playouts=50, others=folding, backend="compiled").search(game, hands()[0])
    with pytest.raises(ZermeloError, match="There is no backend"):
        ISMCTS(playouts=50, backend="fast").search(game, hands()[0])  # type: ignore[arg-type]


# --- strategy fusion


def test_determinized_search_believes_in_a_payoff_that_nobody_can_have() -> None:
    state = TWO_WORLDS.result(TWO_WORLDS.start(), 0)
    fused = Determinized(playouts=6_000, seed=1, worlds=10, backend="reference").search(TWO_WORLDS, state)
    assert fused.scores[GUESS_LATER] > 0.85
    for observers in ("single", "multiple"):
        sound = ISMCTS(playouts=3_000, seed=1, observers=observers).search(TWO_WORLDS, state)
        assert sound.action == SURE
        assert sound.scores[GUESS_LATER] < 0.5
        assert sound.scores[SURE] == 1


def test_possible_states_are_those_that_the_player_cannot_tell_apart_weighted_by_chance() -> None:
    game = Kuhn()
    hand = hands()[0]
    states, weights = possible_states(game, knowledge(game, hand, 0), 0)
    assert sorted(state.cards for state in states) == [(1, 0), (1, 2)]
    assert weights == pytest.approx([1 / 6, 1 / 6])
    _, replies = possible_states(game, knowledge(game, game.read("J Q pb"), 0), 0)
    assert replies == pytest.approx([1 / 12, 1 / 12])  # the other player bets half of the time; the own pass carries no weight


def test_worlds_are_drawn_with_and_without_the_rules_own_sample() -> None:
    for game in (Kuhn(), Unsampled()):
        worlds = Worlds(game, hands()[0], 0, SplitMix(3))
        drawn = [worlds.draw().cards for _ in range(400)]
        assert set(drawn) == {(1, 0), (1, 2)}
        assert 140 < drawn.count((1, 0)) < 260


def test_a_game_too_large_to_look_through_asks_for_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.search.montecarlo.hidden.worlds.MOST_STATES", 10)
    with pytest.raises(ZermeloError, match="`sample"):
        ISMCTS(playouts=10).search(Unsampled(), hands()[0])


def test_self_play_comes_near_the_equilibrium_of_kuhn_poker() -> None:
    game = Kuhn()
    arrays = unfold(game, backend="reference")
    for algorithm, bound in ((ISUCT, 0.08), (SmoothUCT, 0.08)):
        few, many = (
            exploitability(arrays, Strategy(game, algorithm(playouts=playouts, seed=3).strategy(game))) for playouts in (100, 8_000)
        )
        assert many < bound < few


def test_po_uct_plans_for_one_player_who_does_not_see_everything() -> None:
    """Listening first is worth 0.85 · 10 - 0.15 · 100 - 1 < 0 after one noise; two that agree are worth more: the best is to listen."""
    game = Tiger()
    door = game.result(game.start(), 1)
    found = POUCT(playouts=20_000, seed=2, backend="reference").search(game, door)
    assert found.action == Tiger.LISTEN
    certain = 0.85**2 / (0.85**2 + 0.15**2)  # that the tiger is where two noises said
    agree = 0.85**2 + 0.15**2
    best = -2 + agree * (10 * certain - 100 * (1 - certain)) + (1 - agree) * -45
    assert found.scores[0] < -30
    assert found.scores[1] < -30
    assert found.scores[Tiger.LISTEN] < best + 5


def test_po_uct_replies_to_the_model_of_the_others() -> None:
    """Against somebody who always folds, a bet with the lowest card wins one chip."""
    game, folding = Kuhn(), lambda game, state, actions: 0
    found = POUCT(playouts=2_000, seed=4, others=folding).search(game, game.read("J Q -"))
    assert game.name(found.state, found.action or 0) == "bet"
    assert found.value == pytest.approx(1)


def test_three_players_keep_their_own_payoffs() -> None:
    game = Kuhn(players=3)
    hand = game.read("K Q J bb") if game.deck == 3 else game.read("A K Q bb")
    found = ISMCTS(playouts=2_000, seed=1).search(game, hand)
    assert len(found.value) == 3
    assert sum(found.value) == pytest.approx(0)


def test_where_nothing_is_hidden_it_is_plain_uct() -> None:
    game = TicTacToe()
    state = game.start()
    for action in (0, 3, 1, 4):  # x to move wins with 2
        state = game.result(state, action)
    assert ISMCTS(playouts=800, seed=1).search(game, state).action == 2


def test_a_position_that_self_play_never_meets_is_searched_from_where_it_is() -> None:
    game = Kuhn()
    found = ISUCT(playouts=1, seed=1).search(game, game.read("Q K pb"))
    assert found.action is not None
    assert any("came by this position" in note for note in found.notes)


def test_memory_ends_the_growth_and_not_the_search() -> None:
    game = Kuhn(cards=40)
    found = ISUCT(playouts=3_000, seed=1, memory=1 << 16).search(game, game.read("2 3 -"))
    assert found.extra["tree"]["full"]
    assert found.extra["playouts"] == 3_000
    assert any("memory limit" in note for note in found.notes)


def test_bad_input_is_refused_in_a_sentence() -> None:
    game, hand = Kuhn(), hands()[0]
    for algorithm, words in (
        (ISMCTS(playouts=0), "playouts is a whole number of at least 1"),
        (ISMCTS(observers="many"), "observers is single or multiple"),  # type: ignore[arg-type]
        (ISUCT(begin="end"), "begin is start or here"),  # type: ignore[arg-type]
        (SmoothUCT(first=2.0), "first is a probability"),
        (Determinized(worlds=0), "worlds is a whole number"),
        (POUCT(exploration=-1), "exploration is a number of at least 0"),
        (ISMCTS(policy="order"), "needs the rules' `order`"),
    ):
        with pytest.raises(ZermeloError, match=words):
            algorithm.search(game, hand)
    with pytest.raises(ZermeloError, match="Chance moves here"):
        ISMCTS(playouts=10).search(game)
    with pytest.raises(ZermeloError, match="above 0 seconds"):
        ISMCTS().search(game, hand, limits=Limits(time=0))


def test_a_policy_that_raises_keeps_the_best_so_far() -> None:
    calls = 0

    def failing(game: Game, state: Any, actions: list[int]) -> int:
        nonlocal calls
        calls += 1
        if calls > 5:
            raise RuntimeError("out of ideas")
        return actions[0]

    game = Kuhn(cards=13)
    found = ISMCTS(playouts=2_000, seed=1, policy=failing, epsilon=0).search(game, game.read("7 8 -"))
    assert "out of ideas" in found.stopped
    assert found.action is not None


@pytest.mark.parametrize("name", [pytest.param("determinized", marks=pytest.mark.slow), "ismcts", "isuct", "smooth", "pouct"])
def test_players_follow_their_engines(name: str) -> None:
    match, player = table("Q J -"), parse_player(f"{name}(playouts=30)")
    assert isinstance(player, Automatic)
    choice = player.choose(match, Random(1))
    assert choice.action in match.legal
    assert choice.result is not None
    assert choice.result.algorithm == name


def test_players_of_average_strategies_bluff_now_and_then() -> None:
    match, random = table("J Q p"), Random(1)
    player = parse_player("smooth(playouts=300)")
    assert isinstance(player, Automatic)
    chosen = {player.choose(match, random).action for _ in range(20)}
    assert len(chosen) == 2


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_choices_at_the_same_moment_are_no_lockstep(seed):
    """Two learners by UCB1 agree on Cooperate, and on a value of matching pennies that is far from 0."""
    search = ISMCTS(playouts=4_000, seed=seed, backend="reference")
    dilemma = search.search(find("prisonersdilemma"))
    assert dilemma.action_name(dilemma.action) == "Def"
    assert abs(search.search(find("matchingpennies")).value) < 0.1
    assert abs(search.search(find("rps")).value) < 0.1
    assert replace(search, backend="compiled").search(find("rps")).scores == search.search(find("rps")).scores
