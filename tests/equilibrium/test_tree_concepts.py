"""Solution concepts of trees, each on a published example and against another way on random trees."""

import math
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from zermelo.equilibrium.extensive.concepts.agent_quantal import AgentQuantal
from zermelo.equilibrium.extensive.concepts.commitment import TreeStackelberg
from zermelo.equilibrium.extensive.concepts.trigger_correlated import TriggerCorrelated, gains
from zermelo.equilibrium.extensive.exact.normal_form import normal_form
from zermelo.equilibrium.extensive.exact.quasi_perfect import QuasiPerfect, Trembles, proved
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.equilibrium.matrix.correlated import Correlated
from zermelo.equilibrium.matrix.proper import ProperEquilibrium
from zermelo.equilibrium.matrix.stackelberg import Stackelberg
from zermelo.errors import ZermeloError
from zermelo.formats.efg import tree_from_efg
from zermelo.games.kuhn import Kuhn
from zermelo.games.liarsdice import LiarsDice
from zermelo.trees.matrix import Matrix
from zermelo.trees.tree import Tree

# B. von Stengel and F. Forges (2008), figure 1: a student of good or bad type signals X or Y, the professor replies left or right
SIGNAL = """EFG 2 R "Signals" { "Student" "Professor" }
c "" 1 "" { "G" 1/2 "B" 1/2 } 0
p "" 1 1 "" { "XG" "YG" } 0
p "" 2 1 "" { "lX" "rX" } 0
t "" 1 "" { 4, 10 }
t "" 2 "" { 0, 6 }
p "" 2 2 "" { "lY" "rY" } 0
t "" 3 "" { 4, 10 }
t "" 4 "" { 0, 6 }
p "" 1 2 "" { "XB" "YB" } 0
p "" 2 1 "" { "lX" "rX" } 0
t "" 5 "" { 6, 0 }
t "" 6 "" { 0, 6 }
p "" 2 2 "" { "lY" "rY" } 0
t "" 7 "" { 6, 0 }
t "" 8 "" { 0, 6 }
"""

# A threat that is not credible: after In the second player should not fight
ENTRY = """EFG 2 R "Entry" { "1" "2" }
p "" 1 1 "" { "Out" "In" } 0
t "" 1 "" { 0, 2 }
p "" 2 1 "" { "Fight" "Share" } 0
t "" 2 "" { -1, -1 }
t "" 3 "" { 1, 1 }
"""


def random_tree(seed: int, levels: int = 4) -> Tree:
    """Chance, both players, and perfect recall: at each level everybody moves at a set that knows his own past alone."""
    random = Random(seed)
    number = 0

    def grow(level: int, own: tuple[str, str]) -> list[str]:
        nonlocal number
        if level == levels:
            number += 1
            return [f't "" {number} "" {{ {random.randint(-4, 4)}, {random.randint(-4, 4)} }}']
        mover = level % 2
        key = f"{mover}{level}{own[mover]}"
        place = sets.setdefault(key, len(sets) + 1)
        lines = [f'p "" {mover + 1} {place} "" {{ "L" "R" }} 0']
        for action in "LR":
            lines += grow(level + 1, (own[0] + action, own[1]) if mover == 0 else (own[0], own[1] + action))
        return lines

    sets: dict[str, int] = {}
    body = ['c "" 1 "" { "l" 1/3 "r" 2/3 } 0', *grow(0, ("", "")), *grow(0, ("", ""))]
    return tree_from_efg('EFG 2 R "Random" { "1" "2" }\n' + "\n".join(body) + "\n")


def test_trees_that_chance_plays_alone() -> None:
    tree = tree_from_efg('EFG 2 R "" { "A" "B" } c "" 1 "" { "x" 1/4 "y" 3/4 } 0 t "" 1 "" { 0 -3 } t "" 2 "" { 4 1 }')
    assert all(TriggerCorrelated(coarse).solve(tree).value == (3, 0) for coarse in (False, True))
    with pytest.raises(ZermeloError, match="Nobody decides"):
        AgentQuantal().solve(tree)


def test_quasi_perfect_play_makes_no_empty_threat() -> None:
    """Selten 1975: (Out, Fight) is an equilibrium, but its threat is no choice of a player who might have to carry it out."""
    found = QuasiPerfect().solve(unfold(tree_from_efg(ENTRY), backend="reference"))
    assert found.certificate.equilibrium
    assert found.value == (1, 1)
    assert [row.probabilities for row in found.strategies.rows] == [{"Out": 0, "In": 1}, {"Fight": 0, "Share": 1}]


def test_kuhns_quasi_perfect_equilibrium_is_exact() -> None:
    found = QuasiPerfect().solve(unfold(Kuhn(), backend="reference"))
    assert found.certificate.value == (Fraction(-1, 18), Fraction(1, 18))
    assert found.strategies.to_dict()["Dealer: Kb"]["call"] == 1


@pytest.mark.parametrize("seed", range(12))
def test_quasi_perfect_equilibria_of_random_trees_are_proved(seed: int) -> None:
    arrays = unfold(random_tree(seed), backend="reference")
    found = QuasiPerfect().solve(arrays)
    assert found.certificate.equilibrium


def test_the_proof_of_quasi_perfection_can_fail() -> None:
    """The empty threat with small mistakes of the first player is refuted."""
    arrays = unfold(tree_from_efg(ENTRY), backend="reference")
    one, epsilon, rest = ([Fraction(part) for part in pair] for pair in ((1, 0), (0, 1), (1, -1)))
    threat = Trembles(([one, rest, epsilon], [one, rest, epsilon]), ([Fraction(1), Fraction(1), Fraction(0)],) * 2)
    assert not proved(arrays, threat)


def test_the_proper_equilibrium_of_myersons_game() -> None:
    """R. Myerson 1978: three pure equilibria, two of them perfect, one proper."""
    table = [[1, 0, -9], [0, 0, -7], [-9, -7, -7]]
    found = ProperEquilibrium().solve(Matrix.of(table, table))
    assert [profile.strategies for profile in found.equilibria] == [((1, 0, 0), (1, 0, 0))]


@pytest.mark.parametrize("seed", range(12))
def test_proper_equilibria_of_degenerate_tables_are_proved(seed: int) -> None:
    random = Random(seed)
    height, width = random.randint(1, 4), random.randint(1, 4)
    tables = [[[random.randint(0, 2) for _ in range(width)] for _ in range(height)] for _ in range(2)]
    found = ProperEquilibrium().solve(Matrix.of(*tables))  # raises unless it is ε-proper for every small ε
    assert found.equilibria[0].exact
    assert found.equilibria[0].regret == 0


def test_signals_of_von_stengel_and_forges() -> None:
    """2008: correlated plans never let the student pass (0, 6), signals that are told at the move do, with (7/2, 13/2)."""
    tree = tree_from_efg(SIGNAL)
    assert tuple(Correlated().solve(normal_form(tree).matrix).value) == (0, 6)
    found = TriggerCorrelated().solve(tree)
    assert found.exact
    assert found.regret == 0
    assert sum(found.value) == 10
    published: dict[tuple[int, ...], Fraction] = {
        (student, professor): Fraction(1, 4) for student, professor in ((0, 1), (1, 1), (2, 2), (3, 2))
    }
    assert normal_form(tree).matrix.strategies == (("XG/XB", "XG/YB", "YG/XB", "YG/YB"), ("lX/lY", "lX/rY", "rX/lY", "rX/rY"))
    assert gains(found.form, published, coarse=False) == (0, 0)


@pytest.mark.parametrize("seed", range(8))
def test_the_later_a_player_decides_to_disobey_the_less_can_be_agreed_on(seed: int) -> None:
    """Correlated, extensive-form, its coarse form, and coarse correlated equilibria contain each other."""
    tree = random_tree(seed, levels=4)
    table = normal_form(tree).matrix
    sums = [
        float(sum(Correlated().solve(table).value)),
        float(sum(TriggerCorrelated().solve(tree).value)),
        float(sum(TriggerCorrelated(coarse=True).solve(tree).value)),
        float(sum(Correlated(coarse=True).solve(table).value)),
    ]
    assert all(less <= more + 1e-6 for less, more in pairwise(sums)), sums


@pytest.mark.parametrize("seed", range(12))
def test_commitments_in_trees_are_those_of_their_tables(seed: int) -> None:
    tree = random_tree(seed)
    found = TreeStackelberg().solve(unfold(tree, backend="reference"))
    table = Stackelberg().solve(normal_form(tree).matrix)
    assert float(found.value[0]) == pytest.approx(float(table.value[0]), abs=1e-6)
    assert found.regret <= 1e-9


def test_commitments_and_signals_are_exact_whatever_their_denominators() -> None:
    """Payoffs that no small denominator meets: plans were rounded to fractions with six digits, and often not proved."""
    leaves = ["{ 211/97 19/89 }", "{ 4/101 355/113 }", "{ 17/103 29/107 }", "{ 83/109 1/127 }"]
    tree = tree_from_efg(
        'EFG 2 R "" { "A" "B" } p "" 1 1 "" { "u" "d" } 0 p "" 2 1 "" { "l" "r" } 0 t "" 1 "" ' + leaves[0] + ' t "" 2 "" ' + leaves[1]
        + ' p "" 2 1 "" { "l" "r" } 0 t "" 3 "" ' + leaves[2] + ' t "" 4 "" ' + leaves[3]
    )  # fmt: skip
    committed = TreeStackelberg().solve(unfold(tree, backend="reference"))
    assert committed.exact
    assert committed.best
    assert committed.value == tuple(Stackelberg().solve(normal_form(tree).matrix).value)
    found = TriggerCorrelated().solve(tree)
    assert found.exact
    assert found.best
    assert sum(found.value) == sum(Correlated().solve(normal_form(tree).matrix).value)  # one choice each: the same


def test_a_commitment_where_sums_are_constant_is_an_equilibrium() -> None:
    """The mixed-integer program of liar's dice does not end within a minute."""
    found = TreeStackelberg().solve(unfold(LiarsDice(faces=3), backend="reference"))
    assert found.exact
    assert found.best
    assert found.value == (Fraction(1, 9), Fraction(-1, 9))


def test_nothing_else_is_written_to_the_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    """Bagwell 1995: HiGHS wrote a line of its own while it undid its presolve."""
    seen = ['p "" 2 1 "" { "S" "C" } 0 %s', 'p "" 2 2 "" { "S" "C" } 0 %s']
    moved = ['t "" 1 "" { 5, 2 } t "" 2 "" { 3, 1 }', 't "" 3 "" { 6, 3 } t "" 4 "" { 4, 4 }']
    chances = ['c "" 1 "" { "s" 99/100 "c" 1/100 } 0', 'c "" 2 "" { "s" 1/100 "c" 99/100 } 0']
    parts = [f"{chance} {seen[0] % ends} {seen[1] % ends}" for chance, ends in zip(chances, moved, strict=True)]
    tree = tree_from_efg('EFG 2 R "" { "A" "B" } p "" 1 1 "" { "S" "C" } 0 ' + " ".join(parts))
    assert TreeStackelberg().solve(unfold(tree, backend="reference")).value == (Fraction(501, 100), Fraction(201, 100))
    assert capfd.readouterr().out == ""


def test_commitment_to_a_threat() -> None:
    """In the entry game the second mover would commit to fight; here the first commits, and In stays best."""
    found = TreeStackelberg().solve(unfold(tree_from_efg(ENTRY), backend="reference"))
    assert found.value == (1, 1)
    assert found.exact


def test_agents_make_mistakes_as_the_logit_rule_says() -> None:
    """In Kuhn poker a jack that faces a bet loses 1 more by a call: with λ = 1 it folds 1 / (1 + 1/e) of the time."""
    found = AgentQuantal(rationality=1.0).solve(Kuhn())
    place = found.names.index("Opener: Jpb")
    assert found.behaviour[place][0] == pytest.approx(1 / (1 + math.exp(-1)))
    chance = AgentQuantal(rationality=0.0).solve(Kuhn())
    assert all(max(each) == pytest.approx(1 / 2) for each in chance.behaviour)
    with pytest.raises(ZermeloError, match="at least 0"):
        AgentQuantal(rationality=-1).solve(Kuhn())
