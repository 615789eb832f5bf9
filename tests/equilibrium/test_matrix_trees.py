"""Trees as matrices, mixed and behaviour strategies, subgames one by one, and what is said about bad input."""

from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from zermelo.cli.entry import main
from zermelo.equilibrium.extensive.exact.agent_form import agent_form
from zermelo.equilibrium.extensive.exact.behaviour import Behaviour, information_sets
from zermelo.equilibrium.extensive.exact.normal_form import normal_form
from zermelo.equilibrium.extensive.exact.subgames import SubgamePerfect, subgame_roots
from zermelo.equilibrium.matrix.profile import Profile
from zermelo.equilibrium.matrix.vertex_enumeration import AllEquilibria
from zermelo.equilibrium.matrix.zero_sum import ZeroSum
from zermelo.errors import ZermeloError
from zermelo.formats.efg import read_efg
from zermelo.formats.nfg import read_nfg
from zermelo.registry import find
from zermelo.trees.backward_induction import BackwardInduction
from zermelo.trees.branches import Chance, Max, Min, Player
from zermelo.trees.tree import Tree

DATA = Path(__file__).resolve().parent.parent / "data" / "gambit"
F = Fraction


# --- normal forms


def test_the_table_of_document_003() -> None:
    """Its second row is misprinted there: right is -3,3 | 6,-6 | -3,3 | 6,-6 (see the tree)."""
    matrix = normal_form(find("twolevel")).matrix
    assert matrix.strategies == (("Left", "Right"), ("Left/Left", "Left/Right", "Right/Left", "Right/Right"))
    assert [matrix.payoff((0, column)) for column in range(4)] == [(5, -5), (5, -5), (1, -1), (1, -1)]
    assert [matrix.payoff((1, column)) for column in range(4)] == [(-3, 3), (6, -6), (-3, 3), (6, -6)]


def test_reduced_and_full_forms_of_kuhn_poker() -> None:
    game = find("kuhn")
    reduced, full = normal_form(game), normal_form(game, reduced=False)
    assert reduced.matrix.shape == (27, 64)
    assert full.matrix.shape == (64, 64)
    assert any("*" in name for name in reduced.matrix.strategies[0])
    assert ZeroSum().solve(reduced.matrix).equilibria[0].value == ZeroSum().solve(full.matrix).equilibria[0].value == (F(-1, 18), F(1, 18))


def test_a_matrix_game_is_its_own_normal_form() -> None:
    game = find("battleofthesexes")
    form = normal_form(game)
    assert (form.matrix.strategies, form.matrix.tables) == (game.strategies, game.tables)  # type: ignore[attr-defined]


def test_mixed_and_behaviour_strategies_do_the_same() -> None:
    form = normal_form(find("kuhn"))
    profile = ZeroSum().solve(form.matrix).equilibria[0]
    behaviour = form.behaviour(profile.strategies)
    assert behaviour.value() == profile.value
    back = form.mixed(behaviour)
    assert form.behaviour(back).value() == profile.value
    assert Profile.of(form.matrix, back).regret == 0
    assert {len(actions) for actions in behaviour.named().values()} == {2}


def test_every_pure_profile_is_worth_the_same_in_the_tree_and_in_the_table() -> None:
    form = normal_form(read_efg(DATA / "chance_in_middle.efg"))
    for profile in form.matrix.profiles():
        strategies = [[F(place == chosen) for place in range(size)] for size, chosen in zip(form.matrix.shape, profile, strict=True)]
        assert form.behaviour(strategies).value() == form.matrix.payoff(profile)


def test_chance_is_exact_whatever_its_weights() -> None:
    tree = Tree.of(Chance(a=(0.1, Max(x=10, y=0)), b=(0.9, Max(x=0, y=F(1, 3)))))
    assert {normal_form(tree).matrix.payoff((row, 0))[0] for row in range(4)} == {1, 1 + F(3, 10), 0, F(3, 10)}


FORGETFUL = Tree.of(
    Player(1, l=Player(1, information="?", a=(1,), b=(0,)), r=Player(1, information="?", a=(0,), b=(2,))), players=1, title="forgetful"
)
ABSENT_MINDED = Tree.of(Player(1, information="?", on=Player(1, information="?", on=(1,), off=(4,)), off=(0,)), players=1)


def test_imperfect_recall_names_the_two_histories() -> None:
    form = normal_form(FORGETFUL)
    assert form.matrix.shape == (4,)
    with pytest.raises(ZermeloError, match="cannot tell the node after l from the node after r"):
        form.behaviour([[F(1, 4)] * 4])


def test_an_absent_minded_player_chooses_the_same_twice() -> None:
    matrix = normal_form(ABSENT_MINDED).matrix
    assert [matrix.payoff((row,)) for row in range(2)] == [(1,), (0,)]


def test_a_form_that_is_too_large_names_the_alternative() -> None:
    with pytest.raises(ZermeloError, match="more than 1,000: use a method for trees"):
        normal_form(find("kuhn"), limit=1000)
    with pytest.raises(ZermeloError, match="plans"):
        normal_form(find("leduc"))


def test_behaviour_must_fit() -> None:
    tree = find("twolevel")
    assert isinstance(tree, Tree)
    with pytest.raises(ZermeloError, match="does not fit the tree"):
        Behaviour.of(tree, [[[1, 0]], [[1, 0]]])
    with pytest.raises(ZermeloError, match="add up to 3/2"):
        Behaviour.of(tree, [[[1, F(1, 2)]], [[1, 0], [1, 0]]])


def test_the_agent_form_has_a_player_for_every_information_set() -> None:
    tree = agent_form(find("kuhn"))
    assert tree.players == 12
    assert all(len(own) == 1 for own in information_sets(tree))


# --- subgames


def test_document_003_is_subgame_perfect_with_left_right_left() -> None:
    result = SubgamePerfect().solve(find("twolevel"))
    assert result.count == 1
    assert result.values == ((1, -1),)
    assert result.equilibria[0].behaviour.probabilities == (((1, 0),), ((0, 1), (1, 0)))
    assert len(result.subgames) == 3
    assert result.equilibria[0].line() == [0, 1, 3]


def test_ties_are_kept_for_three_players() -> None:
    tree = Tree.of(Player(1, a=Player(2, l=(1, 1, 0), r=(0, 1, 0)), b=Player(3, x=(1, 0, 2), y=(0, 0, 2))))
    result = SubgamePerfect().solve(tree)
    assert result.count == 6  # (l, x) a or b; (l, y) a; (r, x) b; (r, y) a or b
    chosen = {tuple(equilibrium.choices()[node] for node in (1, 4, 0)) for equilibrium in result.equilibria}
    assert chosen == {(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)}
    assert set(result.values) == {(1, 1, 0), (1, 0, 2), (0, 1, 0), (0, 0, 2)}
    form = normal_form(tree, reduced=False)
    for equilibrium in result.equilibria:
        assert Profile.of(form.matrix, form.mixed(equilibrium.behaviour)).regret == 0
        assert equilibrium.behaviour.value() == equilibrium.value


@pytest.mark.parametrize("name", ["kqj", "threemoves", "pruning", "threenim", "nim(heaps=(1,2))"])
def test_subgame_perfection_agrees_with_backward_induction(name: str) -> None:
    game = find(name)
    value = BackwardInduction().search(game).value
    values = SubgamePerfect().solve(game).values
    assert any((tuple(each) if isinstance(value, tuple) else each[0]) == value for each in values)
    if not isinstance(value, tuple):
        assert len(values) == 1


def test_subgames_with_hidden_information_are_solved_one_by_one() -> None:
    """Enter or stay out; after entering both choose at once, and only one of the two equilibria of that subgame makes entering right."""
    inner = {
        "A": Min(a=(3, 1), b=(0, 0), information="at once"),
        "B": Min(a=(0, 0), b=(1, 3), information="at once"),
    }
    tree = Tree.of(Max({"enter": Max(inner), "out": (2, 2)}))
    assert subgame_roots(tree) == [0, 1]
    pure = SubgamePerfect().solve(tree)
    assert {(equilibrium.value, equilibrium.choices()[0]) for equilibrium in pure.equilibria} == {((3, 1), 0), ((2, 2), 1)}
    every = SubgamePerfect("all").solve(tree)
    assert every.count == 3  # the mixed one makes staying out right
    assert any(F(3, 4) in own for equilibrium in every.equilibria for actions in equilibrium.behaviour.probabilities for own in actions)


def test_a_subgame_without_pure_equilibrium_is_named() -> None:
    pennies = Max(h=Min(h=1, t=-1, information="?"), t=Min(h=-1, t=1, information="?"))
    result = SubgamePerfect().solve(Tree.of(pennies))
    assert result.count == 0
    assert "no equilibrium in pure strategies" in result.notes[0]
    assert SubgamePerfect("all").solve(Tree.of(pennies)).values == ((0, 0),)


def test_very_many_equilibria_are_counted_and_the_first_listed() -> None:
    tied = 0
    for _ in range(8):
        tied = Max(a=tied, b=tied)  # type: ignore[assignment]
    result = SubgamePerfect(most=10).solve(Tree.of(tied))
    assert result.count == 2**255
    assert len(result.equilibria) == 10
    assert "Only the first 10" in result.notes[0]


def test_long_lines_do_not_break_it() -> None:
    line = 0
    for number in range(3000):
        line = Max(on=line, off=-number)  # type: ignore[assignment]
    assert SubgamePerfect(most=1).solve(Tree.of(line)).values == ((0, 0),)


def test_subgames_of_a_tree_of_the_literature() -> None:
    tree = read_efg(DATA / "catalog_books_myerson1991_fig4_2.efg")
    found = SubgamePerfect("all").solve(tree)
    form = normal_form(tree)
    nash = {profile.value for profile in AllEquilibria().solve(form.matrix).equilibria}
    for equilibrium in found.equilibria:
        assert Profile.of(form.matrix, form.mixed(equilibrium.behaviour)).regret == 0
    assert {equilibrium.value for equilibrium in found.equilibria} <= nash


def test_a_subgame_perfect_equilibrium_is_drawn_on_its_tree() -> None:
    from zermelo.draw import svg, text

    tree = find("twolevel")
    equilibrium = SubgamePerfect().solve(tree).equilibria[0]
    marked = equilibrium.on_tree()
    assert marked.values[:5] == [1, 1, 5, 1, -3]
    assert marked.optimal == {0: (0,), 1: (1,), 4: (0,)}
    assert marked.line == (0, 1)
    assert svg(equilibrium) == svg(BackwardInduction().search(tree))
    three = SubgamePerfect().solve(find("threenim")).equilibria[0]
    assert text(three)


# --- zermelo convert


def test_convert_goes_round(tmp_path: Path) -> None:
    runner = CliRunner()
    for source, target in [("kuhn", "kuhn.efg"), ("kuhn.efg", "kuhn.json"), ("kuhn.json", "again.efg"), ("again.efg", "kuhn.nfg")]:
        source = str(tmp_path / source) if "." in source else source
        result = runner.invoke(main, ["convert", source, str(tmp_path / target)])
        assert result.exit_code == 0, result.output
    assert "27 × 64 strategies" in result.output
    assert (tmp_path / "kuhn.efg").read_text() == (tmp_path / "again.efg").read_text()
    assert ZeroSum().solve(read_nfg(tmp_path / "kuhn.nfg")).equilibria[0].value == (F(-1, 18), F(1, 18))
    full = runner.invoke(main, ["convert", "kuhn", str(tmp_path / "full.nfg"), "--full"])
    assert "64 × 64" in full.output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["kuhn", "kuhn.txt"], "let it end in .efg, .nfg or .json"),
        (["kuhn", "kuhn.efg", "--full"], "--full is for normal forms"),
        (["missing.efg", "kuhn.nfg"], "There is no file missing.efg"),
        (["kuhn", "no-such-folder/kuhn.efg"], "cannot be written"),
        (["tictactoe", "t.efg", "--limit", "100"], "more than 100 nodes"),
    ],
)
def test_convert_refuses_in_one_sentence(arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["convert", *arguments])
    assert result.exit_code == 2
    assert sentence in result.output
