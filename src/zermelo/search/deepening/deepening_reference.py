"""Iterative deepening on any game, in plain Python: what `zermelo.search.deepening.deepening_kernel` does, for rules that do not compile.

It searches by the same rules, switch by switch, and proves the same. It has one thread, and looks at its limits so often that it stops
in time even where a single state takes a millisecond.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.engine.oracle import Oracle
from zermelo.engine.twins import has_twins
from zermelo.errors import no_actions
from zermelo.limits import Limits, Watch
from zermelo.rules import MAX, Action, Game, State, ask, draw_value, endless_value, has, simple_payoff
from zermelo.scores import LONGEST, Score, leaf, lift, lower, unpack
from zermelo.search.deepening.findings import RootFound
from zermelo.search.plan import endless_error, lost_payoff
from zermelo.search.recursion import Recursion, run
from zermelo.search.reference_search import actions_of, checked, estimate, mover_in
from zermelo.search.reference_table import Bound, Entry, Table

if TYPE_CHECKING:
    from zermelo.search.deepening.deepening import Deepening

__all__ = ["DeepeningReference"]

DEFAULT_MEMORY = 64 << 20  # bytes
LOOK = 8  # nodes between two looks at the limits
LATE = 3  # actions that are tried before others are reduced
DEEP = 7  # actions to go from which on late ones are reduced once more
NULL_DEPTH, NULL_LESS, NULL_SHARE = 3, 2, 4  # doing nothing is searched by NULL_LESS and one NULL_SHARE-th of the depth less
FORESEEING_DEPTH = 4  # actions to go from which on foresight pays
MOST_HISTORY = 1 << 10  # what an action has cut off stays within plus and minus this, and older cut-offs count for less and less
MARGIN = 2.0**-38  # of the largest payoff: estimates stay so far inside, so that none passes for a proven win

LEAST, MOST = Score(float("-inf"), 0), Score(float("inf"), 0)


class Finding(NamedTuple):
    """A state's score for Max, and what is proven about it: that the true score is at least this, and at most this."""

    score: Score
    sure_low: bool = False
    sure_high: bool = False
    reach: int = LONGEST  # the lowest ply that a repetition below the state came back to
    forbidden: bool = False  # no action may lead to this state


class Visit(NamedTuple):
    """A state, and how the search got there."""

    state: State
    depth: int  # actions to go; below 0 in quiescence
    ply: int
    mover: int | None = None  # whose action led here
    after_pass: bool = False


class Known(NamedTuple):
    """What is known of a state before its actions are tried."""

    least: Score
    most: Score
    settled: Finding | None = None
    first: Action | None = None  # try this action first


class DeepeningReference:
    """One search of a state. Counts are of everything since it was made."""

    backend = "reference"

    def __init__(
        self,
        request: "Deepening",
        game: Game,
        state: State,
        legal: Sequence[Action],
        history: Sequence[State],
        limits: Limits | None,
        oracle: Oracle | None = None,
        sure: bool = True,  # does what the oracle says hold on every line?
    ) -> None:
        self.request, self.game, self.state = request, game, state
        self.oracle, self.sure = oracle, sure
        self.draw = draw_value(game)
        self.mover = game.player(state)
        self.order = list(legal)
        self.returning = game.repetition is not None
        self.doubting = self.returning or has(game, "outline")  # what the table knows proves nothing
        self.symmetric = request.symmetry and has(game, "canonical") and has_twins(game, state)
        self.before = dict.fromkeys(history, -1) if self.returning else {}
        self.on_line: dict[State, int] = {}
        self.table = Table(DEFAULT_MEMORY if request.memory is None else request.memory)
        self.killers: dict[int, list[Action]] = {}
        self.rewards: dict[tuple[int, Action], int] = {}
        self.answers: dict[Action, RootFound] = {}
        self.nodes = self.table_hits = self.oracle_hits = self.judged = self.target = 0
        self.strict = False
        self.watch = Watch(limits)

    # --- for the root

    def iterate(self, depth: int, strict: bool = False) -> None:
        """Searches the root's actions to a depth."""
        self.target, self.strict, self.judged = depth, strict, 0
        self.on_line = {**self.before, self.state: 0} if self.returning else {}
        self.watch.look(self.nodes)
        best = LEAST if self.mover == MAX else MOST
        for number, action in enumerate(self.order):
            alpha, beta = (LEAST, MOST) if not self.request.textbook else (best, MOST) if self.mover == MAX else (LEAST, best)
            visit = Visit(self.game.result(self.state, action), depth - 1, 1, self.mover)
            if self.request.textbook and self.request.windows and number > 0:
                near = self.narrowed(alpha, beta)
                finding = run(self.visit(visit, *self.below(near)))
                score = lift(finding.score, self.draw)
                if alpha < score < beta:  # better than all before: that counts even if there is no time left to see by how much
                    self.answers[action] = RootFound(action, score, finding.sure_low, finding.sure_high, depth, False)
                    finding = run(self.visit(visit, *self.below((alpha, beta))))
            else:
                finding = run(self.visit(visit, *self.below((alpha, beta))))
            score = lift(finding.score, self.draw)
            inside = alpha < score < beta
            self.answers[action] = RootFound(action, score, finding.sure_low, finding.sure_high, depth, inside)
            best = max(best, score) if self.mover == MAX else min(best, score)

    def narrowed(self, alpha: Score, beta: Score) -> tuple[Score, Score]:
        """The null window on the side of the player to move at the root."""
        return (alpha, next_up(alpha)) if self.mover == MAX else (next_down(beta), beta)

    def found(self) -> list[RootFound]:
        """What is known about every action of the root, in the order in which they are searched."""
        return [self.answers[action] for action in self.order if action in self.answers]

    def promote(self, action: Action) -> None:
        """From now on this action of the root is searched first."""
        self.order.remove(action)
        self.order.insert(0, action)

    def miscompiled(self, states: Sequence[State]) -> bool:
        return False

    def recommended(self, state: State) -> Action | None:
        """The action that the table knows for a state."""
        key, symmetry = self.identity(state)
        entry = self.table.probe(key)
        if entry is None or entry.action is None:
            return None
        return next((action for action in self.game.actions(state) if self.imaged(action, symmetry) == entry.action), None)

    # --- the search

    def below(self, window: tuple[Score, Score]) -> tuple[Score, Score]:
        """A window as the state after an action must see it."""
        return lower(window[0], self.draw), lower(window[1], self.draw)

    def visit(self, here: Visit, alpha: Score, beta: Score) -> Recursion[Finding]:
        """What is found about a state.

        value <= alpha  →  an upper bound <= alpha
        value >= beta   →  a lower bound >= beta
        """
        if self.nodes % LOOK == 0 or self.nodes == self.watch.limits.nodes:
            self.watch.look(self.nodes)
        self.nodes += 1
        state = here.state
        if self.game.terminal(state):
            return Finding(leaf(checked(self.game, simple_payoff(self.game, state))), True, True)
        player = mover_in(self.game, state, "deepening")
        if here.ply > LONGEST:
            raise endless_error(self.game, None)
        if self.returning and not here.after_pass and state in self.on_line:
            return self.repeated(here)
        if self.oracle is not None and (told := self.oracle.score(state)) is not None:
            self.oracle_hits += 1
            return Finding(told, self.sure, self.sure)
        known = self.consult(here, alpha, beta)
        if known.settled is not None:
            return known.settled
        judgement: Score | None = None
        if here.depth <= 0:
            judgement = min(max(self.judge(state), known.least), known.most)
            good = judgement >= beta if player == MAX else judgement <= alpha
            if good or -here.depth >= self.request.quiescence or not has(self.game, "quiet") or ask(self.game, "quiet", state):
                return Finding(judgement)
        elif self.may_pass(here, player, alpha, beta):
            finding = yield self.visit(self.passing(here, player), alpha, beta)
            if finding.score >= beta if player == MAX else finding.score <= alpha:
                return Finding(beta if player == MAX else alpha)
        answer: Finding = yield self.tried(here, player, alpha, beta, known, judgement)
        return answer

    def tried(self, here: Visit, player: int, alpha: Score, beta: Score, known: Known, judgement: Score | None) -> Recursion[Finding]:
        """The finding after the state's actions have been tried."""
        actions = self.moves(here, player, known.first)
        loud = self.loud(here, actions)
        if (seen := self.foreseen(here, player, alpha, beta, actions)) is not None:
            return seen
        extended = self.request.extensions and here.depth > 0 and here.ply < 2 * self.target
        deeper = here.depth if extended and self.is_forced(here.state, actions) else here.depth - 1
        window, best, best_action, reach = (alpha, beta), judgement, None, LONGEST
        sure: Score | None = None  # the best proven bound for the mover, and whether all are bounded on the other side
        bounded, cut, tried = len(loud) == len(actions), False, 0
        earlier = self.on_line.get(here.state)
        if self.returning:
            self.on_line[here.state] = here.ply
        for action in loud:
            finding = yield self.child(here, action, player, window, beta if player == MAX else alpha, deeper, tried)
            if finding.forbidden:
                reach = min(reach, finding.reach)
                continue
            tried += 1
            score, reach = lift(finding.score, self.draw), min(reach, finding.reach)
            near, far = (finding.sure_low, finding.sure_high) if player == MAX else (finding.sure_high, finding.sure_low)
            if near and (sure is None or better(player, score, sure)):
                sure = score
            bounded = bounded and far
            if best is None or better(player, score, best):
                best, best_action = score, action
            window = (max(window[0], best), window[1]) if player == MAX else (window[0], min(window[1], best))
            if window[0] >= window[1]:
                cut = True
                self.reward(action, player, here)
                self.punish(actions[: actions.index(action)], player, here)
                break
        if self.returning:
            self.leave(here.state, earlier)
        if best is None:  # all were forbidden
            return Finding(leaf(lost_payoff(self.game, player)), True, True, reach)
        proven = sure is not None and not better(player, best, sure)
        finding = concluded(player, best, proven, bounded and not cut, known)._replace(reach=reach if reach < here.ply else LONGEST)
        if reach >= here.ply:
            self.remember(here, finding, alpha, beta, best_action)
        return finding

    def loud(self, here: Visit, actions: list[Action]) -> list[Action]:
        """Beyond the depth only actions that `order` puts above 0, where there are any: captures, say."""
        order = getattr(self.game, "order", None) if self.request.ordering else None
        if here.depth > 0 or order is None:
            return actions
        return [action for action in actions if order(here.state, action) > 0] or actions

    def leave(self, state: State, earlier: int | None) -> None:
        """The state is not on the line any more, unless it was before."""
        if earlier is None:
            del self.on_line[state]
        else:
            self.on_line[state] = earlier

    def child(
        self, here: Visit, action: Action, player: int, window: tuple[Score, Score], far: Score, deeper: int, tried: int
    ) -> Recursion[Finding]:
        """One action, with a null window and less deeply first where that is asked for."""
        state = self.game.result(here.state, action)
        less = 0
        if self.request.reductions and tried >= LATE and here.depth >= 3:
            less = (1 if tried < 3 * LATE else 2) + (here.depth >= DEEP)
        near = window
        if self.request.windows and tried > 0:
            near = (window[0], next_up(window[0])) if player == MAX else (next_down(window[1]), window[1])
        while True:
            finding: Finding = yield self.visit(Visit(state, deeper - less, here.ply + 1, player), *self.below(near))
            if finding.forbidden:
                self.nodes -= 1
                return finding
            score = lift(finding.score, self.draw)
            fails = score <= window[0] if player == MAX else score >= window[1]
            passes = score >= far if player == MAX else score <= far
            proven = finding.sure_low if player == MAX else finding.sure_high
            if fails or (less == 0 and (near == window or passes)) or (passes and proven):
                return finding
            less, near = 0, window

    # --- what is known before

    def consult(self, here: Visit, alpha: Score, beta: Score) -> Known:
        """Bounds of the rules and of the table; settled where they answer."""
        least, most, first = self.range_of(here.state)
        settled = decided(least, most, alpha, beta)
        if settled is not None or here.depth <= 0 or not self.table.room:
            return Known(least, most, settled)
        key, symmetry = self.identity(here.state)
        entry = self.table.probe(key)
        if entry is None:
            return Known(least, most)
        if entry.action is not None:
            first = next((action for action in self.game.actions(here.state) if self.imaged(action, symmetry) == entry.action), None)
        low, high = (entry.sure & 1 > 0, entry.sure & 2 > 0) if not self.doubting else (False, False)
        score = entry.value
        deep = not self.strict and entry.remaining is not None and entry.remaining >= here.depth
        if (
            (low and high)
            or (score >= beta and (low or (deep and entry.bound is not Bound.UPPER)))
            or (score <= alpha and (high or (deep and entry.bound is not Bound.LOWER)))
            or (deep and entry.bound is Bound.EXACT)
        ):
            self.table_hits += 1
            return Known(least, most, Finding(score, low, high))
        return Known(max(least, score) if low else least, min(most, score) if high else most, None, first)

    def range_of(self, state: State) -> tuple[Score, Score, None]:
        """Proven bounds of a state's score."""
        least, most = LEAST, MOST
        if self.game.payoffs is not None:
            low, high = self.game.payoffs
            least, most = lift(leaf(low), self.draw), lift(leaf(high), self.draw)
        if self.request.knowledge and has(self.game, "bounds"):
            packed = ask(self.game, "bounds", state)
            least, most = max(least, unpack(packed[0], self.draw)), min(most, unpack(packed[1], self.draw))
        return least, most, None

    def judge(self, state: State) -> Score:
        """The score that `evaluate` gives, a little inside the payoffs."""
        self.judged += 1
        value = checked(self.game, estimate(self.game, state))
        if self.game.payoffs is not None:
            low, high = self.game.payoffs
            margin = MARGIN * max(abs(low - self.draw), abs(high - self.draw))
            value = min(max(value, low + margin), high - margin)
        return leaf(value)

    def repeated(self, here: Visit) -> Finding:
        """The finding of a state that was on the line before."""
        reach = self.on_line[here.state]
        if self.game.repetition == "forbidden":
            return Finding(LEAST, reach=reach, forbidden=True)
        payoff = endless_value(self.game)
        if payoff is not None or here.mover is None:
            return Finding(leaf(self.draw if payoff is None else payoff), True, True, reach)
        return Finding(leaf(lost_payoff(self.game, here.mover)), True, True, reach)

    # --- passing, foresight, the table

    def may_pass(self, here: Visit, player: int, alpha: Score, beta: Score) -> bool:
        """Is doing nothing tried first?"""
        if not self.request.null_move or self.strict or here.after_pass or here.depth < NULL_DEPTH or not has(self.game, "passed"):
            return False
        if next_up(alpha) != beta:
            return False
        other = ask(self.game, "passed", here.state)
        return not self.game.terminal(other) and self.game.player(other) == 1 - player

    def passing(self, here: Visit, player: int) -> Visit:
        other = ask(self.game, "passed", here.state)
        return Visit(other, here.depth - 1 - NULL_LESS - here.depth // NULL_SHARE, here.ply + 1, player, after_pass=True)

    def foreseen(self, here: Visit, player: int, alpha: Score, beta: Score, actions: Sequence[Action]) -> Finding | None:
        """What the table knows about the children, where that is good enough for the mover."""
        if not self.request.foresight or here.depth < FORESEEING_DEPTH or not self.table.room:
            return None
        for action in actions:
            child = self.game.result(here.state, action)
            if self.game.terminal(child):
                continue
            entry = self.table.probe(self.identity(child)[0])
            if entry is None:
                continue
            score = lift(entry.value, self.draw)
            sure = entry.sure & (1 if player == MAX else 2) > 0 and not self.doubting
            worse = Bound.UPPER if player == MAX else Bound.LOWER
            deep = not self.strict and entry.remaining is not None and entry.remaining >= here.depth - 1 and entry.bound is not worse
            if (score >= beta if player == MAX else score <= alpha) and (sure or deep):
                self.table_hits += 1
                return Finding(score, sure and player == MAX, sure and player != MAX)
        return None

    def identity(self, state: State) -> tuple[Any, Any]:
        """What the table knows the state by, and the symmetry that leads there."""
        symmetry = None
        if self.symmetric:
            state, symmetry = ask(self.game, "canonical", state)
        key = getattr(self.game, "outline", None) or getattr(self.game, "key", None)
        return state if key is None else key(state), symmetry

    def imaged(self, action: Action, symmetry: Any) -> Action | None:
        """The action of the canonical state; None where the game does not say."""
        if symmetry is None:
            return action
        return ask(self.game, "image", action, symmetry) if has(self.game, "image") else None

    def remember(self, here: Visit, finding: Finding, alpha: Score, beta: Score, action: Action | None) -> None:
        """Keeps what was found about a state that was searched with this window."""
        if here.depth <= 0 or not self.table.room:
            return
        score = finding.score
        bound = Bound.UPPER if score <= alpha else Bound.LOWER if score >= beta else Bound.EXACT
        key, symmetry = self.identity(here.state)
        useless = score <= alpha if self.game.player(here.state) == MAX else score >= beta
        kept = None if action is None or useless else self.imaged(action, symmetry)
        self.table.store(key, Entry(here.depth, bound, score, kept, finding.sure_low + 2 * finding.sure_high))

    # --- actions

    def moves(self, here: Visit, player: int, first: Action | None) -> list[Action]:
        """The actions to try, in the order to try them: the table's first, then as the switches say: `order`, killers, history.

        Beyond the depth `order` alone decides, where there is one.
        """
        game, state = self.game, here.state
        informed = self.request.knowledge and has(game, "candidates")
        actions = (list(ask(game, "candidates", state)) if informed else []) or actions_of(game, state)
        if not actions:
            raise no_actions(game, state)
        order = getattr(game, "order", None) if self.request.ordering else None
        killers = self.killers.get(here.ply, []) if self.request.killers else []

        def rank(action: Action) -> tuple[int, int, int, int]:
            if order is not None and here.depth <= 0:
                return (0, order(state, action), 0, 0)
            if action == first:
                return (3, 0, 0, 0)
            killing = 2 - killers.index(action) if action in killers else 0
            if killing and self.request.killers == 2:
                return (killing, 0, 0, 0)
            wanted = order(state, action) if order is not None else 0
            reward = self.rewards.get((player, action), 0) if self.request.history else 0
            return (0, reward, wanted, killing) if self.request.history == 2 else (0, wanted, killing, reward)

        return sorted(actions, key=rank, reverse=True)

    def is_forced(self, state: State, actions: Sequence[Action]) -> bool:
        """Do the rules leave one action only? A single candidate among several actions is no such thing."""
        return len(actions) == 1 and len(actions_of(self.game, state)) == 1

    def reward(self, action: Action, player: int, here: Visit) -> None:
        """Remembers an action that cut off."""
        if here.depth <= 0:
            return
        killers = self.killers.setdefault(here.ply, [])
        if action not in killers[:1]:
            killers.insert(0, action)
            del killers[2:]
        old = self.rewards.get((player, action), 0)
        self.rewards[player, action] = old + weight(here.depth) * (MOST_HISTORY - old) // MOST_HISTORY

    def punish(self, actions: Sequence[Action], player: int, here: Visit) -> None:
        """Remembers actions that were tried in vain before one that cut off."""
        for action in actions if here.depth > 0 else ():
            old = self.rewards.get((player, action), 0)
            self.rewards[player, action] = old - weight(here.depth) * (MOST_HISTORY + old) // MOST_HISTORY


def weight(depth: int) -> int:
    """What a cut-off so many actions before the horizon counts in the history."""
    return min(depth * depth, MOST_HISTORY // 2)


# --- scores


def next_up(score: Score) -> Score:
    """The smallest score above."""
    return Score(score.value, score.soon + 1)


def next_down(score: Score) -> Score:
    """The largest score below."""
    return Score(score.value, score.soon - 1)


def better(player: int, score: Score, other: Score) -> bool:
    """Does this player prefer the first score?"""
    return score > other if player == MAX else score < other


def decided(least: Score, most: Score, alpha: Score, beta: Score) -> Finding | None:
    """The finding of a state whose score is between these, where that leaves no question."""
    if least >= beta or least == most:
        return Finding(least, True, least == most)
    if most <= alpha:
        return Finding(most, False, True)
    return None


def concluded(player: int, best: Score, near: bool, far: bool, known: Known) -> Finding:
    """The finding from the mover's best score, kept inside what is known; `near`: it is proven that there is as much, `far`: no more."""
    low, high = (near, far) if player == MAX else (far, near)
    if best <= known.least:
        low, high = True, high and best == known.least
        best = known.least
    if best >= known.most:
        low, high = low and best == known.most, True
        best = known.most
    return Finding(best, low, high)
