"""Re-solving subgames: the theorem that nothing gets worse, on Leduc, and what is refused."""

from dataclasses import dataclass

import pytest

from zermelo.equilibrium.extensive.exact.sequence_form import LinearProgram
from zermelo.equilibrium.extensive.regret.cfr import RegretMinimization
from zermelo.equilibrium.extensive.resolving.resolve import Resolve, subgame_roots
from zermelo.equilibrium.extensive.sequences.best_response import measure, uniform
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.errors import ZermeloError
from zermelo.games.kuhn import Kuhn
from zermelo.games.leduc import CALL, Hand, Leduc


@pytest.fixture(scope="module")
def leduc():  # type: ignore[no-untyped-def]
    return unfold(Leduc(), backend="reference")


LINE = [0, 3, CALL, CALL, 4]  # Js against Qh, both check, the public card is Ks


def test_the_roots_are_all_hands_behind_the_same_play(leduc) -> None:  # type: ignore[no-untyped-def]
    roots = subgame_roots(uniform(leduc), LINE)
    assert len(roots) == 5 * 4  # every pair of the five other cards
    assert {(root.state.public, root.state.history) for root in roots} == {(4, Leduc().read("Js Qh Ks cc/").history)}
    assert all(root.chance == pytest.approx(1 / 120) for root in roots)
    assert all(root.reach == pytest.approx((1 / 2, 1 / 2)) for root in roots)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("method", ["lp", "cfr+"])
def test_a_new_part_never_makes_the_whole_worse(leduc, player: int, method: str) -> None:  # type: ignore[no-untyped-def]
    blueprint = RegretMinimization("cfr", iterations=15).solve(leduc).strategies
    before = measure(leduc, blueprint).replies[1 - player]
    strategy = blueprint
    for public in range(6):
        line = [0 if public else 1, 3 if public != 3 else 2, CALL, CALL, public]
        resolved = Resolve(method, None if method == "lp" else 3000).solve(strategy, line, player)
        assert resolved.sets > 0
        strategy = resolved.strategy
        now = measure(leduc, strategy).replies[1 - player]
        assert now <= before + 1e-3 * (method != "lp") + 1e-9  # the regret minimizer is only near its solution
        assert measure(leduc, strategy).replies[player] == pytest.approx(measure(leduc, blueprint).replies[player])  # the other part stands
        before = now
    assert now < measure(leduc, blueprint).replies[1 - player] - 1e-3


def test_an_equilibrium_stays_one(leduc) -> None:  # type: ignore[no-untyped-def]
    solved = LinearProgram().solve(leduc)
    strategy = Resolve().solve(solved.strategies, LINE, 0).strategy
    assert measure(leduc, strategy).replies[1] == pytest.approx(0.085606424078, abs=1e-9)


@dataclass(frozen=True)
class Judged(Leduc):
    """Leduc with an estimate: nobody is ahead."""

    def evaluate(self, hand: Hand) -> float:
        return 0.0


def test_a_subgame_may_be_cut_at_a_depth() -> None:
    arrays = unfold(Judged(), backend="reference")
    resolved = Resolve(depth=1).solve(uniform(arrays), LINE, 0)
    assert resolved.solution.value is not None
    assert resolved.sets == 5  # Max's hands at the first decision; what follows is judged
    with pytest.raises(ZermeloError, match="evaluate"):
        Resolve(depth=1).solve(uniform(unfold(Leduc(), backend="reference")), LINE, 0)


def test_what_cannot_be_resolved_is_refused(leduc) -> None:  # type: ignore[no-untyped-def]
    blueprint = uniform(leduc)
    with pytest.raises(ZermeloError, match="not a line of play"):
        Resolve().solve(blueprint, [0, 0], 0)
    with pytest.raises(ZermeloError, match="end of the game"):
        Resolve().solve(blueprint, [0, 1, 2, 0], 0)
    with pytest.raises(ZermeloError, match="no player"):
        Resolve().solve(blueprint, LINE, 2)
    three = unfold(Kuhn(players=3), backend="reference")
    with pytest.raises(ZermeloError, match="two players"):
        Resolve().solve(uniform(three), [0, 1, 2], 0)
