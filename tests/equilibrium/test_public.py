"""Solving over ranges: against the linear program on the same rules, with isomorphism, rake, locks, threads, checkpoints and files."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from zermelo.equilibrium.extensive.exact.sequence_form import LinearProgram
from zermelo.equilibrium.extensive.public import public_solver
from zermelo.equilibrium.extensive.public.public_certificate import certify_ranges
from zermelo.equilibrium.extensive.public.public_form import PublicForm, boards_of
from zermelo.equilibrium.extensive.public.public_result import RangeResult
from zermelo.equilibrium.extensive.public.public_solver import PublicSolver
from zermelo.equilibrium.extensive.regret.cfr import RegretMinimization
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.equilibrium.extensive.solver import EquilibriumSolver
from zermelo.errors import ZermeloError
from zermelo.games.holdem import Holdem
from zermelo.games.rhodeisland import RhodeIsland

RIVER = Holdem()
TURN = Holdem(board="Qs Jh 2h 7c", oop="AcAd,KhQh,8s7s", ip="KcKd,9h8h", bets="50%", raises="a")
PLAIN = "AA,KK:0.5,T9s,KQo:0.3"  # alike in all suits


@pytest.mark.slow
def test_a_river_spot_has_the_linear_programs_value_to_1e_6_of_the_pot() -> None:
    exact = LinearProgram().solve(unfold(RIVER, backend="reference")).value[0]
    found = PublicSolver(target=3e-5, precision="float64", iterations=40_000).solve(RIVER)
    assert found.values[0] == pytest.approx(exact, abs=1e-6 * RIVER.pot)
    assert found.value[0] + found.value[1] == pytest.approx(RIVER.pot)
    assert found.percent <= 3e-5


@pytest.mark.slow
def test_a_turn_spot_has_the_linear_programs_value() -> None:
    exact = LinearProgram().solve(unfold(TURN, backend="reference")).value[0]
    found = PublicSolver(target=0.005).solve(TURN)
    assert found.values[0] == pytest.approx(exact, abs=1e-4 * TURN.pot)


def test_the_whole_strategy_is_an_equilibrium_of_the_rules_themselves() -> None:
    """Every hand's average, carried over to the unfolded rules, has the exploitability that was measured on ranges."""
    found = PublicSolver(target=0.05, precision="float64").solve(RIVER)
    arrays = unfold(RIVER, backend="reference")
    columns = [plex.uniform() for plex in arrays.plexes]
    for player, plex in enumerate(arrays.plexes):
        for number in range(plex.sets):
            hand, _, node = arrays.information(player, number)
            table = found.sums[found.form.place(node, 0)].reshape(len(RIVER.nodes[node].children), -1)
            weights = table[:, hand]
            columns[player][plex.span(number).start : plex.span(number).stop] = weights / weights.sum()
    from zermelo.equilibrium.extensive.sequences.best_response import measure
    from zermelo.equilibrium.extensive.sequences.strategy import Strategy

    measured = measure(arrays, Strategy.of(arrays, columns))
    assert measured.exploitability == pytest.approx(found.exploitability, abs=1e-9)
    assert measured.value[0] == pytest.approx(found.values[0], abs=1e-9)


@pytest.mark.slow
def test_isomorphism_is_found_and_changes_nothing() -> None:
    spot = Holdem(board="Qs Jh 2h 7h", oop=PLAIN, ip="QQ,AKs,98s", bets="50%", raises="a")
    whole, merged = (boards_of(spot.public(), isomorphism) for isomorphism in (False, True))
    assert len(whole.cards) == 49
    assert len(merged.cards) == 1 + 48 - 13  # clubs and diamonds are alike: 13 cards less
    one, two = (PublicSolver(target=0.2, isomorphism=each).solve(spot) for each in (False, True))
    assert two.values[0] == pytest.approx(one.values[0], abs=one.exploitability + two.exploitability)
    swap = str.maketrans("cd", "dc")
    solved, renamed = ({row.hand: row for row in two.at(f"check, check, {card}").rows} for card in ("5c", "5d"))
    assert len(solved) == len(renamed) > 10
    for row in renamed.values():
        held = row.hand.translate(swap)
        same = solved.get(held) or solved[held[2:] + held[:2]]
        assert (row.equity, row.value) == pytest.approx((same.equity, same.value), rel=1e-5, abs=1e-5)
        assert row.frequencies == pytest.approx(same.frequencies, abs=1e-6)
    lopsided = Holdem(board="Qs Jh 2h 7h", oop="AcKc", ip="QQ", bets="50%")
    assert len(boards_of(lopsided.public()).cards) == 49  # a range with one suit: nothing is alike


def test_a_range_as_a_matrix_of_weights() -> None:
    weights = np.zeros((13, 13))
    weights[0, 0], weights[0, 1], weights[1, 0] = 1, 0.5, 0.25  # aces, suited above the diagonal, offsuit below
    given = [Holdem(oop=each) for each in ("AA,AKs:0.5,AKo:0.25", weights, weights.tolist())]  # type: ignore[arg-type]
    assert given[0].ranges == given[1].ranges == given[2].ranges
    for wrong, sentence in (
        ({"oop": None}, "13 rows of 13 weights"),
        ({"pot": "50"}, "pot is a number"),
        ({"rake_cap": float("nan")}, "cap no less than 0"),
    ):
        with pytest.raises(ZermeloError, match=sentence):
            Holdem(**wrong)


def test_threads_change_nothing_but_the_time() -> None:
    one, two = (PublicSolver(iterations=12, threads=threads).solve(TURN) for threads in (1, 2))
    assert np.array_equal(one.sums, two.sums)
    assert one.exploitability == two.exploitability


def test_a_rake_is_taken_and_said() -> None:
    raked = Holdem(rake=0.05, rake_cap=3)
    found = PublicSolver(target=0.2).solve(raked)
    assert RIVER.pot - 3 <= sum(found.value) < RIVER.pot
    assert "not constant" in found.guarantee
    arrays = unfold(raked, backend="reference")
    learnt = RegretMinimization("dcfr", target=0.05).solve(arrays)
    assert found.values == pytest.approx(learnt.value, abs=0.3)


def test_locked_strategies_and_the_reply_to_them() -> None:
    """Who never bluffs with ten-nine is folded to, and loses."""
    free = PublicSolver(target=0.05).solve(RIVER)
    honest = PublicSolver(target=0.05, locked={"": {"T9s": {"check": 1}}}).solve(RIVER)
    assert honest.value[0] < free.value[0]
    assert all(row.frequencies["check"] == 1 for row in honest.at().rows if row.kind == "T9s")
    bets = honest.at("all-in").rows
    assert sum(row.weight * row.frequencies["call"] for row in bets) < sum(
        row.weight * row.frequencies["call"] for row in free.at("all-in").rows
    )


@pytest.mark.parametrize(
    ("locked", "sentence"),
    [
        ({"": {"T9s": {"check": 0.5}}}, "not a distribution"),
        ({"": {"T9s": {"check": float("nan")}}}, "not a distribution"),
        ({"": {"T9s": {"check": "often"}}}, "gives actions their probabilities"),
        ({"": 5}, "gives hands their actions"),
        ({"": {"72o": {"check": 1}}}, "not a hand of the range"),
        ({"": {"T9s": {"limp": 1}}}, "There is no action 'limp'"),
        ({"check, check": {"*": {"check": 1}}}, "Nobody decides"),
    ],
)
def test_bad_locks_are_said(locked: dict[str, dict[str, dict[str, float]]], sentence: str) -> None:
    with pytest.raises(ZermeloError, match=sentence):
        PublicSolver(iterations=1, locked=locked).solve(RIVER)


def test_a_fold_is_worth_nothing_and_values_add_up() -> None:
    found = PublicSolver(target=0.02, precision="float64").solve(RIVER)
    point = found.at("bet 25")
    assert point.pot == 75
    assert all(row.values["fold"] == pytest.approx(0, abs=1e-9) for row in point.rows)
    root = found.at()
    assert root.value == pytest.approx(found.value[0], abs=1e-6)
    assert sum(row.weight for row in root.rows) == pytest.approx(1)
    assert all(0 <= row.equity <= 1 + 1e-9 for row in root.rows)
    assert root.to_csv().count("\n") == 1 + len(root.rows)


def test_equity_of_aces_against_kings_before_the_last_cards() -> None:
    """On a board that helps neither, kings have two cards of 45 that win, on the turn; counted by hand."""
    spot = Holdem(board="2c 3d 8h 9s", oop="AcAd", ip="KcKd", bets="50%")
    found = PublicSolver(iterations=2).solve(spot)
    assert found.at().rows[0].equity == pytest.approx(1 - 2 / 44)


def test_saved_solutions_open_again(tmp_path: Path) -> None:
    found = PublicSolver(target=0.5).solve(TURN)
    found.save(tmp_path / "spot.npz", "holdem")
    opened = RangeResult.load(tmp_path / "spot.npz", TURN)
    assert RangeResult.source_of(tmp_path / "spot.npz") == "holdem"
    assert opened.values == found.values
    assert opened.at("check").frequencies == pytest.approx(found.at("check").frequencies, abs=1e-3)
    with pytest.raises(ZermeloError, match="not a solution of this spot"):
        RangeResult.load(tmp_path / "spot.npz", RIVER)


def test_files_that_are_no_solutions_are_said(tmp_path: Path) -> None:
    path = tmp_path / "river.npz"
    with pytest.raises(ZermeloError, match="cannot be read"):
        RangeResult.source_of(path)
    PublicSolver(iterations=2).solve(Holdem()).save(path, "holdem")
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ZermeloError, match="damaged"):
        RangeResult.source_of(path)


def test_checkpoints_go_on_bit_by_bit_and_only_for_their_spot(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    PublicSolver(iterations=10, checkpoint=path).solve(TURN)
    resumed = PublicSolver(iterations=20, checkpoint=path).solve(TURN)
    straight = PublicSolver(iterations=20).solve(TURN)
    assert np.array_equal(resumed.sums, straight.sums)
    with pytest.raises(ZermeloError, match="belongs to another game"):
        PublicSolver(iterations=20, checkpoint=path).solve(RIVER)


@pytest.mark.slow
def test_sixteen_bits_are_half_the_memory_and_the_same_value(tmp_path: Path) -> None:
    full, half = (PublicSolver(target=0.1, precision=each).solve(TURN) for each in ("float32", "int16"))
    assert half.sums.dtype == np.int16
    assert half.values[0] == pytest.approx(full.values[0], abs=full.exploitability + half.exploitability)
    path = tmp_path / "run.npz"
    PublicSolver(iterations=10, precision="int16", checkpoint=path).solve(TURN)
    resumed = PublicSolver(iterations=20, precision="int16", checkpoint=path, threads=2).solve(TURN)
    assert np.array_equal(resumed.sums, PublicSolver(iterations=20, precision="int16").solve(TURN).sums)
    with pytest.raises(ZermeloError, match="precision"):
        PublicSolver(iterations=20, checkpoint=path).solve(TURN)
    with pytest.raises(ZermeloError, match="16 bits"):
        PublicSolver(precision="int16", locked={"": {"*": {"check": 1}}}).solve(TURN)


def test_what_does_not_fit_is_refused_before_it_starts() -> None:
    flop = Holdem(board="Qs Jh 2h", oop="random", ip="random", bets="33%,66%,100%,a", raises="50%,100%,a", stack=1000)
    with pytest.raises(ZermeloError, match="fewer sizes of bets"):
        PublicSolver(memory=1 << 20).solve(flop)


@pytest.mark.slow
def test_rhode_island_has_the_value_that_block_regret_minimization_finds() -> None:
    """A small deck: the same rules, unfolded and solved without ranges."""
    small = RhodeIsland(ranks=3, suits=2, raises=0)
    exact = EquilibriumSolver("lp", backend="reference").solve(small).value[0]
    found = PublicSolver(target=0.02).solve(small)
    assert found.values[0] == pytest.approx(exact, abs=0.002)


def test_a_line_that_is_not_there_is_said() -> None:
    found = PublicSolver(iterations=2).solve(TURN)
    runouts = found.runouts("check, check")
    assert len(runouts) == 48
    assert runouts["2c"].frequencies.keys() == {"check", "bet 25"}
    for line, sentence in (("limp", "no action"), ("check, check, Qs", "not a card that can come"), ("check, check", "a card comes")):
        with pytest.raises(ZermeloError, match=sentence):
            found.at(line)
    assert "bet 25" in found.lines()
    assert len(found.lines("check, check")) == 48
    assert PublicForm(TURN.public()).information_sets == found.form.information_sets


def test_leduc_is_a_small_holdem() -> None:
    """One private card of six, one open card, bets of 2 and 4: the published value of Leduc, from the solver over ranges."""
    bets = "preflop: 2; flop: 4"
    leduc = Holdem(deck="Q-A hs", hole=1, streets="1", board="", pot=2, stack=1000, oop="random", ip="random", bets=bets, raises=bets,
                   raise_limit=1)  # fmt: skip
    found = PublicSolver(target=0.02, precision="float64").solve(leduc)
    assert found.values[0] == pytest.approx(-0.085606424078, abs=2 * found.exploitability)
    assert len(found.form.boards.cards) == 1 + 3  # both suits are alike


def test_a_flop_before_the_next_bets_is_three_cards() -> None:
    spot = Holdem(deck="K-A", streets="2", board="", hole=1, pot=2, stack=4, oop="A", ip="K", bets="50%", raises="a")
    exact = LinearProgram().solve(unfold(spot, backend="reference")).value[0]
    found = PublicSolver(target=0.01, precision="float64").solve(spot)
    assert found.values[0] == pytest.approx(exact, abs=2 * found.exploitability)
    with pytest.raises(ZermeloError, match="start with more cards"):
        PublicSolver().solve(Holdem(board="", oop="AA", ip="KK"))


@pytest.mark.parametrize("seed", range(4))
def test_random_river_spots_have_the_linear_programs_value(seed: int) -> None:
    random = Random(seed)
    every = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    random.shuffle(every)
    oop, ip = (",".join(f"{''.join(random.sample(every[5:], 2))}:{random.choice([1, 0.5])}" for _ in range(4)) for _ in range(2))
    spot = Holdem(board=" ".join(every[:5]), pot=10, stack=random.choice([15, 40]), oop=oop, ip=ip, bets="50%,a", raises="a")
    exact = LinearProgram().solve(unfold(spot, backend="reference")).value[0]
    found = PublicSolver(target=0.02, precision="float64").solve(spot)
    assert found.values[0] == pytest.approx(exact, abs=2 * found.exploitability + 1e-9)


@pytest.mark.parametrize("spot", [RIVER, Holdem(rake=0.05, rake_cap=3), Holdem(oop="random", ip="TT+,AKs", raises="60%,a")])
def test_exact_best_replies_agree_with_the_walk_over_ranges(spot: Holdem) -> None:
    """Pair by pair in whole numbers, instead of by sorted hands in floats."""
    found = PublicSolver(target=0.5, precision="float64").solve(spot)
    exact = certify_ranges(found)
    assert float(exact.exploitability) == pytest.approx(found.exploitability, abs=1e-4)
    assert [float(worth) for worth in exact.value] == pytest.approx(found.values, abs=1e-4)
    if spot.rake == 0:
        assert sum(exact.value) == 0


def test_only_complete_boards_and_free_strategies_are_certified() -> None:
    with pytest.raises(ZermeloError, match="boards that are complete"):
        certify_ranges(PublicSolver(iterations=2).solve(TURN))
    with pytest.raises(ZermeloError, match="not locked"):
        certify_ranges(PublicSolver(iterations=2, locked={"": {"T9s": {"check": 1}}}).solve(RIVER))


def test_kernels_are_loaded_before_the_clock_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling them on first use would count as time of the first iterations."""
    run = public_solver.PublicRun(PublicForm(RIVER.public()), public_solver.DISCOUNTED)
    rows: list[int] = []
    monkeypatch.setattr(public_solver, "iterate", lambda *given: rows.append(len(given[3])))
    run.wake()
    assert rows == [0]
    assert not run.regrets.any()
    assert run.done == 0
