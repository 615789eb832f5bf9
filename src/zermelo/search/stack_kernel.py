"""Part of a template: the depth-first search of alpha-beta, expectiminimax and max^n, on a stack of its own.

There is a frame for each state on the line, and the frame's number is its ply. So a line may be of any length, and the search can stop
before any node and go on later: it comes back to Python to look at the clock (PAUSED) and for longer arrays (ROOM).

    frames   line so far … | bottom, where the search began | … | at        each state, its window and value
    moves    of the bottom | … | of the frame `at`                          actions or outcomes in the order to try them
    line     the best lines of the frames, each last action first

What differs is in the families' own files. They add fields to `Frame`, `Move`, `Entry` and `Control`, and define the functions under
"what a family defines" below.
"""

from zermelo.runtime.vocabulary import (
    CHANCE,
    HAS_CANDIDATES,
    HAS_CHANCES,
    HAS_EVALUATE,
    HAS_KEY,
    HAS_ORDER,
    KEY,
    LONGEST,
    PLAYERS,
    WORDS,
    Array,
    Ints,
    Reals,
    Record,
    State,
    actions,
    as_int,
    candidates,
    decode,
    encode,
    encode_key,
    ints,
    np,
    order,
    part,
    player,
    reals,
    result,
    terminal,
)

NONE = -1
UNKNOWN_ACTION = -(1 << 62)
NOBODY = UNKNOWN_ACTION  # the mover of the state where the search began
LARGEST = 1 << 53  # up to here every whole number is a float

DRAWN, LOST, FORBIDDEN = 1, 2, 3  # what a state that returns means; 0: no end
EXACT, LOWER, UPPER = 1, 2, 3  # what a value in the table is

# --- why the kernel came back
RUNNING, DONE, PAUSED, ROOM, CHANCE_MOVES, NO_ACTIONS, NO_PLAYER, NO_NUMBER, TOO_LARGE, ENDLESS, ROUND = range(11)
BAD_CHANCE, OUTSIDE, COSTLY = range(11, 14)


class StackFrame(Record):
    """A state on the line."""

    chain: int  # the next frame in the same bucket of states on the line
    bucket: int
    mark: int  # the hash of the state
    mover: int  # whose action led here
    remaining: int  # depth that is left; NONE: no limit
    player: int
    first: int  # its moves are moves[first : first + count]
    count: int
    tried: int  # of these
    best_action: int
    line: int  # where the frame's part of `line` begins
    length: int  # of its best line
    state: Ints = ints(WORDS)
    key: Ints = ints(KEY if HAS_KEY else 0)


class StackMove(Record):
    """An action or outcome of a frame."""

    action: int
    rank: int  # larger is tried first


class StackEntry(Record):
    """What the table knows of a state."""

    kind: int  # remaining depth * 4 + bound; 0: nothing
    key: Ints = ints(KEY)


class StackControl(Record):
    """What Python and the kernel tell each other."""

    at: int  # the frame to be entered
    bottom: int  # the frame where the search began
    nodes: int
    pause: int  # come back before the node with this number is counted
    alpha_cuts: int
    beta_cuts: int
    table_hits: int
    judged: bool  # an estimate stood in for the end of the game
    cycle: int  # how many actions a cycle has
    linked: int  # frames of the line so far that are known as such
    pruning: bool  # switches: cut-offs,
    ordered: bool  # `order`, and the table's best action first,
    informed: bool  # `bounds` and `candidates`: only where values are scores,
    tracks: bool  # states that return on the line are noticed,
    step: int  # 1: distances count; 0: a textbook search, or values that have none
    repetition: int  # 0, DRAWN, LOST or FORBIDDEN
    lost_by: Reals = reals(max(PLAYERS, 2))  # [player] the value where that player loses by repetition


# --- what a family defines

SERVES_CHANCE = True  # can chance move?


def write_end(state: State, frame: StackFrame, control: StackControl) -> int:
    """Writes the value of a state in which the game is over; a code."""
    raise NotImplementedError


def write_estimate(state: State, frame: StackFrame, control: StackControl) -> int:
    """Writes the estimated value of a state; a code."""
    raise NotImplementedError


def write_draw(frame: StackFrame, control: StackControl) -> None:
    raise NotImplementedError


def write_loss(loser: int, frame: StackFrame, control: StackControl) -> None:
    """Writes the value where a player loses by repetition."""
    raise NotImplementedError


def look_up(state: State, frame: StackFrame, table: Array[StackEntry], control: StackControl) -> tuple[bool, int]:
    """(Is the value known, the action to try first) by `bounds` and by the table."""
    raise NotImplementedError


def list_chances(state: State, frame: StackFrame, moves: Array[StackMove], control: StackControl) -> int:
    """Lays down the outcomes of a chance node; a code. Only where SERVES_CHANCE."""
    raise NotImplementedError


def begin(frame: StackFrame, control: StackControl) -> None:
    """The moves of a frame are there: makes it ready for the first."""
    raise NotImplementedError


def withdraw(frame: StackFrame) -> None:
    """The moves of a frame do not fit: it will be entered again, with its window as it was asked for."""
    raise NotImplementedError


def hand_down(state: State, move: StackMove, frame: StackFrame, child: StackFrame, control: StackControl) -> None:
    """Gives the child its window and what its move costs."""
    raise NotImplementedError


def reject(move: StackMove) -> None:
    """The rules of repetition forbid a move."""
    raise NotImplementedError


def hand_up(frames: Array[StackFrame], moves: Array[StackMove], at: int, line: Ints, control: StackControl) -> tuple[int, bool]:
    """The value of the frame `at` is known: (code, does it settle the value of the frame above?)."""
    raise NotImplementedError


def close(frame: StackFrame, moves: Array[StackMove], table: Array[StackEntry], control: StackControl) -> None:
    """Every move that matters has been tried: settles the frame's value."""
    raise NotImplementedError


# --- states on the line


@part
def identity(frame: StackFrame) -> Ints:
    """What tells states apart: the key, or the state where the game gives none."""
    return frame.key if HAS_KEY else frame.state


@part
def identify(state: State, frame: StackFrame) -> None:
    """Writes what tells the frame's state apart, and its hash."""
    if HAS_KEY:
        encode_key(state, frame.key)
    words = identity(frame)
    mark = np.uint64(0x2545F4914F6CDD1D)
    for i in range(KEY):
        mark = (mark ^ np.uint64(words[i])) * np.uint64(0x9E3779B97F4A7C15)
        mark ^= mark >> np.uint64(32)
    frame.mark = as_int(mark)


@part
def same(first: Ints, second: Ints) -> bool:
    """Are these keys equal?"""
    equal = True
    for i in range(KEY):
        equal = equal and first[i] == second[i]
    return equal


@part
def link(frames: Array[StackFrame], at: int, buckets: Ints) -> None:
    """The frame's state is on the line from now on."""
    frame = frames[at]
    frame.bucket = frame.mark & (len(buckets) - 1)
    frame.chain = buckets[frame.bucket]
    buckets[frame.bucket] = at


@part
def unlink(frame: StackFrame, buckets: Ints) -> None:
    buckets[frame.bucket] = frame.chain


@part
def earlier(frames: Array[StackFrame], at: int, buckets: Ints) -> int:
    """The frame of the same state further up the line, or NONE."""
    words = identity(frames[at])
    found = buckets[frames[at].mark & (len(buckets) - 1)]
    while found != NONE and not same(identity(frames[found]), words):
        found = frames[found].chain
    return found


@part
def link_line(frames: Array[StackFrame], buckets: Ints, control: StackControl) -> None:
    """Makes the line that led to the bottom known."""
    while control.linked < control.bottom:
        frame = frames[control.linked]
        identify(decode(frame.state), frame)
        link(frames, control.linked, buckets)
        control.linked += 1


# --- the table


@part
def place_of(frame: StackFrame, table: Array[StackEntry]) -> int:
    """Where the table keeps this state: the upper half of the hash, scaled to the number of entries."""
    return as_int(((np.uint64(frame.mark) >> np.uint64(32)) * np.uint64(len(table))) >> np.uint64(32))


@part
def kind_of(frame: StackFrame, entry: StackEntry) -> int:
    """The kind of this state's entry, 0 where the table has none."""
    return entry.kind if same(entry.key, identity(frame)) else 0


@part
def note(frame: StackFrame, entry: StackEntry, bound: int) -> None:
    """Writes what all entries have in common."""
    words = identity(frame)
    for i in range(KEY):
        entry.key[i] = words[i]
    entry.kind = frame.remaining * 4 + bound


# --- a state is entered


@part
def by_chance(who: int) -> bool:
    return SERVES_CHANCE and HAS_CHANCES and who == CHANCE


@part
def judge(state: State, who: int, frames: Array[StackFrame], at: int, buckets: Ints, control: StackControl) -> tuple[int, bool]:
    """(code, is the value known) of a state that is not the end: players, repetition and depth."""
    frame = frames[at]
    if who == CHANCE and not SERVES_CHANCE:
        return CHANCE_MOVES, False
    if (who < 0 or who >= PLAYERS) and not by_chance(who):
        return NO_PLAYER, False
    if at > LONGEST:
        return ENDLESS, False
    lucky = by_chance(frame.mover)
    if control.tracks and frame.mover != NOBODY and (control.repetition != FORBIDDEN or lucky):
        before = earlier(frames, at, buckets)
        if before != NONE:
            control.cycle = at - before
            if control.repetition == 0:
                return ROUND, False
            if control.repetition == LOST and not lucky:
                write_loss(frame.mover, frame, control)
            else:
                write_draw(frame, control)
            return RUNNING, True
    if frame.remaining != 0:
        return RUNNING, False
    control.judged = True
    if HAS_EVALUATE:
        return write_estimate(state, frame, control), True
    write_draw(frame, control)
    return RUNNING, True


@part
def put(moves: Array[StackMove], first: int, at: int, action: int, rank: int) -> None:
    """Puts an action where its rank belongs, after those of the same rank."""
    while at > first and moves[at - 1].rank < rank:
        moves[at].action = moves[at - 1].action
        moves[at].rank = moves[at - 1].rank
        at -= 1
    moves[at].action = action
    moves[at].rank = rank


@part
def list_moves(state: State, frame: StackFrame, moves: Array[StackMove], control: StackControl, favourite: int) -> int:
    """Lays down the actions to try, `favourite` before all others; a code."""
    ordered = control.ordered != 0
    at = frame.first
    if HAS_CANDIDATES and control.informed:
        for candidate in candidates(state):
            if at >= len(moves):
                return ROOM
            put(moves, frame.first, at, as_int(candidate), order(state, candidate) if HAS_ORDER and ordered else 0)
            at += 1
    if at == frame.first:
        for action in actions(state):
            if at >= len(moves):
                return ROOM
            put(moves, frame.first, at, as_int(action), order(state, action) if HAS_ORDER and ordered else 0)
            at += 1
    frame.count = at - frame.first
    if ordered and favourite != UNKNOWN_ACTION:
        bring_forward(frame, moves, favourite)
    return NO_ACTIONS if frame.count == 0 else RUNNING


@part
def bring_forward(frame: StackFrame, moves: Array[StackMove], favourite: int) -> None:
    """Lets an action be tried before all others."""
    for i in range(frame.first, frame.first + frame.count):
        if moves[i].action == favourite:
            for j in range(i, frame.first, -1):
                moves[j].action = moves[j - 1].action
            moves[frame.first].action = favourite
            break


@part
def enter(
    frames: Array[StackFrame], moves: Array[StackMove], at: int, table: Array[StackEntry], buckets: Ints, control: StackControl
) -> tuple[int, bool]:
    """(code, is its value known) of the state in a frame; where it is not, its moves are laid down."""
    frame = frames[at]
    state = decode(frame.state)
    if terminal(state):
        return write_end(state, frame, control), True
    if control.tracks or len(table) > 0:
        identify(state, frame)
    who = player(state)
    code, settled = judge(state, who, frames, at, buckets, control)
    if code != RUNNING or settled:
        return code, settled
    settled, favourite = look_up(state, frame, table, control)
    if settled:
        return RUNNING, True
    frame.player = who
    frame.tried = 0
    frame.best_action = UNKNOWN_ACTION
    lucky = by_chance(who)
    code = list_chances(state, frame, moves, control) if lucky else list_moves(state, frame, moves, control, favourite)
    if code != RUNNING:
        withdraw(frame)
        return code, False
    begin(frame, control)
    if control.tracks:
        link(frames, at, buckets)
    return RUNNING, False


# --- the states below it


@part
def lay(following: State, frame: StackFrame, child: StackFrame) -> None:
    """Lays down the state after a move."""
    encode(following, child.state)
    child.mover = frame.player
    child.remaining = frame.remaining - 1 if frame.remaining > 0 else NONE
    child.first = frame.first + frame.count
    child.line = frame.line + frame.length
    child.length = 0


@part
def lay_next(frames: Array[StackFrame], moves: Array[StackMove], at: int, buckets: Ints, control: StackControl) -> bool:
    """Lays down the state after the next move that may be tried; False where all have been."""
    frame, child = frames[at], frames[at + 1]
    while frame.tried < frame.count:
        move = moves[frame.first + frame.tried]
        state = decode(frame.state)
        following = result(state, move.action)
        frame.tried += 1
        if control.repetition == FORBIDDEN and not by_chance(frame.player):
            encode(following, child.state)
            identify(following, child)
            if earlier(frames, at + 1, buckets) != NONE:
                reject(move)
                continue
        lay(following, frame, child)
        hand_down(state, move, frame, child, control)
        return True
    return False


@part
def lay_child(frames: Array[StackFrame], moves: Array[StackMove], at: int, buckets: Ints, control: StackControl) -> bool:
    """The same; a family may define its own."""
    return lay_next(frames, moves, at, buckets, control)


@part
def extend_line(action: int, frame: StackFrame, child: StackFrame, line: Ints) -> None:
    """The best line of a frame is this action, then the child's best line."""
    if child.line > frame.line:
        for i in range(child.length):
            line[frame.line + i] = line[child.line + i]
    line[frame.line + child.length] = action
    frame.length = child.length + 1


@part
def climb(
    frames: Array[StackFrame],
    moves: Array[StackMove],
    line: Ints,
    table: Array[StackEntry],
    buckets: Ints,
    control: StackControl,
    at: int,
    settled: bool,
) -> tuple[int, int]:
    """(code, frame): values go up until a state is found that has a move left to try, whose frame is to be entered."""
    while True:
        if settled:
            if at == control.bottom:
                return DONE, at
            code, settled = hand_up(frames, moves, at, line, control)
            if code != RUNNING:
                return code, at
            at -= 1
        if not settled:
            if lay_child(frames, moves, at, buckets, control):
                return RUNNING, at + 1
            settled = True
        if control.tracks:
            unlink(frames[at], buckets)
        close(frames[at], moves, table, control)


@part
def run(
    frames: Array[StackFrame], moves: Array[StackMove], line: Ints, table: Array[StackEntry], buckets: Ints, control: StackControl
) -> int:
    """Goes on with the search that `control` describes, until it is DONE or Python must do something about the code it returns.

    The value of the state where the search began is then in its frame; exact inside the window, where the family has one:
    value <= alpha → an upper bound <= alpha; value >= beta → a lower bound >= beta.
    """
    link_line(frames, buckets, control)
    at, nodes = control.at, control.nodes
    code = RUNNING
    while code == RUNNING:
        if nodes >= control.pause:
            code = PAUSED
        elif at + 1 >= len(frames) or frames[at].line + at + 2 > len(line):
            code = ROOM
        else:
            code, settled = enter(frames, moves, at, table, buckets, control)
            if code == RUNNING:
                nodes += 1
                code, at = climb(frames, moves, line, table, buckets, control, at, settled)
    control.at, control.nodes = at, nodes
    return code
