"""How much of everything a browser may ask for. One place, so that a reader sees at once that nothing is without end."""

from dataclasses import dataclass

__all__ = ["Bounds"]


@dataclass(frozen=True)
class Bounds:
    """Limits of one running workbench; what goes beyond is refused with a sentence."""

    message: int = 1 << 20  # bytes of one message from a browser
    connections: int = 400  # open at once
    behind: int = 400  # messages that a browser may be behind before it is dropped
    silence: float = 90.0  # seconds without a word from the browser after which it is taken for gone; it speaks every 20
    tables: int = 600  # matches kept at once, watched or not
    idle: float = 6 * 3600.0  # seconds after which a match that nobody watches is forgotten
    record: int = 3_000  # moves of one match, variations included
    jobs: int = 4  # searches that one browser may have at work or waiting
    waiting: int = 2_000  # searches in the queue, of all browsers
    seconds: float = 60.0  # of one search
    nodes: int = 50_000_000  # of one search
    memory: int = 64 << 20  # bytes of one transposition table
    shown: int = 250_000  # nodes of one tree in the tree lab
    trees: int = 4  # kept for one browser
    spots: int = 2  # solved poker spots that are kept for one browser
    ranges: int = 256 << 20  # bytes of one poker spot
    text: int = 4_000  # characters of a position or of a game's name with its parameters
    parameter: int = 2_048  # largest number among a game's parameters
    choices: int = 4_000  # legal moves that a board can show
    games: int = 64  # opened games that are kept for the next who asks
