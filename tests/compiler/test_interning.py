"""Rules that do not compile, behind the compiled kernels: the same answers as the reference backend, each state asked once."""

import textwrap
import threading
import time
import zlib
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from zermelo import Limits, RulesError, ZermeloError
from zermelo.compiler import interning
from zermelo.compiler.interning import InternedGame, interned_game
from zermelo.registry import find
from zermelo.rules import CHANCE, Game
from zermelo.search.chance.expectiminimax import Expectiminimax
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.search.classic.minimax import Minimax
from zermelo.search.classic.perft import counted_by_kernel, perft
from zermelo.search.deepening.deepening import Deepening
from zermelo.search.montecarlo.hidden.ismcts import ISMCTS
from zermelo.search.montecarlo.mcts import MCTS
from zermelo.search.players.maxn import MaxN
from zermelo.search.proof.prove import Prove
from zermelo.search.puzzles.idastar import IDAStar


class Heaps:
    """Heaps of Nim as an object with slots and a hash of its own, and bytes, which have no compiled form."""

    __slots__ = ("sizes", "turn")

    def __init__(self, sizes: tuple[int, ...], turn: int) -> None:
        self.sizes, self.turn = bytes(sorted(sizes)), turn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Heaps) and (self.sizes, self.turn) == (other.sizes, other.turn)

    def __hash__(self) -> int:
        return hash((self.sizes, self.turn))


@dataclass(frozen=True)
class SlottedNim(Game):
    """Whoever takes the last object wins; states are objects that change hands in and out of other code."""

    sizes: tuple[int, ...] = (1, 2, 3)

    def start(self) -> Any:
        return Heaps(self.sizes, 0)

    def player(self, state: Any) -> int:
        return int(state.turn)

    def actions(self, state: Any) -> list[Any]:
        return [(heap, count) for heap, size in enumerate(state.sizes) for count in range(1, size + 1)]

    def result(self, state: Any, action: Any) -> Any:
        heap, count = action
        sizes = list(state.sizes)
        sizes[heap] -= count
        return Heaps(tuple(sizes), 1 - state.turn)

    def terminal(self, state: Any) -> bool:
        return not any(state.sizes)

    def utility(self, state: Any) -> int:
        return 1 if state.turn == 1 else -1


@dataclass(frozen=True)
class Tally(Game):
    """Players add letters to a sorted text until it has five; a module that the compiler does not know decides who has won."""

    def start(self) -> Any:
        return ""

    def player(self, text: Any) -> int:
        return len(text) % 2

    def actions(self, text: Any) -> list[Any]:
        return ["a", "b", "c"]

    def result(self, text: Any, letter: Any) -> Any:
        return "".join(sorted(text + letter))

    def terminal(self, text: Any) -> bool:
        return len(text) == 5

    def utility(self, text: Any) -> Any:
        return zlib.crc32(text.encode()) % 7 / 2


@dataclass(frozen=True)
class DecimalDice(Game):
    """A die and two players; the state holds a `Decimal`, which has no compiled form."""

    def start(self) -> Any:
        return (Decimal(0), 0)

    def player(self, state: Any) -> int:
        return CHANCE if state[1] % 2 else state[1] // 2 % 2

    def chances(self, state: Any) -> list[Any]:
        return [(1, Fraction(1, 2)), (2, Fraction(1, 4)), (5, Fraction(1, 4))]

    def actions(self, state: Any) -> list[int]:
        return [-1, 1]

    def result(self, state: Any, action: int) -> Any:
        return (state[0] * action if state[1] % 2 else state[0] + action, state[1] + 1)

    def terminal(self, state: Any) -> bool:
        return bool(state[1] == 6)

    def utility(self, state: Any) -> float:
        return float(state[0])


FOREIGN = [SlottedNim(), Tally(), find("chesslib")]


def both(algorithm: type, game: Any, state: Any = None, **settings: Any) -> tuple[Any, Any]:
    reference = algorithm(**settings, backend="reference").search(game, state)
    interned = algorithm(**settings).search(game, state)
    assert (reference.backend, interned.backend) == ("reference", "interned")
    return reference, interned


def answer(result: Any) -> Any:
    return result.value, result.action, result.actions, result.scores, result.distance, result.exact


@pytest.mark.parametrize("game", FOREIGN, ids=lambda game: type(game).__name__)
def test_they_do_not_compile(game: Game) -> None:
    with pytest.raises(RulesError):
        perft(game, 1, backend="compiled")


@pytest.mark.parametrize("game", FOREIGN, ids=lambda game: type(game).__name__)
def test_perft_counts_the_same_lines(game: Game) -> None:
    found, expected = perft(game, 3), perft(game, 3, backend="reference")
    assert found.backend == "interned"
    assert (found.leaves, found.finished, found.nodes) == (expected.leaves, expected.finished, expected.nodes)


@pytest.mark.parametrize("game", FOREIGN, ids=lambda game: type(game).__name__)
@pytest.mark.parametrize("algorithm", [Minimax, AlphaBeta])
def test_textbook_searches_visit_the_same_nodes(game: Game, algorithm: type) -> None:
    depth = 2 if game is FOREIGN[2] else None
    reference, interned = both(algorithm, game, textbook=True, depth=depth)
    assert answer(interned) == answer(reference)
    assert interned.nodes == reference.nodes


@pytest.mark.parametrize("algorithm", [AlphaBeta, Prove, Deepening])
@pytest.mark.parametrize("game", FOREIGN[:2], ids=lambda game: type(game).__name__)
def test_searches_to_the_end_find_the_same(game: Game, algorithm: type) -> None:
    reference, interned = both(algorithm, game)
    assert (interned.value, interned.distance, interned.scores) == (reference.value, reference.distance, reference.scores)


@pytest.mark.parametrize("game", [*FOREIGN[:2], DecimalDice()], ids=lambda game: type(game).__name__)
def test_playouts_are_the_same_from_a_seed(game: Game) -> None:
    reference, interned = both(MCTS, game, playouts=300, seed=7)
    assert (interned.value, interned.scores, interned.nodes) == (reference.value, reference.scores, reference.nodes)


def test_chance() -> None:
    reference, interned = both(Expectiminimax, DecimalDice())
    assert interned.scores == reference.scores
    assert interned.nodes == reference.nodes


@pytest.mark.parametrize(
    ("name", "algorithm", "settings"),
    [("threenim", MaxN, {}), ("eightpuzzle", IDAStar, {}), ("tictactoe", Prove, {"method": "pns"}), ("connect4", Deepening, {"depth": 5})],
)
def test_games_that_compile_give_the_same_interned(name: str, algorithm: Any, settings: dict[str, Any]) -> None:
    game = find(name)
    interned = algorithm(**settings, backend="interned").search(game)
    reference = algorithm(**settings, backend="reference").search(game)
    assert interned.backend == "interned"
    assert (interned.value, interned.scores, interned.distance) == (reference.value, reference.scores, reference.distance)


def test_hidden_information() -> None:
    game: Any = find("kuhn")
    state = game.start()
    while game.player(state) == CHANCE:
        state = game.result(state, next(iter(game.chances(state)))[0])
    interned = ISMCTS(playouts=2000, seed=3, backend="interned").search(game, state)
    reference = ISMCTS(playouts=2000, seed=3, backend="reference").search(game, state)
    assert (interned.backend, interned.scores, interned.nodes) == ("interned", reference.scores, reference.nodes)


def test_each_state_is_asked_once() -> None:
    asked: Counter[Any] = Counter()

    class Counted(SlottedNim):
        def actions(self, state: Any) -> list[Any]:
            asked[state] += 1
            return super().actions(state)

    game = Counted()
    interned = InternedGame(game)
    kernel = interned.ready("perft")
    asked.clear()
    counts = counted_by_kernel(interned, kernel, game, game.start(), 5, turns=False)
    assert counts[0] > 0
    assert set(asked.values()) == {1}


class Broken(SlottedNim):
    """Rules that raise in the middle of the game."""

    def actions(self, state: Any) -> list[Any]:
        if sum(state.sizes) == 2:
            raise KeyError("no such heap")
        return super().actions(state)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_of_the_rules_is_raised_as_it_is(threads: int) -> None:
    with pytest.raises(KeyError, match="no such heap") as raised:
        Deepening(threads=threads).search(Broken())
    assert any(entry.name == "actions" for entry in raised.traceback)


def test_a_payoff_that_is_a_float_after_whole_ones() -> None:
    class Late(SlottedNim):
        def utility(self, state: Any) -> Any:
            return 0.5 if state.turn == 1 else -1

    game = Late((1, 1, 2))
    reference, interned = both(AlphaBeta, game)
    assert interned.scores == reference.scores


def test_more_states_than_are_kept_are_left_to_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interning, "MOST_STATES", interning.BLOCK)
    monkeypatch.setattr(interning, "MEMORY", 40_000)
    result = AlphaBeta().search(SlottedNim((5, 6, 7)))
    assert result.backend == "reference"
    assert "states that are kept" in result.notes[0]
    assert result.value == 1


def test_payoffs_that_no_float_holds_are_left_to_the_reference() -> None:
    class Exact(SlottedNim):
        def utility(self, state: Any) -> Any:
            return 2**60 + 1 if state.turn == 1 else -(2**60) - 1

    result = AlphaBeta().search(Exact((1, 2)))
    assert result.backend == "reference"
    assert result.value == 2**60 + 1


def test_threads_share_the_tables() -> None:
    game = SlottedNim((2, 3, 4))
    assert Deepening(threads=2).search(game).value == AlphaBeta(backend="reference").search(game).value


def test_rules_that_change_between_searches_are_asked_again(tmp_path: Any) -> None:
    file = tmp_path / "changing.py"
    file.write_text(
        textwrap.dedent("""
        import decimal
        from zermelo import Game

        WORTH = 1

        class Changing(Game):
            def start(self): return decimal.Decimal(0)
            def player(self, state): return 0
            def actions(self, state): return [0, 1]
            def result(self, state, action): return state + 1
            def terminal(self, state): return state == 2
            def utility(self, state): return WORTH
        """)
    )
    game: Any = find(str(file))
    assert AlphaBeta().search(game).value == 1
    type(game).utility.__globals__["WORTH"] = 2
    assert AlphaBeta().search(game).value == 2


def test_states_that_cannot_be_hashed_are_refused() -> None:
    class Lists(SlottedNim):
        def start(self) -> Any:
            return [1, 2]

    with pytest.raises(RulesError, match="cannot be hashed"):
        interned_game(Lists())


def test_a_limit_of_time_ends_the_search() -> None:
    result = Deepening().search(find("chesslib"), limits=Limits(nodes=300))
    assert result.backend == "interned"
    assert not result.exact
    assert "300 nodes" in result.stopped


def test_an_interned_search_that_needs_other_rules_says_so() -> None:
    from zermelo.runtime.backend import choose

    assert "reference" in choose(SlottedNim(), "interned").notes[0]
    with pytest.raises(ZermeloError, match="no backend"):
        choose(SlottedNim(), "intern", family="perft")  # type: ignore[arg-type]


def test_playouts_that_never_come_back_to_a_state_are_left_to_the_reference() -> None:
    assert MCTS(playouts=2, seed=1).search(find("chesslib")).backend == "reference"
    assert MCTS(playouts=2, seed=1, backend="interned").search(find("chesslib")).backend == "interned"


def test_states_that_only_one_line_leads_to_are_left_to_the_reference() -> None:
    class Lines(SlottedNim):
        """States that remember the moves that led to them."""

        def start(self) -> Any:
            return (super().start(), ())

        def player(self, state: Any) -> int:
            return super().player(state[0])

        def actions(self, state: Any) -> list[Any]:
            return super().actions(state[0])

        def result(self, state: Any, action: Any) -> Any:
            return (super().result(state[0], action), (*state[1], action))

        def terminal(self, state: Any) -> bool:
            return super().terminal(state[0])

        def utility(self, state: Any) -> int:
            return super().utility(state[0])

    assert not InternedGame(Lines()).transposing
    assert AlphaBeta().search(Lines()).backend == "reference"
    assert AlphaBeta(backend="interned").search(Lines()).value == -1


def test_every_thread_raises_what_the_rules_raised_for_it() -> None:
    interned = InternedGame(Broken((1, 1, 1)))
    kernel = interned.ready("perft")
    raised: list[BaseException] = []

    def count() -> None:
        try:
            counted_by_kernel(interned, kernel, interned.game, interned.game.start(), 3, turns=False)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [str(error) for error in raised] == ["'no such heap'"] * 4


def test_the_clock_is_looked_at_while_rules_run_in_python() -> None:
    class Stop:
        """Wants the search to end as soon as somebody asks; counts how often that is."""

        asked = 0

        def is_set(self) -> bool:
            Stop.asked += 1
            return Stop.asked > 30

    class Slow(SlottedNim):
        def result(self, state: Any, action: Any) -> Any:
            time.sleep(0.001)
            return super().result(state, action)

    game = Slow((5, 6, 7))
    result = Deepening().search(game, limits=Limits(stop=Stop()))
    assert result.stopped == "stopped on request"
    assert not result.exact
