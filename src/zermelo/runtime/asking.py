"""Rules that only some kernels ask: `canonical`, `image`, `quiet`, `passed`, `rest`. A search is better with them and right without them.

So one that does not compile, or says something else compiled than interpreted, is left out, and a sentence tells the user; the other
rules stay compiled. What was found about a game is remembered for the process, and that rules agree for later ones too.
"""

import random
from typing import Any

import numpy as np

from zermelo.compiler.game import CompiledGame
from zermelo.errors import RulesError
from zermelo.rules import CHANCE, Game, State

__all__ = ["knowing", "random_sample"]

POSITIONS = 60  # states that are compared on first use
SEED = 1913

Asked = tuple[CompiledGame, tuple[str, ...]]
found: dict[tuple[Game, str, tuple[str, ...]], tuple[CompiledGame, Asked]] = {}  # by game, family, rules: for which compiled ones, and what


def knowing(compiled: CompiledGame, game: Game, family: str, rules: tuple[str, ...]) -> Asked:
    """The compiled game with those of the rules that it has and that can be trusted, its kernels ready; and what the user should know."""
    given = tuple(rule for rule in rules if callable(getattr(game, rule, None)))
    if not given:
        compiled.ready(family)
        return compiled, ()
    before = found.get((game, family, given))
    if before is not None and before[0] is compiled:
        return before[1]
    answer = tested(compiled, game, family, given)
    found[game, family, given] = compiled, answer
    return answer


def tested(compiled: CompiledGame, game: Game, family: str, rules: tuple[str, ...]) -> Asked:
    """The same, for rules that the game has: one by one where not all of them work together."""
    notes: list[str] = []
    kept = rules
    while kept:
        asking, culprit, reason = attempt(compiled, game, family, kept)
        if culprit is None:
            return asking, tuple(notes)
        notes.append(f"The compiled search does without `{culprit}`, because {reason}.")
        kept = tuple(rule for rule in kept if rule != culprit and not (culprit == "canonical" and rule == "image"))
    compiled.ready(family)
    return compiled, tuple(notes)


def attempt(compiled: CompiledGame, game: Game, family: str, rules: tuple[str, ...]) -> tuple[CompiledGame, str | None, str]:
    """(compiled game, which of the rules is to blame, why)."""
    for number, rule in enumerate(rules):  # find the one that stands in the way first
        try:
            asking = compiled.asking(*rules[: number + 1])
        except RulesError as error:
            return compiled, rule, f"it cannot be compiled: {error}"
    try:
        module = asking.ready(family)
    except RulesError as error:
        return compiled, *asking.blamed(rules, error)
    difference = compared(asking, game, family, module, rules)
    return (compiled, *difference) if difference else (asking, None, "")


def compared(asking: CompiledGame, game: Any, family: str, module: Any, rules: tuple[str, ...]) -> tuple[str, str] | None:
    """The first rule that says something else compiled than interpreted, and what; None where there is none."""
    if asking.backend == "interned" or asking.get("agree", family):  # interpreted, or compared by an earlier process
        return None
    work = np.zeros(asking.words + module.LABEL, np.int64)
    dice = random.Random(SEED)
    for state in random_sample(asking, POSITIONS):
        if game.terminal(state) or game.player(state) == CHANCE:
            continue
        action = dice.choice(list(game.actions(state)))
        expected = interpreted(game, state, action, rules)
        try:
            work[: asking.words] = asking.row(state)
            module.label(0, asking.word(action), asking.words, work)
        except Exception as error:
            return rules[0], f"compiled rules raise {type(error).__name__} in {state!r}"
        label = work[asking.words :]
        said = {
            "quiet": bool(label[module.LABEL_QUIET]),
            "canonical": (asking.state(label[module.LABEL_TWIN :]), int(label[module.LABEL_SYMMETRY])) if "canonical" in rules else None,
            "image": asking.action(label[module.LABEL_IMAGE]) if "image" in rules else None,
            "passed": asking.state(label[module.LABEL_PASSED :]) if "passed" in rules else None,
            "rest": (asking.state(label[module.LABEL_REST :]), int(label[module.LABEL_LEAD]) / 2) if "rest" in rules else None,
        }
        for rule, answer in expected.items():
            if answer != said[rule]:
                return rule, f"it is {answer!r} interpreted and {said[rule]!r} compiled in {state!r}"
    asking.put(True, "agree", family)
    return None


def random_sample(compiled: CompiledGame, count: int) -> list[State]:
    """Some of the states that random games have shown."""
    states = compiled.program.states
    return random.Random(SEED).sample(states, min(count, len(states)))


def interpreted(game: Any, state: State, action: int, rules: tuple[str, ...]) -> dict[str, Any]:
    """What the user's own methods say."""
    said: dict[str, Any] = {}
    if "quiet" in rules:
        said["quiet"] = bool(game.quiet(state))
    if "canonical" in rules:
        said["canonical"] = game.canonical(state)
        if "image" in rules:
            said["image"] = game.image(action, said["canonical"][1])
    if "passed" in rules:
        said["passed"] = game.passed(state)
    if "rest" in rules:
        said["rest"] = game.rest(state)
    return said
