"""Kernel template: self-play that learns the weights of a linear evaluation, matches between evaluations, and choices of moves.

Weights are numbers in an array: they change while the kernel runs, and nothing is compiled again. The reference backend runs the kernel
as plain Python, where `contents` reads the cells of the state itself.

Values are Max's payoffs, moved and scaled so that `payoffs` become -1 and 1. An evaluation is named by the place of its weights in
`figures`: its value is tanh(sum of weight × feature). HAND stands for the game's own `evaluate`, BLIND for moves at random.

A *pattern* is a few cells of the board. What they hold, read from the words of the state as one number, chooses a weight from the
pattern's table; each player to move has tables of their own. So the features of a state are FEATURES numbers and PATTERNS ones.
"""

from zermelo.engine.vocabulary import (
    DRAW,
    HAS_FEATURES,
    HAS_ORDER,
    WORDS,
    Ints,
    Reals,
    Row,
    State,
    actions,
    as_int,
    as_u64,
    decode,
    encode,
    evaluate,
    features,
    kernel,
    math,
    max_payoff,
    np,
    order,
    part,
    player,
    result,
    start,
    store_numbers,
    terminal,
)
from zermelo.search.montecarlo.kernels.random_kernel import GOLDEN, below, fraction, mixed

# --- the head of `work`
FEATURES = 0  # numbers that `features` gives; 0 where patterns are used alone
PATTERNS = 1
PATTERN_BITS = 2  # of a pattern: its table has 2 ** PATTERN_BITS weights
READS = 3  # where (word, bit) of every bit of every pattern begin in `work`
STACK = 4  # where the root's frame begins
DEPTH = 5  # of the searches of self-play
LEAVES = 6  # 1: the gradient is taken at the leaf of the best line (TDLeaf), 0: at the position itself (TD)
OPENING = 7  # the most moves at random with which a game of self-play begins
LONGEST_GAME = 8  # moves, after which a game counts as drawn
CODE = 9  # RUNNING, or what is wrong
PLAYED = 10  # games of self-play that are done
NODES = 11  # states that were visited
FAULT = 12  # the state to which CODE belongs
HEAD = FAULT + WORDS

RUNNING, ROOM, NO_ACTIONS, NO_NUMBER, NO_PLAYER = range(5)

# --- figures
MIDDLE = 0  # of the payoffs
HALF = 1  # of their range
LAMBDA = 2
EXPLORATION = 3  # share of moves at random
SCRATCH = 4  # the features of a state; weights follow

HAND, BLIND = 0, -1  # evaluations without weights

# --- a frame
STATE = 0
LEAF = WORDS  # the last state of the best line
OVER = 2 * WORDS  # 1 where the game is over in it
BEST = OVER + 1  # the best action
COUNT = OVER + 2
MOVES = OVER + 3  # (action, rank); the next frame follows

BEYOND = 2.0  # every value

SIGNATURES = {
    "train": "(int64, int64, int64, int64[::1], float64[::1], int64, float64[::1], float64[::1], float64[::1], int64[::1], float64[::1])",
    "contest": "(int64, int64, int64, int64, int64, int64, int64, int64, int64[::1], float64[::1], float64[::1])",
    "choose": "(int64[::1], int64, int64, int64[::1], float64[::1], int64[::1], float64[::1])",
    "describe": "(int64[::1], int64[::1], float64[::1])",
}


# --- the evaluation


@part
def give_up(code: int, state: State, work: Ints) -> None:
    """Notes what is wrong, and where; the first fault stands."""
    if work[CODE] == RUNNING:
        work[CODE] = code
        encode(state, work, FAULT)


@part
def contents(number: int, at: int, work: Ints) -> int:
    """What the cells of a pattern hold in the state at work[at], as a number."""
    read = work[READS] + 2 * number * work[PATTERN_BITS]
    code = as_int(0)
    for _ in range(work[PATTERN_BITS]):
        code = code << 1 | (work[at + work[read]] >> work[read + 1] & 1)
        read += 2
    return code


@part
def weight_of(number: int, at: int, who: int, work: Ints) -> int:
    """The place of the weight that a pattern chooses, counted from the evaluation's first."""
    return work[FEATURES] + ((who * work[PATTERNS] + number) << work[PATTERN_BITS]) + contents(number, at, work)


@part
def judged(at: int, judge: int, work: Ints, figures: Reals) -> float:
    """The value that an evaluation gives the state at work[at]."""
    state = decode(work, at)
    if judge == HAND:
        return (float(evaluate(state)) - figures[MIDDLE]) / figures[HALF]
    total = 0.0
    if HAS_FEATURES and work[FEATURES] > 0:
        store_numbers(features(state), figures, SCRATCH)
        for i in range(work[FEATURES]):
            total += figures[judge + i] * figures[SCRATCH + i]
    if work[PATTERNS] > 0:
        who = player(state)
        for number in range(work[PATTERNS]):
            total += figures[judge + weight_of(number, at, who, work)]
    if not abs(total) < np.inf:
        give_up(NO_NUMBER, state, work)
    return math.tanh(total)


@part
def payoff_at_end(state: State, figures: Reals) -> float:
    """The value of a state in which the game is over."""
    return (float(max_payoff(state)) - figures[MIDDLE]) / figures[HALF]


# --- the search


@part
def list_moves(state: State, at: int, work: Ints, ordered: bool) -> int:
    """Lays down the actions behind a frame, by `order` where that is asked for; how many there are, or -1 where there is no room."""
    base = at + MOVES
    count = as_int(0)
    for action in actions(state):
        place = base + 2 * count
        if place + 2 + MOVES > len(work):
            return as_int(-1)
        rank = as_int(0)
        if HAS_ORDER and ordered:
            rank = order(state, action)
            while place > base and work[place - 1] < rank:
                work[place] = work[place - 2]
                work[place + 1] = work[place - 1]
                place -= 2
        work[place] = as_int(action)
        work[place + 1] = rank
        count += 1
    return count


@part
def shuffle(at: int, count: int, word: np.uint64, work: Ints) -> None:
    """Puts the actions behind a frame into a random order."""
    for last in range(count - 1, 0, -1):
        word += GOLDEN
        one, other = at + MOVES + 2 * below(mixed(word), last + 1), at + MOVES + 2 * last
        work[one], work[other] = work[other], work[one]


@part
def settle(at: int, over: int, work: Ints) -> None:
    """The state itself is the end of its best line."""
    for i in range(WORDS):
        work[at + LEAF + i] = work[at + STATE + i]
    work[at + OVER] = over


@kernel
def visit(at: int, depth: int, low: float, high: float, word: np.uint64, judge: int, work: Ints, figures: Reals) -> float:
    """The value of the state in the frame at work[at], `depth` actions deep, exact inside the window from `low` to `high`.

    Leaves the best action and the last state of the best line in the frame. With a random `word` other than 0 the actions are tried in
    a random order, so that chance decides between equals.
    """
    work[NODES] += 1
    state = decode(work, at + STATE)
    if terminal(state):
        settle(at, 1, work)
        return payoff_at_end(state, figures)
    if depth == 0:
        settle(at, 0, work)
        return judged(at + STATE, judge, work, figures)
    who = player(state)
    if who != 0 and who != 1:
        give_up(NO_PLAYER, state, work)
        return 0.0
    shuffled = word != np.uint64(0)
    count = list_moves(state, at, work, not shuffled)
    child = at + MOVES + 2 * count
    if count <= 0 or child + MOVES > len(work):
        give_up(NO_ACTIONS if count == 0 else ROOM, state, work)
        return 0.0
    work[at + COUNT] = count
    if shuffled:
        shuffle(at, count, word, work)
    best = -BEYOND if who == 0 else BEYOND
    for number in range(count):
        action = work[at + MOVES + 2 * number]
        encode(result(state, action), work, child + STATE)
        value = visit(child, depth - 1, low, high, np.uint64(0), judge, work, figures)
        if work[CODE] != RUNNING:
            return 0.0
        if value > best if who == 0 else value < best:
            best = value
            work[at + BEST] = action
            for i in range(WORDS + 1):  # LEAF and OVER
                work[at + LEAF + i] = work[child + LEAF + i]
            if who == 0:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                break
    return best


# --- learning


@part
def adjust(place: int, change: float, weights: int, figures: Reals, steps: Reals, net: Reals, gross: Reals) -> None:
    """Moves a weight. Its step shrinks where earlier changes have cancelled out (temporal coherence; Beal and Smith, 1999)."""
    coherence = abs(net[place]) / gross[place] if gross[place] > 0.0 else 1.0
    figures[weights + place] += steps[place] * coherence * change
    net[place] += change
    gross[place] += abs(change)


@part
def learn_from(at: int, signal: float, weights: int, work: Ints, figures: Reals, steps: Reals, net: Reals, gross: Reals) -> None:
    """Moves all weights that count in the state at work[at], along the gradient of its value."""
    state = decode(work, at)
    if HAS_FEATURES and work[FEATURES] > 0:
        store_numbers(features(state), figures, SCRATCH)
        for i in range(work[FEATURES]):
            adjust(i, signal * figures[SCRATCH + i], weights, figures, steps, net, gross)
    if work[PATTERNS] > 0:
        who = player(state)
        for number in range(work[PATTERNS]):
            adjust(weight_of(number, at, who, work), signal, weights, figures, steps, net, gross)


@part
def random_move(state: State, at: int, word: np.uint64, work: Ints) -> int:
    """Any action; UNKNOWN faults are noted."""
    count = list_moves(state, at, work, False)
    if count <= 0:
        give_up(NO_ACTIONS if count == 0 else ROOM, state, work)
        return as_int(0)
    return work[at + MOVES + 2 * below(mixed(word), count)]


@kernel
def train(
    first: int,
    games: int,
    seed: int,
    work: Ints,
    figures: Reals,
    weights: int,
    steps: Reals,
    net: Reals,
    gross: Reals,
    trail: Ints,
    values: Reals,
) -> None:
    """Plays games of self-play and learns from each when it is over.

    steps, net, gross  [weight]         the size of a step; the sum of all changes asked for so far; the sum of their sizes
    trail              [move, WORDS+2]  the state whose value counts, is the game over in it, and was the move one at random
    values             [move]           its value; behind the last the outcome

    Game n draws its random numbers from stream n of the seed, so that it matters to nobody where a run was interrupted. Comes back early
    with a CODE; PLAYED games are done by then, and weights are those after the last of them.
    """
    root = work[STACK]
    record = WORDS + 2
    for game in range(first, first + games):
        word = mixed(as_u64(seed) + as_u64(game) * GOLDEN)
        encode(start(), work, root + STATE)
        word += GOLDEN
        opening = below(mixed(word), work[OPENING] + 1)
        length = as_int(0)
        outcome = (DRAW - figures[MIDDLE]) / figures[HALF]
        for ply in range(work[LONGEST_GAME] + 1):
            state = decode(work, root + STATE)
            if terminal(state):
                outcome = payoff_at_end(state, figures)
                break
            if ply == work[LONGEST_GAME]:
                break
            word += GOLDEN
            if ply < opening:
                action = random_move(state, root, word, work)
            else:
                value = visit(root, work[DEPTH], -BEYOND, BEYOND, mixed(word), weights, work, figures)
                action = work[root + BEST]
                if work[LEAVES] == 0:
                    settle(root, 0, work)
                    value = judged(root + STATE, weights, work, figures)
                word += GOLDEN
                stray = fraction(mixed(word)) < figures[EXPLORATION]
                word += GOLDEN
                if stray:
                    action = work[root + MOVES + 2 * below(mixed(word), work[root + COUNT])]
                at = length * record
                for i in range(WORDS + 1):
                    trail[at + i] = work[root + LEAF + i]
                trail[at + WORDS + 1] = stray
                values[length] = value
                length += 1
            if work[CODE] != RUNNING:
                return
            encode(result(state, action), work, root + STATE)
        values[length] = outcome
        error = 0.0
        for move in range(length - 1, -1, -1):
            at = move * record
            if trail[at + WORDS + 1] != 0:
                error = 0.0  # what follows a move at random says nothing about best play
                continue
            error = values[move + 1] - values[move] + figures[LAMBDA] * error
            if trail[at + WORDS] == 0:
                for i in range(WORDS):
                    work[root + STATE + i] = trail[at + i]
                learn_from(root + STATE, error * (1.0 - values[move] * values[move]), weights, work, figures, steps, net, gross)
        work[PLAYED] += 1


# --- matches and choices


@part
def decided(judge: int, depth: int, word: np.uint64, root: int, work: Ints, figures: Reals) -> int:
    """The action of an evaluation in the state of the root's frame; chance decides between equals."""
    if judge == BLIND:
        return random_move(decode(work, root + STATE), root, word, work)
    visit(root, depth, -BEYOND, BEYOND, mixed(word), judge, work, figures)
    return work[root + BEST]


@kernel
def contest(
    first: int,
    pairs: int,
    seed: int,
    plies: int,
    judge: int,
    depth: int,
    other: int,
    other_depth: int,
    work: Ints,
    figures: Reals,
    scores: Reals,
) -> None:
    """Pairs of games between two evaluations: the same opening of `plies` moves at random, sides swapped.

    scores  [2 × pair + game]   of the first evaluation: 1, 1/2 or 0; it is Max in game 0 of a pair
    """
    root = work[STACK]
    opened = root  # the opening lies in a row in front of the frames
    root += WORDS
    for pair in range(first, first + pairs):
        word = mixed(as_u64(seed) + as_u64(pair) * GOLDEN)
        encode(start(), work, opened)
        for _ in range(plies):
            state = decode(work, opened)
            word += GOLDEN
            following = result(state, random_move(state, root, word, work))
            if work[CODE] != RUNNING:
                return
            if terminal(following):
                break
            encode(following, work, opened)
        for seat in range(2):
            for i in range(WORDS):
                work[root + STATE + i] = work[opened + i]
            score = 0.5
            for _ in range(work[LONGEST_GAME]):
                state = decode(work, root + STATE)
                if terminal(state):
                    payoff = float(max_payoff(state))
                    score = 1.0 if payoff > DRAW else 0.0 if payoff < DRAW else 0.5
                    break
                word += GOLDEN
                if player(state) == seat:
                    action = decided(judge, depth, word, root, work, figures)
                else:
                    action = decided(other, other_depth, word, root, work, figures)
                if work[CODE] != RUNNING:
                    return
                encode(result(state, action), work, root + STATE)
            scores[2 * (pair - first) + seat] = score if seat == 0 else 1.0 - score


@kernel
def choose(rows: Row, judge: int, depth: int, work: Ints, figures: Reals, chosen: Ints, values: Reals) -> None:
    """The action and the value of an evaluation, `depth` actions deep, for each of the states in `rows`; the first of equals."""
    root = work[STACK]
    for number in range(len(chosen)):
        for i in range(WORDS):
            work[root + STATE + i] = rows[number * WORDS + i]
        values[number] = visit(root, depth, -BEYOND, BEYOND, np.uint64(0), judge, work, figures)
        chosen[number] = work[root + BEST]
        if work[CODE] != RUNNING:
            return


@kernel
def describe(row: Row, work: Ints, numbers: Reals) -> None:
    """The features of the state in `row`, then for each pattern the place of its weight."""
    root = work[STACK]
    for i in range(WORDS):
        work[root + i] = row[i]
    state = decode(work, root)
    if HAS_FEATURES and work[FEATURES] > 0:
        store_numbers(features(state), numbers, 0)
    for number in range(work[PATTERNS]):
        numbers[work[FEATURES] + number] = weight_of(number, root, player(state), work)
