"""Databases inside a search: the same values with and without, in fewer nodes, by both backends, and nothing proven that is not."""

from pathlib import Path

import pytest

from zermelo import Game
from zermelo.games.connect4 import ConnectFour
from zermelo.games.ponghauki import PongHauKi
from zermelo.games.threemensmorris import ThreeMensMorris
from zermelo.rules import State, legal_actions
from zermelo.search.deepening.deepening import Deepening
from zermelo.search.proof.prove import Prove
from zermelo.solve.database import Database
from zermelo.solve.database_oracle import DatabaseOracle, oracle_of
from zermelo.solve.lookup import score_of
from zermelo.solve.strong import StrongSolver

ANSWER = ("value", "actions", "scores", "distances", "distance", "exact")
SMALL = ConnectFour(4, 3)


def after(game: Game, *actions: int) -> State:
    state = game.start()
    for action in actions:
        state = game.result(state, action)
    return state


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that follows two stones in the first column: 600 positions or so of a game of 6,027."""
    file = tmp_path_factory.mktemp("late") / "late.zdb"
    StrongSolver().solve(SMALL, after(SMALL, 0, 0), out=file)
    return file


@pytest.mark.parametrize(
    "search", [Deepening(), Deepening(memory=0), Deepening(backend="reference"), Deepening(threads=2), Prove()], ids=repr
)
def test_values_stay_and_nodes_fall(late: Path, search: Deepening | Prove) -> None:
    oracle = DatabaseOracle(late, SMALL)
    alone, told = search.search(SMALL), search.search(SMALL, oracle=oracle)
    assert {name: getattr(told, name) for name in ANSWER} == {name: getattr(alone, name) for name in ANSWER}
    assert told.extra["database_hits"] > 0
    assert told.nodes < alone.nodes or getattr(search, "threads", 1) > 1


def test_both_engines_ask_at_the_same_states(late: Path) -> None:
    oracle = DatabaseOracle(late, SMALL)
    compiled, textbook = (Deepening(backend=backend).search(SMALL, oracle=oracle) for backend in ("compiled", "reference"))
    assert (compiled.nodes, compiled.extra, compiled.line) == (textbook.nodes, textbook.extra, textbook.line)


def test_a_position_inside_is_known_at_once(late: Path) -> None:
    """One look at each child, and the line goes on to the end of the game."""
    state = after(SMALL, 0, 0, 1)
    oracle = DatabaseOracle(late, SMALL)
    found = Deepening().search(SMALL, state, oracle=oracle)
    with Database(late, SMALL) as database:
        assert (found.value, found.exact) == (database.probe(state).value, True)
    assert found.nodes == found.extra["database_hits"] == len(legal_actions(SMALL, state))
    for action in found.line:
        state = SMALL.result(state, action)
    assert SMALL.terminal(state)


@pytest.mark.slow
@pytest.mark.parametrize("game", [PongHauKi(), ThreeMensMorris()], ids=lambda game: type(game).__name__)
def test_games_that_go_round(game: Game, tmp_path: Path) -> None:
    """By words and by `rank`. What is known holds where no state of the history is; otherwise it guides, and proves nothing."""
    StrongSolver().solve(game, out=tmp_path / "all.zdb")
    oracle = DatabaseOracle(tmp_path / "all.zdb", game)
    first = legal_actions(game, game.start())[0]
    for backend in ("compiled", "reference"):
        alone = Deepening(backend=backend).search(game, oracle=oracle)
        assert alone.exact
        assert oracle.score(game.start()) == score_of(oracle.database.probe(game.start()))
        assert (alone.value, alone.distance) == (oracle.database.probe(game.start()).value, oracle.database.probe(game.start()).distance)
        later = Deepening(backend=backend).search(game, game.result(game.start(), first), history=(game.start(),), oracle=oracle)
        assert later.extra["database_hits"] > 0
        assert not later.exact


@pytest.mark.slow
def test_a_table_serves_the_searches_that_it_was_made_for(late: Path) -> None:
    """With a database inside, states have another form: a table of one kind is refused by the other, in a sentence."""
    oracle = DatabaseOracle(late, SMALL)
    table = Deepening().new_table(SMALL, oracle)
    told = Deepening().search(SMALL, table=table, oracle=oracle)
    again = Deepening().search(SMALL, table=table, oracle=oracle)
    assert again.nodes < told.nodes
    assert again.scores == told.scores


def test_the_data_folder_gives_the_largest(late: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    assert oracle_of(SMALL) is None
    (tmp_path / "late.zdb").write_bytes(late.read_bytes())
    StrongSolver().solve(SMALL, after(SMALL, 0, 0, 1), out=tmp_path / "later.zdb")
    (tmp_path / "damaged.zdb").write_bytes(late.read_bytes()[:-1])
    found = oracle_of(SMALL)
    assert found is not None
    assert found.path.name == "late.zdb"
    assert oracle_of(SMALL) is found
    assert oracle_of(PongHauKi()) is None
