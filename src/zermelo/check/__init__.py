"""Is this a lawful game? Random and exhaustive play within a budget looks for promises that the rules break.

`check(game)` prints nothing. It returns a frozen `Report`: `.lawful`, `.findings` (each with the shortest way to it that was found),
what was looked at, which promises were tested and which could not be, `.text()` and `.to_dict()`. The same seed gives the same report.
"""

import time
from random import Random

from zermelo.check import compiled_agreement, core_rules, exact, information, knowledge, presentation
from zermelo.check.examination import Examination, Test
from zermelo.check.explorer import Explorer
from zermelo.check.paths import Atlas, Position
from zermelo.check.report import Finding, Look, Promise, Report
from zermelo.errors import ZermeloError
from zermelo.rules import Game, State, has

__all__ = ["Finding", "Look", "Promise", "Report", "check"]

SUBTREE = 2000  # states that are looked at to solve one state
AGAIN = 500  # states that are asked about once more at the end


def check(
    game: Game,
    *,
    states: int = 6000,
    games: int = 40,
    longest: int = 400,
    seed: int = 0,
    backend: str = "auto",
    seconds: float | None = None,
) -> Report:
    """Look for promises that the rules of `game` break.

    states   looked at breadth first, each with all its knowledge
    games    random games beyond them, where that was not everything
    longest  actions after which a random game is broken off
    backend  "auto" also compares compiled rules with interpreted ones; "reference" leaves that out
    seconds  after which no further states are looked at; a note says so
    """
    for word, budget in (("states", states), ("games", games), ("longest", longest)):
        if budget < 1:
            raise ZermeloError(f"`{word}` is a budget of 1 or more, not {budget}.")
    exam = Examination(game, Random(seed), Atlas(game))
    if seconds is not None:
        exam.until = time.monotonic() + seconds
    run = Run(exam, states, games, longest, seed)
    with exam.guard("the declarations"):
        core_rules.declarations(exam)
    if exam.findings:  # with such declarations nothing else can be judged
        return run.report()
    start = None
    with exam.guard("start"):
        start = core_rules.start(exam)
    if start is not None:
        run.explore(start)
        if not exam.hopeless and core_rules.STATES.name not in exam.findings:
            run.ask_again()
        if backend != "reference" and not exam.findings and not exam.late:
            compiled_agreement.compare(exam)
    return run.report()


def has_cycle(atlas: Atlas) -> bool:
    """Can players bring back a position among those that were looked at? (With chance in between, play ends in time.)"""
    waiting = {position.number: 0 for position in atlas.positions}  # position → ways to it
    after = {}
    for position in atlas.positions:
        if position.weights:
            return False
        after[position.number] = [number for child in position.children if (number := atlas.numbers.get(child)) is not None]
        for number in after[position.number]:
            waiting[number] += 1
    free = [number for number, ways in waiting.items() if ways == 0]
    done = 0
    while free:
        done += 1
        for number in after[free.pop()]:
            waiting[number] -= 1
            if waiting[number] == 0:
                free.append(number)
    return done < len(waiting)


class Run:
    """The steps of one check, in order."""

    def __init__(self, exam: Examination, states: int, games: int, longest: int, seed: int) -> None:
        self.exam, self.states, self.games, self.longest, self.seed = exam, states, games, longest, seed
        self.samples = information.Samples(seed)
        self.histories = information.Histories(exam)
        self.solved = 0
        game = exam.game
        tests = [*knowledge.tests(game), *exact.tests(game), *information.tests(game), *presentation.tests(game)]
        if has(game, "sample") and has(game, "information"):
            tests.append(Test("sample", self.samples))
        self.explorer = Explorer(exam, tests)

    def explore(self, start: State) -> None:
        """States first, then what only all of them together can show."""
        exam, explorer = self.exam, self.explorer
        explorer.search(start, self.states)
        if exam.stopped:
            return
        if explorer.exhaustive:
            self.samples.compare(exam)
        else:
            explorer.play(self.games, self.longest)
            explorer.head_for_goal(self.states)
        with exam.guard("rank and unrank"):
            knowledge.numbering(exam, self.states)
        if has(exam.game, "information"):
            with exam.guard("information"):
                self.histories.walk(self.states, self.games, self.longest)
        with exam.guard("bounds and candidates"):
            self.solved = exact.compare(exam, self.small_first(), SUBTREE, self.states)
        with exam.guard("heuristic"):
            self.solved += exact.compare_heuristic(exam)

    def small_first(self) -> list[Position]:
        """Positions in the order in which it pays to solve them: those far from the start have the smaller trees."""
        return [position for position in reversed(self.exam.atlas.positions) if position.sound]

    def ask_again(self) -> None:
        """The rules must not have changed their mind."""
        for position in core_rules.asked_again(self.exam, AGAIN):
            with self.exam.guard("the six rules", position):
                core_rules.ask_again(self.exam, position)

    def report(self) -> Report:
        exam, explorer = self.exam, self.explorer
        sound = [position for position in exam.atlas.positions if position.sound]
        if exam.late:
            exam.notes.append("The time was over before everything was looked at: `time=` gives more.")
        ends = sum(1 for position in sound if position.terminal)
        if sound and not ends:
            exam.notes.append("No end of the game was reached, so payoffs were not looked at.")
        dead = sum(1 for position in sound if position.dead_end)
        if dead:
            exam.notes.append(f"{dead:,} dead ends, in which nothing can be done before the end: they are lost.")
        if sound and exam.game.repetition is None and exam.game.players > 1 and has_cycle(exam.atlas):
            exam.notes.append('Positions return, and play need not end: declare `repetition`, such as "draw", or searches need --depth.')
        look = Look(
            states=len(sound),
            depth=explorer.depth,
            exhaustive=explorer.exhaustive,
            ends=ends,
            games=explorer.games,
            unfinished=explorer.unfinished,
            longest=explorer.longest,
            histories=self.histories.visits,
            solved=self.solved,
        )
        findings, tested = tuple(exam.findings.values()), tuple(exam.tested.values())
        return Report(repr(exam.game), findings, look, tested, tuple(exam.untested.items()), tuple(exam.notes), self.seed, exam.speed)
