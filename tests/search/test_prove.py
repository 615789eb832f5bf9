"""Proofs: published Connect Four scores, agreement with alpha-beta on every kind of game, limits, threads, tables."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_games import Chain, RandomLadder, RandomShares, RandomTree, Ring, Rung, Seeded
from solved_positions import POSITIONS, after

from zermelo import Game, ZermeloError
from zermelo.games.connect4 import ConnectFour, Stones
from zermelo.games.dotsandboxes import DotsAndBoxes
from zermelo.games.kuhn import Kuhn
from zermelo.games.mnk import MNK
from zermelo.games.nim import Nim
from zermelo.games.othello import Othello
from zermelo.games.pig import Pig
from zermelo.games.tictactoe import TicTacToe
from zermelo.limits import Limits
from zermelo.runtime.backend import choose
from zermelo.scores import score, unpack
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.search.kept_table import left_over
from zermelo.search.proof.prove import Prove
from zermelo.search.proof.prove_driver import DEEPEST, SYMMETRIC_PLIES, Prover, score_range
from zermelo.search.proof.questions import Narrowing

ANSWER = ("value", "action", "actions", "scores", "distances", "distance", "exact", "bounds")


def same(first, second, names=ANSWER):
    for name in names:
        assert getattr(first, name) == getattr(second, name), name


def payoff_after(game, line):
    """Max's payoff at the end of a line from the start."""
    state = game.start()
    for action in line:
        state = game.result(state, action)
    assert game.terminal(state)
    return game.utility(state)


def published_score(found, moves):
    """A result as the test sets write it."""
    if found.value == 0:
        return 0
    lead = 22 - (len(moves) + found.distance + 1) // 2
    return lead if (found.value > 0) == (len(moves) % 2 == 0) else -lead


# --- Connect Four


@pytest.mark.parametrize(
    "name", ["L3_R1", "L2_R1", "L1_R1", pytest.param("L2_R2", marks=pytest.mark.slow), pytest.param("L1_R2", marks=pytest.mark.slow)]
)
def test_published_scores_of_connect_four(name):
    game = ConnectFour()
    chosen = [(moves, int(published)) for set_name, moves, published in POSITIONS if set_name == name]
    assert len(chosen) == 20
    for moves, published in chosen:
        found = Prove(textbook=True, backend="compiled").search(game, after(game, moves))
        assert (published_score(found, moves), found.exact) == (published, True), moves
        assert (found.distance is None) == (published == 0)
        assert len(found.line) == (42 - len(moves) if found.distance is None else found.distance)
        weak = Prove(weak=True, textbook=True, backend="compiled").search(game, after(game, moves))
        assert (weak.value, weak.exact, weak.distance) == (found.value, True, None), moves


@pytest.mark.slow
def test_proof_numbers_say_who_wins_connect_four():
    game = ConnectFour()
    for moves, published in [(moves, int(published)) for name, moves, published in POSITIONS if name == "L2_R2"][:10]:
        found = Prove(method="pns", weak=True, textbook=True, backend="compiled").search(game, after(game, moves))
        mine = published if len(moves) % 2 == 0 else -published
        assert (found.value, found.exact) == ((mine > 0) - (mine < 0), True), moves


@pytest.mark.parametrize(
    ("game", "state", "plies"),
    [
        (ConnectFour(5, 4), None, SYMMETRIC_PLIES),  # a mirror
        (ConnectFour(5, 4), Stones(0, 1), 0),  # a stone at the side: no two actions are alike
        (DotsAndBoxes(2, 3), None, DEEPEST),  # mirrors both ways, and corners
        (Nim((1, 2)), None, 0),  # says nothing of symmetry
    ],
)
def test_symmetry_is_looked_for_as_far_as_it_pays(game, state, plies):
    prover = Prover(choose(game, "compiled").compiled, game, 1 << 20)
    assert prover.symmetric_plies(game.start() if state is None else state) == plies


def test_every_action_is_scored_as_alpha_beta_does():
    game = ConnectFour()
    for moves in ("5554224333234511764415115", "1233722555341451114725221333", "2252576253462244111563365343671351441"):
        state = after(game, moves)
        same(Prove(backend="compiled").search(game, state), AlphaBeta(backend="reference").search(game, state))


@pytest.mark.slow
def test_a_board_wider_than_a_machine_word():
    """70 bits: keys of two words."""
    game = ConnectFour(10, 6)
    state = after(game, [column for column in range(1, 11) for _ in range(5)])
    same(Prove(backend="compiled").search(game, state), AlphaBeta(backend="reference").search(game, state))


# --- one answer, whatever is switched on


GAMES = [
    TicTacToe(),
    Nim((3, 4, 5)),
    *(pytest.param(game, marks=pytest.mark.slow) for game in (MNK(4, 3, 3), ConnectFour(4, 4), Othello(4))),
]
SWITCHES = {
    "everything": {},
    "no table": {"memory": 0},
    "a table of a few entries": {"memory": 600},
    "no order": {"ordering": False},
    "no knowledge": {"knowledge": False},
    "two threads": {"threads": 2},
    "proof numbers": {"method": "pns"},
    "proof numbers with a table of a few entries": {"method": "pns", "memory": 600, "knowledge": False},
}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_no_switch_changes_the_answer(game):
    expected = AlphaBeta(backend="reference").search(game)
    for switches in SWITCHES.values():
        found = Prove(backend="compiled", **switches).search(game)
        same(found, expected)
        assert found.backend == "compiled"
        textbook = Prove(backend="compiled", textbook=True, **switches).search(game)
        same(textbook, expected, ("value", "distance", "exact"))
        assert expected.scores[textbook.action] == expected.value
        assert expected.distances[textbook.action] == expected.distance
        value = Prove(backend="compiled", distance=False, **switches).search(game)
        same(value, expected, ("value", "actions", "scores", "exact"))
        assert (value.distance, set(value.distances.values())) == (None, {None})
        assert expected.scores[value.action] == payoff_after(game, value.line) == expected.value
        weak = Prove(backend="compiled", weak=True, **switches).search(game)
        assert weak.distance is None
        if weak.exact:
            same(weak, expected, ("value", "actions", "scores"))
        else:
            assert weak.bounds[0] <= expected.value <= weak.bounds[1]
            assert (weak.bounds[0] > 0) == (expected.value > 0)
            assert (weak.bounds[1] < 0) == (expected.value < 0)


@pytest.mark.slow
@settings(max_examples=60)
@given(
    seed=st.integers(0, 210),
    left=st.integers(1, 7),
    turn=st.integers(0, 1),
    threads=st.sampled_from([1, 2]),
    method=st.sampled_from(["alphabeta", "pns"]),
)
def test_random_trees(seed, left, turn, threads, method):
    state = Seeded(seed, left, turn)
    for game in (RandomTree(), RandomShares()):
        same(Prove(threads=threads, method=method).search(game, state), AlphaBeta(backend="reference").search(game, state))


@pytest.mark.slow
@settings(max_examples=40)
@given(place=st.integers(0, 9), turn=st.integers(0, 1), salt=st.integers(0, 1000))
def test_random_ladders(place, turn, salt):
    game, state = RandomLadder(), Rung(place, turn, salt)
    found = Prove().search(game, state)
    same(found, AlphaBeta(backend="reference").search(game, state))
    end = state
    for action in found.line:
        end = game.result(end, action)
    assert game.terminal(end)
    assert game.utility(end) == found.value


@pytest.mark.slow
@pytest.mark.parametrize("repetition", ["draw", "loss", "forbidden"])
def test_games_that_return_are_left_to_alpha_beta(repetition):
    game = Ring(5, repetition)
    same(Prove().search(game), AlphaBeta().search(game))


@pytest.mark.slow
def test_very_long_lines_are_left_to_alpha_beta():
    found = Prove(threads=2).search(Chain(70_000))
    assert (found.value, found.distance) == (1, 70_000)
    assert "one thread" in found.notes[0]
    assert Prove().search(Chain(5_000)).distance == 5_000


@pytest.mark.slow
def test_an_endless_game_is_refused_as_by_alpha_beta():
    with pytest.raises(ZermeloError, match=r"go round forever|no end in sight"):
        Prove().search(Ring(5, None))


# --- the table


@pytest.mark.parametrize("threads", [1, 2])
def test_entries_of_one_word_and_of_several_say_the_same(threads):
    game = ConnectFour()
    compiled = choose(game, "compiled").compiled
    for moves, known in (("274552224131661", 0), ("5455174361263362", score(-1, 26))):
        for rung, code_bits, spare in ((0, 15, 15), (1, 15, 0), (2, 0, 0)):
            prover = Prover(compiled, game, 1 << 24, threads=threads)
            form = list(prover.forms.values())[rung]
            assert (form.code_bits, form.spare) == (code_bits, spare)
            prover.table.remake(form.kind, form.width, form.entries(1 << 24))
            prover.lay_out_again()
            narrowing = Narrowing(*score_range(game))
            while not narrowing.settled:
                threshold = narrowing.question()
                narrowing.learn(threshold, prover.ask(after(game, moves), threshold).score)
            assert narrowing.low == narrowing.high == known
            assert prover.table_hits > 0


@pytest.mark.parametrize(("rung", "before", "after_growth"), [(0, 15, 15), (1, 0, 15), (2, 0, 0)])
def test_a_table_that_grows_keeps_everything(rung, before, after_growth):
    """From 128 KiB to 1, 8 and 16 MiB, with entries of one word, of several, and of several that become entries of one."""
    game = ConnectFour()
    prover = Prover(choose(game, "compiled").compiled, game, 1 << 24)
    form = list(prover.forms.values())[rung]
    prover.table.remake(form.kind, form.width, form.entries(1 << 24))
    prover.lay_out_again()
    assert prover.areas[0].form.code_bits == before
    rows = prover.rows([after(game, "165746146225")], *score_range(game))
    prover.settle(rows.copy())
    visited, known = prover.nodes, held(prover)
    assert [area.end - area.begin for area in prover.areas] == [1 << 14, 1 << 17, 1 << 20, 1 << 21]
    assert prover.level == 0
    while not prover.grown:
        prover.full = prover.nodes
        prover.make_space()
        assert held(prover) == known > 500
        assert np.count_nonzero(prover.work[prover.areas[prover.level].end :]) == 0
    assert prover.areas[prover.level].form.code_bits == after_growth
    prover.settle(rows)
    assert prover.known(rows, 0).low == prover.known(rows, 0).high == score(-1, 10)
    assert prover.nodes - visited < visited / 20
    prover.forget()
    assert held(prover) == np.count_nonzero(prover.table.words) == 0


def test_with_an_emptied_table_no_state_profits_from_another():
    game = ConnectFour()
    prover = Prover(choose(game, "compiled").compiled, game, 1 << 24)
    states = [after(game, moves) for moves in ("165746146225", "24617524315172127", "165746146225", "7225753363613131156611")]
    spent = []
    for state in states:
        prover.forget()
        before = prover.nodes
        prover.settle(prover.rows([state], *score_range(game)))
        spent.append(prover.nodes - before)
    prover.forget()
    before, rows = prover.nodes, prover.rows(states, *score_range(game))
    assert prover.settle(rows, emptied=True) == len(states)
    assert prover.nodes - before == sum(spent)
    prover.settle(again := prover.rows(states, *score_range(game)))
    assert prover.nodes - before < 2 * sum(spent) - spent[2] / 2
    assert [prover.known(again, number).low for number in range(4)] == [prover.known(rows, number).low for number in range(4)]


def test_an_array_that_is_given_back_serves_the_next_proof():
    game, found = ConnectFour(), []
    left = []
    for moves in ("165746146225", "5455174361263362", "165746146225", "165746146225"):
        proven = Prove(textbook=True, memory=1 << 25, backend="compiled").search(game, after(game, moves))
        found.append((proven.value, proven.distance, proven.nodes, proven.line))
        left.append(next(iter(left_over.values()), None))
    assert left[2] is not None
    assert left[2] is left[3]  # the last two have used one array
    assert found[0] == found[2] == found[3]
    assert found[1][:2] == (-1, 26)


def test_proof_numbers_remember_the_smallest_win_where_their_stack_grows():
    game = Nim((3, 4, 5))
    prover = Prover(choose(game, "compiled").compiled, game, 1 << 20, family="pns")
    prover.heads[0].won, prover.heads[0].lost = 3, -2
    prover.stack *= 4
    prover.lay_out_again()
    assert (prover.heads[0].won, prover.heads[0].lost) == (3, -2)


def held(prover):
    """Entries that are in use."""
    area, kernel = prover.areas[prover.level], prover.kernel
    words = prover.work[area.begin : area.end]
    return np.count_nonzero(words if area.form.code_bits else words[kernel.KEY :: kernel.KEY + 1])


def test_a_hard_state_takes_as_much_of_the_table_as_it_needs():
    game = ConnectFour()
    prover = Prover(choose(game, "compiled").compiled, game, 1 << 24)
    for moves, level in (("24617524315172127", 0), ("5455174361263362", 1), ("555317266147361", 2)):
        prover.forget()
        prover.settle(prover.rows([after(game, moves)], *score_range(game)))
        assert prover.level == level, moves


def test_a_kept_table_answers_the_next_proof_and_survives_a_file(tmp_path):
    game, proof = ConnectFour(), Prove(textbook=True, memory=1 << 22, backend="compiled")
    state = after(game, "5455174361263362")
    table = proof.new_table(game)
    first = proof.search(game, state, table=table)
    again = proof.search(game, state, table=table)
    assert (again.value, again.distance, again.exact) == (first.value, first.distance, True)
    assert again.nodes < first.nodes / 10
    table.save(tmp_path / "proofs")
    other = proof.new_table(game)
    other.load(tmp_path / "proofs")
    assert proof.search(game, state, table=other).nodes < first.nodes / 10
    with pytest.raises(ZermeloError, match="belongs to ConnectFour"):
        proof.new_table(TicTacToe()).load(tmp_path / "proofs")
    with pytest.raises(ZermeloError, match="another game or for another search"):
        proof.search(TicTacToe(), table=table)
    with pytest.raises(ZermeloError, match="Proof numbers are not kept"):
        Prove(method="pns").new_table(game)


def test_a_table_of_proofs_is_not_kept_where_states_return():
    assert Prove().new_table(Ring(5, "draw")) is None
    with pytest.raises(ZermeloError, match="leave it out"):
        Prove().search(Ring(5, "draw"), table=Prove(memory=1 << 12).new_table(Nim((3, 4, 5))))


@pytest.mark.slow
def test_one_thread_is_the_same_search_every_time():
    game, runs = ConnectFour(5, 5), []
    for _ in range(2):
        found = Prove(textbook=True, memory=1 << 20).search(game, after(game, "1524"))
        runs.append((found.nodes, found.table_hits, found.line, found.distance))
    assert runs[0] == runs[1]


# --- limits


@pytest.mark.parametrize("allowed", [1, 100, 9_000, 30_000])
def test_a_limit_on_nodes_is_kept(allowed):
    found = Prove().search(ConnectFour(), limits=Limits(nodes=allowed))
    assert found.nodes == allowed
    assert not found.exact
    assert found.bounds == (-1, 1)
    assert found.action in range(7)
    assert f"the limit of {allowed:,} nodes was reached" in found.notes[-1]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_limit_on_time_is_kept(threads):
    found = Prove(threads=threads).search(ConnectFour(), limits=Limits(time=0.2))
    assert not found.exact
    assert "the limit of 0.2 seconds was reached" in found.notes[-1]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_flag_stops_the_proof_and_progress_is_told(threads):
    flag, told = threading.Event(), []

    def progress(nodes):
        told.append(nodes)
        flag.set()

    found = Prove(threads=threads).search(ConnectFour(), limits=Limits(stop=flag, progress=progress))
    assert "stopped on request" in found.notes[-1]
    assert told[0] > 0


def test_ctrl_c_gives_what_is_proven():
    def interrupt(nodes):
        raise KeyboardInterrupt

    found = Prove().search(ConnectFour(), limits=Limits(progress=interrupt))
    assert found.stopped == "interrupted"
    assert not found.exact


def test_a_proven_value_stands_when_time_runs_out_later():
    game = ConnectFour()
    state = after(game, "274552224131661")
    whole = Prove(textbook=True).search(game, state)
    cut = Prove().search(game, state, limits=Limits(nodes=whole.nodes + 1))
    assert (cut.value, cut.exact) == (0, True)
    assert "the value is proven, the rest is not" in cut.notes[-1]


# --- what is asked


@settings(max_examples=200)
@given(lead=st.sampled_from([-1, 0, 1]), distance=st.integers(1, 90), soft=st.integers(0, 3), weak=st.booleans())
def test_questions_close_in_on_a_win_a_draw_or_a_loss(lead, distance, soft, weak):
    truth = score(lead, distance)
    known = Narrowing(score(-1, 1), score(1, 1), weak)
    for _ in range(60):
        if known.settled:
            break
        threshold = known.question()
        assert known.low < threshold <= known.high
        known.learn(threshold, max(threshold, truth - soft) if truth >= threshold else min(threshold - 1, truth + soft))
    assert known.settled
    assert known.low <= truth <= known.high
    if not weak or lead == 0:
        assert known.low == known.high == truth


@settings(max_examples=200)
@given(halves=st.integers(-128, 128), distance=st.integers(1, 90), bounded=st.booleans(), soon=st.booleans())
def test_questions_close_in_on_any_payoff(halves, distance, bounded, soon):
    truth = score(halves / 2, distance)
    known = Narrowing(*((score(-64, 1), score(64, 1)) if bounded else (-(1 << 61), 1 << 61)), patient=False, distance=soon)
    for _ in range(200):
        if known.settled:
            break
        threshold = known.question()
        assert known.low < threshold <= known.high
        known.learn(threshold, truth)
    assert known.settled
    assert unpack(known.low, 0).value == unpack(known.high, 0).value == halves / 2
    assert not soon or known.low == known.high == truth


# --- what cannot be proven


@pytest.mark.parametrize("threads", [0, -1, True, 1.5])
def test_threads_are_a_number(threads):
    with pytest.raises(ZermeloError, match="number of threads"):
        Prove(threads=threads).search(TicTacToe())


def test_an_unknown_method_is_refused():
    with pytest.raises(ZermeloError, match="did you mean pns"):
        Prove(method="pn").search(TicTacToe())


def test_more_threads_than_cores_work_with_a_note():
    found = Prove(threads=500, textbook=True).search(TicTacToe())
    assert found.value == 0
    assert any("500 threads share" in note for note in found.notes)


def test_a_finished_game_has_its_value():
    game = TicTacToe()
    state = game.start()
    for cell in (0, 3, 1, 4, 2):
        state = game.result(state, cell)
    found = Prove().search(game, state)
    assert (found.value, found.action, found.exact) == (1, None, True)


@pytest.mark.parametrize("game", [Kuhn(), Pig()], ids=lambda game: type(game).__name__)
def test_hidden_cards_and_dice_are_refused(game):
    with pytest.raises(ZermeloError):
        Prove().search(game)


class Passing(Game):
    """Take one or two of seven counters, or pass, twice in all; who takes the last one wins. `None` is a move like others."""

    payoffs = (-1, 1)

    def start(self):
        return (7, 2, 0)

    def player(self, state):
        return state[2]

    def actions(self, state):
        left, passes, _ = state
        return [*([None] if passes else []), *range(1, min(left, 2) + 1)]

    def result(self, state, action):
        left, passes, turn = state
        return (left, passes - 1, 1 - turn) if action is None else (left - action, passes, 1 - turn)

    def terminal(self, state):
        return state[0] == 0

    def utility(self, state):
        return 1 if state[2] else -1


@pytest.mark.parametrize("textbook", [False, True])
def test_none_is_an_action(textbook):
    found = Prove(textbook=textbook).search(Passing())
    assert found.value == AlphaBeta().search(Passing()).value
    assert found.line[-1] in (1, 2)
    assert found.action in found.actions
