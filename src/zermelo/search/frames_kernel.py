# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Part of a template: a search that keeps its own stack in `work`, one frame for each state on the line.

So a line may be of any length, and the search can stop before any node and go on later: it comes back to Python to look at the clock
(PAUSED) and for longer arrays (ROOM). Here are the words that Python and such a kernel share, the head that all frames have in common,
the states on the line, and the places in a table of what is known of states.
"""

from zermelo.engine.vocabulary import HAS_KEY, KEY, WORDS, encode_key, np, part

NONE = -1
UNKNOWN_ACTION = -(1 << 62)
LARGEST = 1 << 53  # up to here every whole number is a float
TOLERANCE = 1e-9  # by how much the weights of chance that are not whole may miss 1

# --- control: what Python and the kernel tell each other; a template may add more words behind
AT = 0  # the frame to be entered
NODES = 1
PAUSE = 2  # come back before the node with this number is counted
ALPHA_CUTS = 3  # 0 where the search has no windows
BETA_CUTS = 4
TABLE_HITS = 5
JUDGED = 6  # 1: an estimate stood in for the end of the game
CYCLE = 7  # how many actions a cycle has
TO_LINK = 8  # the lowest frame of the line so far that is not yet known as such; the frame AT where all are
PRUNING = 9  # switches, 0 or 1: cut-offs
ORDERED = 10  # `order`, and the table's best action first
INFORMED = 11  # `bounds` and `candidates`: only where values are scores
TRACKS = 12  # states that return on the line are noticed
STEP = 13  # 1: distances count; 0: a plain search, or values that have none
REPETITION = 14  # 0, or one of the next three
DRAWN, LOST, FORBIDDEN = 1, 2, 3
SHARED_CONTROL = 15  # how many there are

# --- why the kernel came back; a template may add more behind
RUNNING, DONE, PAUSED, ROOM, CHANCE_MOVES, NO_ACTIONS, NO_PLAYER, NO_NUMBER, TOO_LARGE, ENDLESS, ROUND = range(11)
SHARED_CODES = 11  # how many there are

# --- the head of a frame
PARENT = 0  # the frame above; NONE where the search began
CHAIN = 1  # the next frame in the same bucket of states on the line
BUCKET = 2
MARK = 3  # the hash of the state
PLY = 4
MOVER = 5  # whose action led here; NONE, or UNKNOWN_ACTION where chance moves too, where the search began
REMAINING = 6  # depth that is left; NONE: no limit
PLAYER = 7
COUNT = 8  # actions or outcomes
TRIED = 9  # of these
BEST_ACTION = 10
FROM = 11  # where the frame's part of `line` begins: its best line, last action first
LENGTH = 12  # of its best line
STATE = 13
IDENTITY = STATE + WORDS if HAS_KEY else STATE  # what tells states apart: the words of the key, or of the state where the game gives none
BODY = STATE + WORDS + (KEY if HAS_KEY else 0)  # the template's own words, then its actions; the next frame follows

# --- an entry of the table: an identity, then
ENTRY_KIND = KEY  # remaining depth * 4 + bound; 0: empty
ENTRY_BODY = KEY + 1  # the template's own words


# --- states on the line


@part
def identify(state, work, at):
    """Writes what tells the frame's state apart, and its hash."""
    if HAS_KEY:
        encode_key(state, work, at + IDENTITY)
    mark = np.uint64(0x2545F4914F6CDD1D)
    for i in range(KEY):
        mark = (mark ^ np.uint64(work[at + IDENTITY + i])) * np.uint64(0x9E3779B97F4A7C15)
        mark ^= mark >> np.uint64(32)
    work[at + MARK] = np.int64(mark)


@part
def link(work, at, buckets):
    """The frame's state is on the line from now on."""
    bucket = work[at + MARK] & (len(buckets) - 1)
    work[at + BUCKET] = bucket
    work[at + CHAIN] = buckets[bucket]
    buckets[bucket] = at


@part
def earlier(work, at, buckets):
    """The frame of the same state further up the line, or NONE."""
    frame = buckets[work[at + MARK] & (len(buckets) - 1)]
    while frame != NONE:
        same = True
        for i in range(KEY):
            same = same and work[frame + IDENTITY + i] == work[at + IDENTITY + i]
        if same:
            break
        frame = work[frame + CHAIN]
    return frame


# --- the table


@part
def slot_of(work, at, table, entry):
    """Where a table with entries of so many words keeps this state: the upper half of the hash, scaled to their number."""
    entries = np.uint64(len(table) // entry)
    return np.int64(((np.uint64(work[at + MARK]) >> np.uint64(32)) * entries) >> np.uint64(32)) * entry


@part
def kind_of(work, at, table, slot):
    """The kind of this state's entry, 0 where the table has none."""
    for i in range(KEY):
        if table[slot + i] != work[at + IDENTITY + i]:
            return np.int64(0)
    return table[slot + ENTRY_KIND]
