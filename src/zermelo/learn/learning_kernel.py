"""Kernel template: self-play that learns the weights of a linear evaluation, matches between evaluations, and choices of moves.

Weights are numbers in an array: they change while the kernel runs, and nothing is compiled again. The reference backend runs the kernel
as plain Python, where `contents` reads the cells of the state itself.

Values are Max's payoffs, moved and scaled so that `payoffs` become -1 and 1. LEARNED is tanh(sum of weight × feature), HAND the game's own
`evaluate`, BLIND moves at random.

A *pattern* is a few cells of the board. What they hold, read from the words of the state as one number, chooses a weight from the
pattern's table; each player to move has tables of their own.
"""

from zermelo.runtime.random_kernel import GOLDEN, below, fraction, mixed
from zermelo.runtime.vocabulary import (
    DRAW,
    HAS_FEATURES,
    HAS_ORDER,
    WORDS,
    Array,
    Ints,
    Reals,
    Record,
    State,
    actions,
    as_int,
    as_u64,
    decode,
    encode,
    entry,
    evaluate,
    features,
    ints,
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

RUNNING, ROOM, NO_ACTIONS, NO_NUMBER, NO_PLAYER = range(5)  # codes
LEARNED, HAND, BLIND = range(3)  # evaluations
BEYOND = 2.0  # every value


class Control(Record):
    """What Python and the kernel tell each other."""

    features: int  # numbers that `features` gives; 0 where patterns are used alone
    patterns: int
    pattern_bits: int  # of a pattern: its table has 2 ** pattern_bits weights
    depth: int  # of the searches of self-play
    leaves: bool  # the gradient is taken at the leaf of the best line (TDLeaf), otherwise at the position itself (TD)
    opening: int  # the most moves at random with which a game of self-play begins
    longest_game: int  # moves, after which a game counts as drawn
    code: int  # RUNNING, or what is wrong
    played: int  # games of self-play that are done
    nodes: int  # states that were visited
    middle: float  # of the payoffs
    half: float  # of their range
    decay: float  # lambda
    exploration: float  # share of moves at random
    faulty: Ints = ints(WORDS)  # the state to which the code belongs
    opened: Ints = ints(WORDS)  # the state after a contest's opening


class Frame(Record):
    """A state on the line."""

    best: int  # the best action
    first: int  # its moves are moves[first : first + count]
    count: int
    over: bool  # the game is over in the leaf
    state: Ints = ints(WORDS)
    leaf: Ints = ints(WORDS)  # the last state of the best line


class Move(Record):
    """An action of a frame."""

    action: int
    rank: int


class Played(Record):
    """A move of a game of self-play."""

    value: float
    over: bool  # the game is over in the leaf
    stray: bool  # it was made at random
    leaf: Ints = ints(WORDS)  # the state whose value counts


# --- the evaluation


@part
def give_up(code: int, state: State, control: Control) -> None:
    """Notes what is wrong, and where; the first fault stands."""
    if control.code == RUNNING:
        control.code = code
        encode(state, control.faulty)


@part
def contents(number: int, row: Ints, reads: Ints, control: Control) -> int:
    """What the cells of a pattern hold in the state of a row, as a number; `reads` has (word, bit) of every bit of every pattern."""
    read = 2 * number * control.pattern_bits
    code = as_int(0)
    for _ in range(control.pattern_bits):
        code = code << 1 | (row[reads[read]] >> reads[read + 1] & 1)
        read += 2
    return code


@part
def weight_of(number: int, row: Ints, who: int, reads: Ints, control: Control) -> int:
    """The place of the weight that a pattern chooses."""
    return control.features + ((who * control.patterns + number) << control.pattern_bits) + contents(number, row, reads, control)


@part
def judged(row: Ints, judge: int, control: Control, reads: Ints, weights: Reals, numbers: Reals) -> float:
    """The value that an evaluation gives the state of a row."""
    state = decode(row)
    if judge == HAND:
        return (float(evaluate(state)) - control.middle) / control.half
    total = 0.0
    if HAS_FEATURES and control.features > 0:
        store_numbers(features(state), numbers, 0)
        for i in range(control.features):
            total += weights[i] * numbers[i]
    if control.patterns > 0:
        who = player(state)
        for number in range(control.patterns):
            total += weights[weight_of(number, row, who, reads, control)]
    if not abs(total) < np.inf:
        give_up(NO_NUMBER, state, control)
    return math.tanh(total)


@part
def payoff_at_end(state: State, control: Control) -> float:
    """The value of a state in which the game is over."""
    return (float(max_payoff(state)) - control.middle) / control.half


# --- the search


@part
def list_moves(state: State, first: int, moves: Array[Move], ordered: bool) -> int:
    """Lays down the actions from `first` on, by `order` where that is asked for; how many there are, or -1 where there is no room."""
    count = as_int(0)
    for action in actions(state):
        place = first + count
        if place >= len(moves):
            return as_int(-1)
        rank = as_int(0)
        if HAS_ORDER and ordered:
            rank = order(state, action)
            while place > first and moves[place - 1].rank < rank:
                moves[place].action, moves[place].rank = moves[place - 1].action, moves[place - 1].rank
                place -= 1
        moves[place].action = as_int(action)
        moves[place].rank = rank
        count += 1
    return count


@part
def shuffle(frame: Frame, word: np.uint64, moves: Array[Move]) -> None:
    """Puts the actions of a frame into a random order."""
    for last in range(frame.count - 1, 0, -1):
        word += GOLDEN
        one, other = moves[frame.first + below(mixed(word), last + 1)], moves[frame.first + last]
        one.action, other.action = other.action, one.action


@part
def copy_row(source: Ints, target: Ints) -> None:
    for i in range(WORDS):
        target[i] = source[i]


@part
def settle(frame: Frame, over: bool) -> None:
    """The state itself is the end of its best line."""
    copy_row(frame.state, frame.leaf)
    frame.over = over


@kernel
def visit(
    ply: int,
    depth: int,
    low: float,
    high: float,
    word: np.uint64,
    judge: int,
    control: Control,
    frames: Array[Frame],
    moves: Array[Move],
    reads: Ints,
    weights: Reals,
    numbers: Reals,
) -> float:
    """The value of the state in the frame of a ply, `depth` actions deep, exact inside the window from `low` to `high`.

    Leaves the best action and the last state of the best line in the frame. With a random `word` other than 0 the actions are tried in
    a random order, so that chance decides between equals.
    """
    control.nodes += 1
    frame = frames[ply]
    state = decode(frame.state)
    if terminal(state):
        settle(frame, True)
        return payoff_at_end(state, control)
    if depth == 0:
        settle(frame, False)
        return judged(frame.state, judge, control, reads, weights, numbers)
    who = player(state)
    if who != 0 and who != 1:
        give_up(NO_PLAYER, state, control)
        return 0.0
    shuffled = word != np.uint64(0)
    frame.count = list_moves(state, frame.first, moves, not shuffled)
    if frame.count <= 0 or ply + 1 >= len(frames):
        give_up(NO_ACTIONS if frame.count == 0 else ROOM, state, control)
        return 0.0
    if shuffled:
        shuffle(frame, word, moves)
    child = frames[ply + 1]
    child.first = frame.first + frame.count
    best = -BEYOND if who == 0 else BEYOND
    for number in range(frame.first, frame.first + frame.count):
        action = moves[number].action
        encode(result(state, action), child.state)
        value = visit(ply + 1, depth - 1, low, high, np.uint64(0), judge, control, frames, moves, reads, weights, numbers)
        if control.code != RUNNING:
            return 0.0
        if value > best if who == 0 else value < best:
            best = value
            frame.best = action
            copy_row(child.leaf, frame.leaf)
            frame.over = child.over
            if who == 0:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                break
    return best


# --- learning


@part
def adjust(place: int, change: float, weights: Reals, steps: Reals, net: Reals, gross: Reals) -> None:
    """Moves a weight. Its step shrinks where earlier changes have cancelled out (temporal coherence; Beal and Smith, 1999)."""
    coherence = abs(net[place]) / gross[place] if gross[place] > 0.0 else 1.0
    weights[place] += steps[place] * coherence * change
    net[place] += change
    gross[place] += abs(change)


@part
def learn_from(
    row: Ints,
    signal: float,
    control: Control,
    reads: Ints,
    weights: Reals,
    numbers: Reals,
    steps: Reals,
    net: Reals,
    gross: Reals,
) -> None:
    """Moves all weights that count in the state of a row, along the gradient of its value."""
    state = decode(row)
    if HAS_FEATURES and control.features > 0:
        store_numbers(features(state), numbers, 0)
        for i in range(control.features):
            adjust(i, signal * numbers[i], weights, steps, net, gross)
    if control.patterns > 0:
        who = player(state)
        for number in range(control.patterns):
            adjust(weight_of(number, row, who, reads, control), signal, weights, steps, net, gross)


@part
def random_move(state: State, word: np.uint64, control: Control, moves: Array[Move]) -> int:
    """Any action; faults are noted."""
    count = list_moves(state, 0, moves, False)
    if count <= 0:
        give_up(NO_ACTIONS if count == 0 else ROOM, state, control)
        return as_int(0)
    return moves[below(mixed(word), count)].action


@entry
def train(
    first: int,
    games: int,
    seed: int,
    controls: Array[Control],
    frames: Array[Frame],
    moves: Array[Move],
    reads: Ints,
    weights: Reals,
    numbers: Reals,
    steps: Reals,
    net: Reals,
    gross: Reals,
    trail: Array[Played],
) -> None:
    """Plays games of self-play and learns from each when it is over.

    steps, net, gross  [weight]  the size of a step; the sum of all changes asked for so far; the sum of their sizes
    trail              [move]    those of the game at hand

    Game n draws its random numbers from stream n of the seed, so that it matters to nobody where a run was interrupted. Comes back early
    with a code; `played` games are done by then, and weights are those after the last of them.
    """
    control, root = controls[0], frames[0]
    for game in range(first, first + games):
        word = mixed(as_u64(seed) + as_u64(game) * GOLDEN)
        encode(start(), root.state)
        word += GOLDEN
        opening = below(mixed(word), control.opening + 1)
        length = as_int(0)
        outcome = (DRAW - control.middle) / control.half
        for ply in range(control.longest_game + 1):
            state = decode(root.state)
            if terminal(state):
                outcome = payoff_at_end(state, control)
                break
            if ply == control.longest_game:
                break
            word += GOLDEN
            if ply < opening:
                action = random_move(state, word, control, moves)
            else:
                value = visit(0, control.depth, -BEYOND, BEYOND, mixed(word), LEARNED, control, frames, moves, reads, weights, numbers)
                action = root.best
                if not control.leaves:
                    settle(root, False)
                    value = judged(root.state, LEARNED, control, reads, weights, numbers)
                word += GOLDEN
                stray = fraction(mixed(word)) < control.exploration
                word += GOLDEN
                if stray:
                    action = moves[below(mixed(word), root.count)].action
                made = trail[length]
                copy_row(root.leaf, made.leaf)
                made.over, made.stray, made.value = root.over, stray, value
                length += 1
            if control.code != RUNNING:
                return
            encode(result(state, action), root.state)
        error, later = 0.0, outcome
        for number in range(length - 1, -1, -1):
            made = trail[number]
            value = made.value
            error = later - value + control.decay * error
            later = value
            if made.stray:
                error = 0.0  # what follows a move at random says nothing about best play
            elif not made.over:
                learn_from(made.leaf, error * (1.0 - value * value), control, reads, weights, numbers, steps, net, gross)
        control.played += 1


# --- matches and choices


@part
def decided(
    judge: int,
    depth: int,
    word: np.uint64,
    control: Control,
    frames: Array[Frame],
    moves: Array[Move],
    reads: Ints,
    weights: Reals,
    numbers: Reals,
) -> int:
    """The action of an evaluation in the state of the root's frame; chance decides between equals."""
    if judge == BLIND:
        return random_move(decode(frames[0].state), word, control, moves)
    visit(0, depth, -BEYOND, BEYOND, mixed(word), judge, control, frames, moves, reads, weights, numbers)
    return frames[0].best


@entry
def contest(
    first: int,
    pairs: int,
    seed: int,
    plies: int,
    judge: int,
    depth: int,
    other: int,
    other_depth: int,
    controls: Array[Control],
    frames: Array[Frame],
    moves: Array[Move],
    reads: Ints,
    weights: Reals,
    numbers: Reals,
    scores: Reals,
) -> None:
    """Pairs of games between two evaluations: the same opening of `plies` moves at random, sides swapped.

    scores  [2 × pair + game]   of the first evaluation: 1, 1/2 or 0; it is Max in game 0 of a pair
    """
    control, root = controls[0], frames[0]
    for pair in range(first, first + pairs):
        word = mixed(as_u64(seed) + as_u64(pair) * GOLDEN)
        encode(start(), control.opened)
        for _ in range(plies):
            state = decode(control.opened)
            word += GOLDEN
            following = result(state, random_move(state, word, control, moves))
            if control.code != RUNNING:
                return
            if terminal(following):
                break
            encode(following, control.opened)
        for seat in range(2):
            copy_row(control.opened, root.state)
            score = 0.5
            for _ in range(control.longest_game):
                state = decode(root.state)
                if terminal(state):
                    payoff = float(max_payoff(state))
                    score = 1.0 if payoff > DRAW else 0.0 if payoff < DRAW else 0.5
                    break
                word += GOLDEN
                if player(state) == seat:
                    action = decided(judge, depth, word, control, frames, moves, reads, weights, numbers)
                else:
                    action = decided(other, other_depth, word, control, frames, moves, reads, weights, numbers)
                if control.code != RUNNING:
                    return
                encode(result(state, action), root.state)
            scores[2 * (pair - first) + seat] = score if seat == 0 else 1.0 - score


@entry
def choose(
    rows: Ints,
    judge: int,
    depth: int,
    controls: Array[Control],
    frames: Array[Frame],
    moves: Array[Move],
    reads: Ints,
    weights: Reals,
    numbers: Reals,
    chosen: Ints,
    values: Reals,
) -> None:
    """The action and the value of an evaluation, `depth` actions deep, for each of the states in `rows`; the first of equals."""
    control, root = controls[0], frames[0]
    for number in range(len(chosen)):
        for i in range(WORDS):
            root.state[i] = rows[number * WORDS + i]
        values[number] = visit(0, depth, -BEYOND, BEYOND, np.uint64(0), judge, control, frames, moves, reads, weights, numbers)
        chosen[number] = root.best
        if control.code != RUNNING:
            return


@entry
def describe(row: Ints, controls: Array[Control], reads: Ints, numbers: Reals) -> None:
    """The features of the state in `row`, then for each pattern the place of its weight."""
    control = controls[0]
    state = decode(row)
    if HAS_FEATURES and control.features > 0:
        store_numbers(features(state), numbers, 0)
    for number in range(control.patterns):
        numbers[control.features + number] = weight_of(number, row, player(state), reads, control)
