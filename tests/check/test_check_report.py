"""The report: honest about what was looked at, the same for the same seed, readable by people and machines."""

import importlib
import json
import pkgutil
from dataclasses import FrozenInstanceError, dataclass, replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import test_check_knowledge
import test_check_rules
from promised_games import LAWFUL, Bare, Coin, Counters, Ring, Road, Take

import zermelo.check
from zermelo import Game, RulesError, score
from zermelo.check import Promise, check
from zermelo.check import compiled_agreement as comparison
from zermelo.registry import find
from zermelo.results import PerftResult


def promises() -> dict[str, Promise]:
    """All that `check` knows, by name."""
    modules = [importlib.import_module(f"zermelo.check.{module.name}") for module in pkgutil.iter_modules(zermelo.check.__path__)]
    return {thing.name: thing for module in modules for thing in vars(module).values() if isinstance(thing, Promise)}


def test_every_promise_has_a_game_that_breaks_it() -> None:
    rows = [*test_check_rules.ROWS, *test_check_knowledge.ROWS]
    assert promises().keys() == {row[1] for row in rows} | {"compiled rules"}  # which is broken below


def test_every_promise_is_tested_in_some_lawful_game() -> None:
    tested = {promise.name for game in LAWFUL for promise in check(game, backend="reference").tested}
    assert tested | {"compiled rules"} == promises().keys()


# --- what was looked at


def test_a_small_game_is_looked_at_whole() -> None:
    look = check(Take(), backend="reference").look
    assert (look.exhaustive, look.states, look.ends, look.games) == (True, 10, 2, 0)


def test_a_budget_is_kept_and_told() -> None:
    look = check(Bare(100), states=20, games=3, backend="reference").look
    assert not look.exhaustive
    assert (look.games, look.unfinished) == (3, 0)
    assert look.ends >= 1
    assert look.depth < look.longest


class Late(Bare):
    """Breaks a promise where exhaustive play does not come to."""

    def utility(self, state: Counters) -> Any:
        return 2


def test_random_play_finds_what_is_far_from_the_start() -> None:
    report = check(Late(60), states=20, games=3, backend="reference")
    (finding,) = report.findings
    assert finding.promise.name == "payoffs inside the bounds"
    state = Late(60).start()
    for move in finding.moves:
        state = Late(60).result(state, ("one", "two").index(move) + 1)
    assert state.left == 0


@dataclass(frozen=True)
class Endless(Bare):
    """Counters come back forever."""

    def result(self, state: Counters, action: int) -> Counters:
        return Counters(state.left + action, 1 - state.turn)


def test_a_game_without_end_is_looked_at_within_the_budget() -> None:
    report = check(Endless(), states=50, games=2, longest=30, backend="reference")
    assert report.lawful
    assert report.look.unfinished == 2
    assert report.look.longest <= 30
    assert "No end of the game was reached, so payoffs were not looked at." in report.notes


def test_a_puzzle_is_followed_to_its_goal() -> None:
    """Neither breadth first nor at random is the goal of the 8-puzzle found; with the heuristic it is."""
    report = check(find("eightpuzzle"), states=1000, games=2, longest=50, backend="reference")
    assert report.lawful
    assert report.look.ends == 1
    assert report.look.solved > 100


class Overestimates(Road):
    """A long road: only near the goal is the estimate too high."""

    def heuristic(self, state: int) -> Any:
        return 3 if self.goal - state == 3 else super().heuristic(state)


def test_a_heuristic_is_compared_with_costs_far_from_the_start() -> None:
    report = check(Overestimates(3000), states=100, games=1, longest=10, backend="reference")
    assert report.lawful
    assert dict(report.untested) == {"heuristic against exact costs": "no end of the game was found within the budget"}
    report = check(Overestimates(150), states=100, games=1, longest=10, backend="reference")
    assert [finding.promise.name for finding in report.findings] == ["heuristic"]


# --- what could not be tested


class BoundedRing(Ring):
    def bounds(self, state: Any) -> Any:
        return score(-1, 1), score(1, 1)


def test_what_cannot_be_tested_is_told_with_the_reason() -> None:
    report = check(BoundedRing(), backend="reference")
    assert report.lawful
    reasons = dict(report.untested)
    assert reasons == {"bounds against exact scores": "states return, so a value depends on the way to it"}


class KnowingCoin(Coin):
    def candidates(self, state: Any) -> Any:
        return self.actions(state)


def test_candidates_need_a_game_without_chance_to_be_compared() -> None:
    assert ("candidates against exact scores", "chance moves") in check(KnowingCoin(), backend="reference").untested


# --- compiled rules


def test_rules_that_compile_wrongly_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(game: Game) -> Any:
        raise RulesError("`utility` is 1 interpreted and -1 compiled in Counters(left=0, turn=1): please report this", "mygame.py", 12)

    monkeypatch.setattr("zermelo.compiler.game.compiled_game", refuse)
    report = check(Bare())
    (finding,) = report.findings
    assert finding.promise.name == "compiled rules"
    assert "1 interpreted and -1 compiled" in finding.happened
    assert finding.place == "mygame.py:12"
    assert not report.untested


def test_rules_that_do_not_compile_say_why(tmp_path: Path) -> None:
    text = """
        from zermelo import Game

        class Sliding(Game):
            def start(self): return 0
            def player(self, s): return s % 2
            def actions(self, s): return [1, 2] if hash((s, 1)) else []
            def result(self, s, a): return s + hash(a)
            def terminal(self, s): return s > 5
            def utility(self, s): return 1 if s % 2 else -1
        """
    path = tmp_path / "sliding.py"
    path.write_text(dedent(text), encoding="utf-8")
    report = check(find(str(path)))
    assert report.lawful
    ((_, reason),) = report.untested
    assert "sliding.py:7" in reason
    assert "sliding.py:8" in reason


def test_a_tree_is_not_compiled() -> None:
    report = check(find("kqj"))
    assert report.lawful
    assert dict(report.untested) == {"compiled rules": "a tree has no rules that could be compiled"}


def test_the_speed_of_rules_is_estimated() -> None:
    report = check(find("connect4"), states=400, games=4)
    assert report.speed is not None
    assert min(report.speed) > 0
    assert "positions a second compiled" in report.text()


def test_compiled_rules_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    report = check(find("nim"))
    assert report.lawful, report.text()
    assert "compiled rules" in {promise.name for promise in report.tested}

    def miscount(game: Game, depth: int, state: Any, backend: str) -> PerftResult:
        right = perft(game, depth, state, backend="reference")
        return replace(right, leaves=right.leaves + 1) if backend == "compiled" and sum(state.heaps) < 12 else right

    perft = comparison.perft
    monkeypatch.setattr(comparison, "perft", miscount)
    (finding,) = check(find("nim")).findings
    assert finding.promise.name == "compiled rules"
    assert finding.moves
    assert "interpreted rules count" in finding.happened


def test_our_own_compiler_is_compared_in_every_state(monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(rules: Any, state: Any) -> str | None:
        return "`utility` is 1 interpreted and -1 compiled" if sum(state.heaps) == 0 else None

    monkeypatch.setattr("zermelo.compiler.game.difference", deep)
    (finding,) = check(find("nim")).findings
    assert finding.promise.name == "compiled rules"
    assert "-1 compiled; this is a bug in Zermelo" in finding.happened
    assert finding.moves


# --- people and machines


def test_the_same_seed_gives_the_same_report() -> None:
    game = find("connect4")
    first, second = (check(game, states=60, games=3, seed=5, backend="reference") for _ in range(2))
    assert first.to_dict() == second.to_dict()
    other = check(game, states=60, games=3, seed=6, backend="reference")
    assert other.look != first.look


def test_a_report_is_plain_data() -> None:
    report = check(Late(3), backend="reference")
    data = json.loads(json.dumps(report.to_dict()))
    assert data["lawful"] is False
    assert data["findings"] == [
        {
            "promise": "payoffs inside the bounds",
            "promised": "no player's payoff is outside the declared `payoffs`.",
            "happened": "the payoffs are (2, -2), the bounds (-1, 1)",
            "moves": ["one", "two"],
            "state": "Counters(left=0, turn=0)",
            "place": None,
        }
    ]
    assert data["looked"]["exhaustive"] is True


def test_a_report_reads_well(capsys: pytest.CaptureFixture[str]) -> None:
    text = check(Late(3), backend="reference").text()
    assert text.startswith(
        "Late(counters=3): breaks 1 promise.\n\n"
        "✗ payoffs inside the bounds\n"
        "  promised  no player's payoff is outside the declared `payoffs`.\n"
        "  happened  the payoffs are (2, -2), the bounds (-1, 1)\n"
        "  moves     one two\n"
        "  position  Counters(left=0, turn=0)\n\n"
        "looked at   all 6 states, 2 of them ends\n"
    )
    assert check(Take(), backend="reference").text().startswith("Take(counters=5): lawful, as far as checked.\n")
    assert capsys.readouterr().out == ""


def test_a_report_is_frozen() -> None:
    report = check(Bare(), backend="reference")
    with pytest.raises(FrozenInstanceError):
        report.seed = 1  # type: ignore[misc]
