"""Chess: two armies move in turn on 64 squares; who attacks the enemy's king so that no move saves it wins, and having no move is a draw.

Source: the FIDE Laws of Chess (2023); moves are made by the package `chess`, an extra: `pip install 'zermelo[chess]'`. White moves first.
Draws that a player may claim (threefold repetition, fifty moves) end the game at once. Evaluations: material and mobility, C. E.
Shannon, Programming a Computer for Playing Chess (1950); Turing's ratio, the CSC384 slides in docs/theory/sources.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, MIN, Game
from zermelo.words import bits, popcount

__all__ = ["ChessLib", "Position"]

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = 1, 2, 3, 4, 5, 6  # as the package numbers them
WORTH = (0, 1, 3, 3, 5, 9, 0)  # [piece] in pawns
EVALUATIONS = ("mobility", "turing")
FULL = 100  # pawns that count as much as a win
IMPOSSIBLE = {  # faults of a position, as the package names them, with which the game cannot go on; odd ones are allowed
    *("EMPTY", "NO_WHITE_KING", "NO_BLACK_KING", "TOO_MANY_KINGS", "PAWNS_ON_BACKRANK", "OPPOSITE_CHECK"),
    *("BAD_CASTLING_RIGHTS", "INVALID_EP_SQUARE"),
}
CERTAIN = 0.99  # no estimate is as good as a win


@dataclass(frozen=True, eq=False)
class Position:
    """A board that nobody changes, and what the laws need of the past: two positions are equal when the same can happen from now on."""

    board: Any  # chess.Board without a history of its own
    clock: int = 0  # single moves without a capture or a move of a pawn, where the rules count them
    earlier: tuple[Any, ...] = ()  # `place` of the positions that may return, oldest first; none after a move that cannot be undone
    first: str = ""  # the oldest of them in FEN, where there is one
    moves: tuple[int, ...] = field(default=())  # from there to here

    @cached_property
    def place(self) -> tuple[Any, ...]:
        """Where everything stands, who moves, and what may still be done: what must return for a repetition."""
        board = self.board
        men = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings, board.occupied_co[True])
        passing = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else -1
        return (*men, board.turn, board.clean_castling_rights(), passing)

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """In which order earlier positions came is no matter."""
        return (self.place, self.clock, tuple(sorted(self.earlier)))

    @cached_property
    def legal(self) -> tuple[int, ...]:
        """The moves that can be made."""
        return tuple(number(move) for move in self.board.generate_legal_moves())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def number(move: Any) -> int:
    """A move as an action: from + 64 · to + 4096 · promotion, where squares count from a1 = 0 by rows to h8 = 63 and the promotion is 0 or
    a piece: 2 knight, 3 bishop, 4 rook, 5 queen. Castling is a move of the king."""
    return int(move.from_square | move.to_square << 6 | (move.promotion or 0) << 12)


def package() -> Any:
    """The package `chess`, when it is first needed."""
    try:
        return import_module("chess")
    except ImportError:
        raise ZermeloError("Chess needs the package chess: install it with `pip install 'zermelo[chess]'`.") from None


@dataclass(frozen=True)
class ChessLib(Game):
    """The royal game, by the rules of the package `chess`: an independent check of ours."""

    evaluation: str = "mobility"  # or "turing"
    repetitions: int = 3  # how often a position may come up until the game is drawn; 0: as often as it likes
    clock: int = 100  # single moves without a capture or a move of a pawn until the game is drawn; 0: no limit
    insufficient: bool = True  # where nobody has what it takes to mate, the game is drawn
    payoffs = (-1, 1)
    seats = ("White", "Black")

    def __post_init__(self) -> None:
        if self.evaluation not in EVALUATIONS:
            raise RulesError(f"Chess has the evaluations {' and '.join(EVALUATIONS)}, not {self.evaluation!r}.")
        if self.repetitions < 0 or self.repetitions == 1 or self.clock < 0:
            raise RulesError("Chess needs repetitions of 0 (no limit) or at least 2, and a clock of at least 0.")
        package()

    # --- the six rules

    def start(self) -> Position:
        return Position(package().Board())

    def player(self, position: Position) -> int:
        return MAX if position.board.turn else MIN

    def actions(self, position: Position) -> Iterator[int]:
        yield from () if self.drawn(position) else position.legal

    def result(self, position: Position, action: int) -> Position:
        move = self.move(action)
        board = position.board.copy(stack=False)
        lasting = not self.repetitions or board.is_irreversible(move)
        board.push(move)
        board.clear_stack()
        clock = board.halfmove_clock if self.clock else 0
        if lasting:
            return Position(board, clock)
        first = position.first or position.board.fen(en_passant="fen")
        return Position(board, clock, (*position.earlier, position.place), first, (*position.moves, action))

    def terminal(self, position: Position) -> bool:
        return not position.legal or self.drawn(position)

    def utility(self, position: Position) -> float:
        if position.legal or not position.board.is_check():
            return 0
        return -1 if position.board.turn else 1

    def drawn(self, position: Position) -> bool:
        """Do the laws end the game although there are moves? Mate comes before any of that."""
        if self.insufficient and position.board.is_insufficient_material():
            return True
        if self.clock and position.clock >= self.clock and position.legal:
            return True
        return self.repetitions > 0 and position.earlier.count(position.place) >= self.repetitions - 1

    def move(self, action: int) -> Any:
        """An action as the package's move."""
        return package().Move(action & 63, action >> 6 & 63, action >> 12 or None)

    # --- knowledge

    def evaluate(self, position: Position) -> float:
        white, black = (self.material(position, side) for side in (True, False))
        if self.evaluation == "turing":  # white / black, where equal armies are 0 and a bare king is lost: (ratio - 1) / (ratio + 1)
            return CERTAIN * (white - black) / (white + black) if white + black else 0.0
        lead = white - black + (self.mobility(position, True) - self.mobility(position, False)) / 10
        return max(-CERTAIN, min(CERTAIN, lead / FULL))

    def material(self, position: Position, side: bool) -> int:
        """What an army is worth, in pawns."""
        board = position.board
        men = (board.pawns, board.knights, board.bishops, board.rooks, board.queens)
        return sum(worth * popcount(kind & board.occupied_co[side]) for kind, worth in zip(men, WORTH[1:], strict=False))

    def mobility(self, position: Position, side: bool) -> int:
        """Squares that the pieces of a side can move to, check or not; pawns are left out."""
        board, own = position.board, position.board.occupied_co[side]
        return sum(popcount(board.attacks_mask(square) & ~own) for square in bits(own & ~board.pawns))

    def order(self, position: Position, action: int) -> int:
        """The most valuable victim first, taken by the least valuable attacker; then promotions."""
        board = position.board
        victim = self.victim(position, action)
        gain = 100 * WORTH[victim] - (board.piece_type_at(action & 63) or 0) if victim else 0
        return gain + 50 * WORTH[action >> 12]

    def victim(self, position: Position, action: int) -> int:
        """The piece that a move takes; 0 for none."""
        board, target = position.board, action >> 6 & 63
        if target == board.ep_square and board.piece_type_at(action & 63) == PAWN:
            return PAWN
        return board.piece_type_at(target) or 0

    def quiet(self, position: Position) -> bool:
        """No check, no promotion, and nothing to take that is worth more than its taker or that nobody guards."""
        board = position.board
        if board.is_check():
            return False
        for action in position.legal:
            victim, taker = self.victim(position, action), board.piece_type_at(action & 63) or 0
            hanging = victim and (WORTH[victim] > WORTH[taker] or not board.is_attacked_by(not board.turn, action >> 6 & 63))
            if hanging or action >> 12:
                return False
        return True

    # --- presentation

    def name(self, position: Position, action: int) -> str:
        """As engines write it: e2e4, e7e8q."""
        return str(self.move(action).uci())

    def show(self, position: Position) -> str:
        """FEN; where earlier positions may return, that of the oldest, and the moves since."""
        if not position.moves:
            return str(position.first or position.board.fen(en_passant="fen"))
        return f"{position.first} moves {' '.join(self.move(action).uci() for action in position.moves)}"

    def read(self, text: str) -> Position:
        fen, _, moves = " ".join(text.split()).partition(" moves")
        try:
            board = package().Board(fen)
        except ValueError as error:
            raise ZermeloError(f"{fen!r} is not the FEN of a chess position: {error}.") from None
        faults = [flag.name.lower().replace("_", " ") for flag in board.status() if flag.name in IMPOSSIBLE]
        if faults:
            raise ZermeloError(f"{fen!r} is not a chess position: {', '.join(faults)}.")
        position = Position(board, board.halfmove_clock if self.clock else 0, (), fen)
        for word in moves.split():
            action = next((action for action in position.legal if self.name(position, action) == word), None)
            if action is None:
                raise ZermeloError(f"{word} is not possible in {self.show(position)}.")
            position = self.result(position, action)
        return position

    def board(self, position: Position) -> dict[str, Any]:
        """Rows from the eighth down; capitals are white."""
        pieces = (position.board.piece_at(square) for row in range(7, -1, -1) for square in range(8 * row, 8 * row + 8))
        marks = ["" if piece is None else piece.symbol() for piece in pieces]
        return {"kind": "grid", "look": "chess", "rows": [marks[start : start + 8] for start in range(0, 64, 8)]}
