"""Matrix games: the table as a game, all equilibria by two routes, components, Lemke–Howson, zero-sum games, the door to all methods."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as draws

from zermelo.equilibrium.matrix.components import connected, maximal_subsets
from zermelo.equilibrium.matrix.integers import solve
from zermelo.equilibrium.matrix.lemke_howson import LemkeHowson
from zermelo.equilibrium.matrix.methods import choose, fitting, solve_matrix
from zermelo.equilibrium.matrix.profile import Profile, best_replies, pure, uniform
from zermelo.equilibrium.matrix.pure_equilibria import pure_profiles
from zermelo.equilibrium.matrix.supports import SupportEnumeration
from zermelo.equilibrium.matrix.vertex_enumeration import AllEquilibria
from zermelo.equilibrium.matrix.zero_sum import RegretMatchingPlus, ZeroSum
from zermelo.errors import ZermeloError
from zermelo.formats.nfg import read_nfg
from zermelo.registry import find
from zermelo.rules import hidden_information
from zermelo.trees.matrix import Matrix, exact
from zermelo.trees.unfolding import unfold

DATA = Path(__file__).resolve().parent.parent / "data" / "gambit"
F = Fraction

# A degenerate game on which support enumeration elsewhere finds 5 of 8 equilibria (nashpy issue 82; there the players minimise).
DEGENERATE = Matrix.of(
    [[0, 0, -6, 0, 0], [0, 0, -3, -2, -1], [-4, -3, 0, 0, -1]], [[-3, 0, -2, -1, 0], [0, -2, 0, 0, -4], [-4, 0, -2, -4, -4]]
)


def random_game(seed: int, *shape: int, low: int = 0, high: int = 9) -> Matrix:
    random = Random(seed)

    def table(sizes: tuple[int, ...]) -> Any:
        return [table(sizes[1:]) for _ in range(sizes[0])] if sizes else random.randint(low, high)

    return Matrix.of(*(table(shape) for _ in shape))


def coordination(size: int) -> Matrix:
    table = [[int(row == column) for column in range(size)] for row in range(size)]
    return Matrix.of(table, table)


# --- the table as a game


def test_a_matrix_is_a_game_in_which_the_second_player_does_not_see_the_first_choice() -> None:
    game = find("prisonersdilemma")
    assert isinstance(game, Matrix)
    assert hidden_information(game)
    assert game.information((0,), 1) == game.information((1,), 1) == ()
    assert game.information((0,), 0) != game.information((1,), 0)
    assert game.utility((0, 1)) == (0, 4)
    assert game.name((0,), 1) == "Def"
    assert "Coop" not in game.show((0,)).splitlines()[-1]
    assert game.show((0, 1)).endswith("chosen: Coop, Def")
    assert len(unfold(game)) == 7
    assert game.sample((1,), 1, Random(0)) in {(0,), (1,)}


def test_a_single_table_is_zero_sum() -> None:
    game = Matrix.of([[0.1, -2], [F(1, 3), 0]])
    assert game.total == 0
    assert game.payoff((1, 0)) == (F(1, 3), F(-1, 3))
    assert game.utility((0, 0)) == 0.1
    assert exact(0.1) == F(1, 10)


def test_three_players_and_cells() -> None:
    cells = [[[(row, column, layer) for layer in range(2)] for column in range(3)] for row in range(2)]
    game = Matrix.cells(cells)
    assert game.shape == (2, 3, 2)
    for profile in game.profiles():
        assert game.payoff(profile) == profile
        assert game.profile(game.cell(profile)) == profile
    assert game.restrict([[1], [0, 2], [0, 1]]).payoff((0, 1, 1)) == (1, 2, 1)
    assert "Player 3: 2" in game.table()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Matrix.of(), "at least one table"),
        (lambda: Matrix.of([[1, 2], [3]]), "differ in length"),
        (lambda: Matrix.of([[1, 2]], [[1], [2]]), "different shapes: 1×2, 2×1"),
        (lambda: Matrix.of([[1, float("nan")]]), "at 1, 2 is nan"),
        (lambda: Matrix.of([[1, "x"]], [[1, 2]]), "at 1, 2 is 'x'"),
        (lambda: Matrix.of([[]]), "empty row"),
        (lambda: Matrix.of([[1]], [[1]], [[1]]), "one table a player"),
        (lambda: Matrix.cells([[1, 2], [3, 4]]), "one payoff per player"),
        (lambda: Matrix.of([[1, 2]], strategies=[["a"], ["b", "b"]]), "called 'b'"),
        (lambda: Matrix.of([[1, 2]], strategies=[["a"], ["b"]]), "names for 1×1 strategies"),
        (lambda: find("staghunt").strategy(0, "stags"), "did you mean stag?"),
        (lambda: Profile.of(coordination(2), [[1, 0], [F(1, 2), F(1, 3)]]), "not a distribution"),
        (lambda: Profile.of(coordination(2), [[1], [1, 0]]), "1×2 probabilities"),
    ],
)
def test_bad_tables_are_refused_in_one_sentence(make: Any, sentence: str) -> None:
    with pytest.raises(ZermeloError, match=sentence):
        make()


# --- the games of the books


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rockpaperscissors", {((F(1, 3),) * 3, (F(1, 3),) * 3)}),
        ("prisonersdilemma", {((0, 1), (0, 1))}),
        ("matchingpennies", {((F(1, 2), F(1, 2)), (F(1, 2), F(1, 2)))}),
        ("battleofthesexes", {((1, 0), (1, 0)), ((0, 1), (0, 1)), ((F(2, 3), F(1, 3)), (F(1, 3), F(2, 3)))}),
        ("staghunt", {((1, 0), (1, 0)), ((0, 1), (0, 1)), ((F(3, 4), F(1, 4)), (F(3, 4), F(1, 4)))}),
        ("shapley", {((F(1, 3),) * 3, (F(1, 3),) * 3)}),
    ],
)
def test_equilibria_of_the_books(name: str, expected: set[Any]) -> None:
    game = find(name)
    assert isinstance(game, Matrix)
    assert {profile.strategies for profile in AllEquilibria().solve(game).equilibria} == expected
    assert {profile.strategies for profile in SupportEnumeration().solve(game).equilibria} == expected


# --- all equilibria


@pytest.mark.parametrize(("size", "count"), [(2, 3), (3, 7), (4, 15)])
@pytest.mark.parametrize("arithmetic", ["floating", "exact"])
def test_coordination_games(size: int, count: int, arithmetic: Any) -> None:
    assert len(AllEquilibria(arithmetic).solve(coordination(size))) == count


@pytest.mark.parametrize("arithmetic", ["floating", "exact"])
def test_von_stengels_game_has_75_equilibria(arithmetic: Any) -> None:
    """B. von Stengel, New maximal numbers of equilibria in bimatrix games, Discrete & Computational Geometry 21 (1999)."""
    game = read_nfg(DATA / "journals_dcg_vonstengel1999_6x6_game_with_75_eq.nfg")
    found = AllEquilibria(arithmetic).solve(game)
    assert len(found) == 75
    assert sum(profile.is_pure for profile in found.equilibria) == 2
    assert found.degenerate is False


def test_the_degenerate_game_gives_all_eight() -> None:
    found = AllEquilibria().solve(DEGENERATE)
    assert len(found) == 8
    assert found.degenerate
    assert found.components == ((0, 1, 2), (3,), (4, 5, 6), (7,))
    assert found.subsets == ((0, 1), (0, 2), (3,), (4, 5, 6), (7,))
    for subset in found.subsets:  # every mixture of a subset's strategies is an equilibrium
        sides = [[found.equilibria[number].strategies[player] for number in subset] for player in range(2)]
        middle = [[sum(column, F(0)) / len(side) for column in zip(*side, strict=True)] for side in sides]
        assert Profile.of(DEGENERATE, middle).regret == 0


def test_floats_refuse_what_they_cannot_tell_apart() -> None:
    with pytest.raises(ZermeloError, match="use exact arithmetic"):  # a hundredth of a billionth is neither 0 nor clearly more
        AllEquilibria("floating").solve(Matrix.of([[0, 1], [0, 1 + F(3, 10**12)]], [[0, 1], [1, 0]]))
    with pytest.raises(ZermeloError, match="auto, floating or exact"):
        AllEquilibria("decimal").solve(DEGENERATE)  # type: ignore[arg-type]
    with pytest.raises(ZermeloError, match="more than 10 bases"):
        AllEquilibria("exact", limit=10).solve(random_game(0, 6, 6))
    with pytest.raises(ZermeloError, match="two players"):
        AllEquilibria().solve(random_game(0, 2, 2, 2))


@pytest.mark.parametrize("seed", range(6))
def test_floating_and_exact_enumeration_agree(seed: int) -> None:
    game = random_game(seed, 7, 8, low=-(10**6), high=10**6)
    floating, exactly = AllEquilibria("floating").solve(game), AllEquilibria("exact").solve(game)
    assert [profile.strategies for profile in floating.equilibria] == [profile.strategies for profile in exactly.equilibria]
    assert [profile.value for profile in floating.equilibria] == [profile.value for profile in exactly.equilibria]
    for profile in floating.equilibria:
        again = Profile.of(game, profile.strategies)
        assert (again.regret, again.value) == (0, profile.value)


@pytest.mark.parametrize("seed", range(40))
def test_floats_break_ties_as_exact_arithmetic_does(seed: int) -> None:
    random = Random(seed)
    game = random_game(seed, random.randint(2, 6), random.randint(2, 6), high=random.choice([1, 2, 9]))
    floating, exactly = AllEquilibria("floating").solve(game), AllEquilibria("exact").solve(game)
    assert {each.strategies for each in floating.equilibria} == {each.strategies for each in exactly.equilibria}
    assert floating.degenerate == exactly.degenerate
    assert sorted(map(len, floating.components)) == sorted(map(len, exactly.components))


def test_all_equilibria_of_a_large_table_with_ties() -> None:
    """16 × 16 payoffs from 0 to 9: the exact walk gave up at 78,125 bases."""
    game = random_game(144, 16, 16)
    found = solve_matrix(game, "all")
    assert len(found) == 95
    assert found.degenerate
    assert all(profile.regret == 0 for profile in (Profile.of(game, each.strategies) for each in found.equilibria))
    with pytest.raises(ZermeloError, match="time is up"):
        solve_matrix(game, "perfect", seconds=1e-6)


tables = draws.integers(1, 4).flatmap(
    lambda height: draws.integers(1, 4).flatmap(
        lambda width: draws.tuples(
            *(
                draws.lists(draws.lists(draws.integers(0, 3), min_size=width, max_size=width), min_size=height, max_size=height)
                for _ in "ab"
            )
        )
    )
)


@settings(max_examples=60)
@given(tables)
def test_small_games_with_many_ties(payoffs: Any) -> None:
    """Every listed equilibrium is one; pure ones and those of paths are listed; every equilibrium on a coarse grid lies in a subset."""
    game = Matrix.of(*payoffs)
    found = AllEquilibria("exact").solve(game)
    listed = {profile.strategies for profile in found.equilibria}
    assert listed
    assert all(Profile.of(game, profile.strategies).regret == 0 for profile in found.equilibria)
    assert {pure(game, profile) for profile in pure_profiles(game)} <= listed
    for label in range(sum(game.shape)):
        assert LemkeHowson(label, exact=True).solve(game).equilibria[0].strategies in listed
    assert sorted(number for component in found.components for number in component) == list(range(len(found)))


def test_maximal_subsets_and_components_of_a_picture() -> None:
    pairs = [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 3)]
    assert maximal_subsets(pairs) == [((0, 1), (0, 1)), ((1,), (0, 1, 2)), ((2,), (3,))]
    assert connected(pairs) == [(0, 1, 2, 3, 4), (5,)]


def test_exact_systems() -> None:
    solution = solve([[0, 2, 4], [3, 1, 5]])
    assert solution is not None
    assert solution.fractions() == [F(1), F(2)]
    assert solution.sign == -1
    assert solve([[1, 2, 3], [2, 4, 6]]) is None


# --- one equilibrium


@pytest.mark.slow
def test_long_paths_end_in_the_only_equilibrium() -> None:
    """R. Savani and B. von Stengel, Hard-to-solve bimatrix games, Econometrica 74 (2006)."""
    from zermelo.equilibrium.extensive.exact.normal_form import normal_form
    from zermelo.formats.efg import read_efg

    game = normal_form(read_efg(DATA / "EFG_for_6x6_bimatrix_with_long_LH_paths_and_unique_eq.efg")).matrix
    outer = [F(1, 30), F(1, 6), F(3, 10), F(3, 10), F(1, 6), F(1, 30)]
    inner = [F(1, 6), F(1, 30), F(3, 10), F(3, 10), F(1, 30), F(1, 6)]
    for label in range(12):
        found = LemkeHowson(label).solve(game)
        assert [list(map(float, outer)), list(map(float, inner))] == [pytest.approx(list(each)) for each in found.equilibria[0].strategies]
    assert LemkeHowson(exact=True).solve(game).equilibria[0].strategies == (tuple(outer), tuple(inner))


def test_payoffs_beyond_floats_take_the_exact_path() -> None:
    huge = 10**400
    game = Matrix.of([[huge + 1, 0], [0, huge]])
    with pytest.raises(OverflowError):
        game.array(0)
    found = ZeroSum("exact").solve(game)
    assert found.equilibria[0].regret == 0
    near = Matrix.of([[10**19, 1], [1, 10**19 + 1]], [[1, 10**19], [10**19, 0]])
    answer = LemkeHowson().solve(near)
    assert answer.equilibria[0].exact
    assert answer.equilibria[0].regret == 0
    assert "exact arithmetic" in answer.notes[0]


@pytest.mark.parametrize("seed", range(8))
def test_lemke_howson_in_floats_and_in_whole_numbers(seed: int) -> None:
    game = random_game(seed, 5, 4, high=3)
    floating, exactly = LemkeHowson(seed).solve(game), LemkeHowson(seed, exact=True).solve(game)
    assert floating.equilibria[0].regret < 1e-9
    assert exactly.equilibria[0].regret == 0
    assert floating.iterations == exactly.iterations
    for mine, theirs in zip(floating.equilibria[0].strategies, exactly.equilibria[0].strategies, strict=True):
        assert list(mine) == pytest.approx(list(map(float, theirs)))


def test_labels_that_do_not_exist() -> None:
    with pytest.raises(ZermeloError, match="labels 0 to 3"):
        LemkeHowson(4).solve(coordination(2))


# --- zero sum


@pytest.mark.parametrize("seed", range(6))
def test_zero_sum_games_by_three_routes(seed: int) -> None:
    random = Random(seed)
    game = Matrix.of([[random.randint(-9, 9) for _ in range(7)] for _ in range(5)])
    program, path = ZeroSum().solve(game).equilibria[0], LemkeHowson(exact=True).solve(game).equilibria[0]
    assert program.regret == path.regret == 0
    assert program.value == path.value
    matched = RegretMatchingPlus(target=1e-6).solve(game)
    assert not matched.notes
    assert float(matched.equilibria[0].value[0]) == pytest.approx(float(program.value[0]), abs=1e-6)
    assert sum(matched.equilibria[0].regrets) <= 1e-6 + 1e-12
    assert ZeroSum("floating").solve(game).equilibria[0].regret < 1e-9


def test_regret_matching_says_where_it_missed_its_target() -> None:
    found = RegretMatchingPlus(target=1e-12, iterations=3).solve(Matrix.of([[3, 0], [1, 2]]))
    assert "the target was 1e-12" in found.notes[0]
    assert found.iterations == 3


def test_constant_sums_other_than_zero() -> None:
    found = ZeroSum().solve(read_nfg(DATA / "const_sum_game.nfg"))
    assert found.equilibria[0].value == (1, 1)


# --- the door


@pytest.mark.parametrize(
    ("game", "method"),
    [
        (Matrix.of([[0, 1], [1, 0]]), "lp"),
        (Matrix.of([[0] * 1000] * 1000), "prm+"),
        (coordination(3), "all"),
        (coordination(12), "lemke-howson"),
        (random_game(0, 2, 2, 2), "supports"),
        (random_game(0, 4, 4, 4), "logit"),
        (Matrix.of([1, 2, 3]), "pure"),
    ],
)
def test_auto_chooses_what_fits(game: Matrix, method: str) -> None:
    assert choose(game) == method
    assert method in fitting(game)


@pytest.mark.parametrize("method", ["pure", "all", "lemke-howson", "supports", "logit", "auto"])
def test_every_method_by_its_name(method: str) -> None:
    found = solve_matrix(find("prisonersdilemma"), method)  # type: ignore[arg-type]
    assert found.equilibria[0].strategies == ((0, 1), (0, 1))
    data = found.to_dict()
    assert data["value"] == [1.0, 1.0]
    assert data["certified"]
    assert data["strategies"] == {"Player 1": {"Coop": 0.0, "Def": 1.0}, "Player 2": {"Coop": 0.0, "Def": 1.0}}


def test_all_isolated_equilibria_of_three_players() -> None:
    game = random_game(0, 2, 2, 2)
    every, supports = solve_matrix(game, "all"), solve_matrix(game, "supports")
    assert every.equilibria == supports.equilibria
    assert every.complete


def test_methods_that_do_not_fit_say_which_do() -> None:
    with pytest.raises(ZermeloError, match="those that do are pure, all, perfect, proper, lemke-howson, supports, logit"):
        solve_matrix(coordination(2), "lp")
    with pytest.raises(ZermeloError, match="those that do are pure, all, supports, logit"):
        solve_matrix(random_game(0, 2, 2, 2), "perfect")
    with pytest.raises(ZermeloError, match="did you mean supports"):
        solve_matrix(coordination(2), "suports")


def test_best_replies_and_exploitability() -> None:
    game = find("rockpaperscissors")
    assert isinstance(game, Matrix)
    assert best_replies(game, pure(game, (0, 0)), 0) == (1,)
    assert best_replies(game, uniform(game), 1) == (0, 1, 2)
    assert best_replies(game, [[0.5, 0.5, 0.0]] * 2, 1) == (1,)
    assert Profile.of(game, pure(game, (0, 0))).exploitability == 1


def test_support_enumeration_agrees_with_vertex_enumeration() -> None:
    for seed in range(5):
        game = random_game(seed, 3, 4, high=1000)
        by_support = {profile.strategies for profile in SupportEnumeration().solve(game).equilibria}
        assert by_support == {profile.strategies for profile in AllEquilibria().solve(game).equilibria}


@pytest.mark.parametrize("seed", range(3))
def test_three_players_find_an_odd_number_of_equilibria(seed: int) -> None:
    """R. Wilson (1971): almost every game has an odd number of them."""
    found = SupportEnumeration().solve(random_game(seed, 2, 2, 3, high=1000))
    assert found.complete
    assert len(found) % 2 == 1
    assert all(profile.regret <= (0 if profile.exact else 1e-9 * 1000) for profile in found.equilibria)


def test_a_continuum_is_told() -> None:
    tied = Matrix.of(*([[[0, 0], [0, 0]], [[0, 0], [0, 0]]] for _ in range(3)))
    found = SupportEnumeration().solve(tied)
    assert len(found) == 8
    assert not found.complete
    assert "continuum" in found.notes[0]


def test_every_profile_of_a_grid_that_has_no_regret_is_near_an_equilibrium() -> None:
    """An independent look: no equilibrium of a small three-player game is missed between those that are listed."""
    game = random_game(7, 2, 2, 2, high=20)
    found = SupportEnumeration().solve(game)
    assert found.complete
    for point in product(range(17), repeat=3):
        mixed = [(share / 16, 1 - share / 16) for share in point]
        if Profile.of(game, mixed).regret < 0.1:
            distances = [
                max(abs(float(each[0]) - own[0]) for each, own in zip(profile.strategies, mixed, strict=True))
                for profile in found.equilibria
            ]
            assert min(distances) < 0.2


def test_many_continua_are_told_in_one_sentence() -> None:
    tied = Matrix.of(*([[[0, 0], [0, 0]], [[0, 0], [0, 0]]] for _ in range(3)))
    (note,) = SupportEnumeration().solve(tied).notes
    assert note.startswith("19 supports, the first of them")
