"""Chess: two armies move in turn on 64 squares; who attacks the enemy's king so that no move saves it wins, and having no move is a draw.

Source: the FIDE Laws of Chess (2023); E. Scharnagl's numbers for the 960 setups (2004). White moves first. Draws that a player may claim
(threefold repetition, fifty moves) end the game at once. Evaluations: material and mobility, C. E. Shannon, Programming a Computer for
Playing Chess (1950); Turing's ratio, the CSC384 slides in docs/theory/sources.md.

    56 57 58 59 60 61 62 63   eighth row        The board is a string with a letter a square, a1 first. Capitals are White's:
    ⋮                                           P pawn, N knight, B bishop, R rook, Q queen, K king; a dot is an empty square.
     8  9 10 11 12 13 14 15
     0  1  2  3  4  5  6  7   first row         Smaller boards are numbered in the same way.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, MIN, Game
from zermelo.words import bits, u64

__all__ = ["Chess", "Position"]

EMPTY = "."
PIECES = "PNBRQK"
ARMIES = ("PNBRQK", "pnbrqk")  # [player]
NOBODY = -1
OWNER = {EMPTY: NOBODY} | {piece: player for player, army in enumerate(ARMIES) for piece in army}
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))  # (up, right)
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
LEAPS = ((2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2))
SLIDES = {"B": DIAGONAL, "R": STRAIGHT, "Q": STRAIGHT + DIAGONAL}
STEPS = {"N": LEAPS, "K": STRAIGHT + DIAGONAL}
WORTH = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9, "K": 0, EMPTY: 0}  # in pawns
PHASE = dict(zip("PNBRQKpnbrqk", (0, 1, 1, 2, 4, 0) * 2, strict=True))  # 24 at the start, 0 where pawns and kings are left
MOST_PHASE = 24
FILES = "abcdefghijklmnop"
NOWHERE = -1
STANDARD = 518  # the number of the setup RNBQKBNR
EVALUATIONS = ("standard", "mobility", "turing")
FULL = 100  # pawns that count as much as a win
CERTAIN = 0.99  # no estimate is as good as a win


MIDDLE_WORTH = {"P": 90, "N": 325, "B": 340, "R": 480, "Q": 980, "K": 0}  # hundredths of a pawn, many pieces on the board
END_WORTH = {"P": 110, "N": 300, "B": 325, "R": 530, "Q": 980, "K": 0}  # few pieces


class Features(NamedTuple):
    """How White stands: White's less Black's. *Early* counts while there are many pieces, *late* when few are left."""

    places: float  # pieces and their squares, in hundredths of a pawn
    early_minor: float  # squares that knights and bishops can move to or take on
    late_minor: float
    early_major: float  # the same for rooks and queens
    late_major: float
    storm: float  # of all these, squares beside the enemy's king
    shelter: float  # pawns before the own king
    early_passed: float  # passed pawns, each the square of its steps
    late_passed: float
    isolated: float  # pawns
    doubled: float
    pair: float  # two bishops
    open: float  # rooks without an own pawn before them
    turn: float  # the move


WEIGHTS = Features(1, 4, 4, 1.5, 3, 6, 9, 0.6, 2.2, -12, -10, 30, 14, 10)  # hundredths of a pawn; `zermelo learn chess` learns others


class Position(NamedTuple):
    """Two positions are equal when the same can happen from now on; a rule that is switched off leaves its field alone."""

    board: str
    turn: int  # 0 White, 1 Black
    castling: tuple[int, ...]  # squares of the rooks with which a king may still castle
    passing: int = NOWHERE  # the square that a pawn has just passed by, where it can be taken
    clock: int = 0  # single moves without a capture or a move of a pawn
    number: int = 1  # of the move, as in FEN
    earlier: tuple[int, ...] = ()  # the moves since the oldest position that may return; none takes, castles or moves a pawn
    checks: tuple[int, int] = (0, 0)  # given by White and by Black, where a variant counts them


def put(board: str, square: int, piece: str) -> str:
    """The board with another piece on one square."""
    return board[:square] + piece + board[square + 1 :]


def scharnagl(number: int) -> str:
    """White's pieces in the setup of this number, 0 to 959."""
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    rest, queen = divmod(rest, 6)
    row = [EMPTY] * 8
    row[2 * light + 1] = row[2 * dark] = "B"
    row[[place for place in range(8) if row[place] == EMPTY][queen]] = "Q"
    free = [place for place in range(8) if row[place] == EMPTY]
    for knight in list(combinations(range(5), 2))[rest]:
        row[free[knight]] = "N"
    for piece in "RKR":
        row[row.index(EMPTY)] = piece
    return "".join(row)


@dataclass(frozen=True)
class Chess(Game):
    """The royal game."""

    setup: int = STANDARD  # Scharnagl's number of the first row: 518 is RNBQKBNR, 0 to 959 are those of Chess960
    evaluation: str = "standard"  # or "mobility", or "turing"
    repetitions: int = 3  # how often a position may come up until the game is drawn; 0: as often as it likes
    clock: int = 100  # single moves without a capture or a move of a pawn until the game is drawn; 0: no limit
    insufficient: bool = True  # where nobody has what it takes to mate, the game is drawn
    seats = ("White", "Black")
    unit = ("pawns", FULL)
    payoffs = (-1, 1)
    cover = "e4 e5 Nf3 Nc6 Bc4 Nf6"  # the Italian game
    width = 8
    height = 8
    promotions = "QRBN"
    double_steps = True  # may a pawn move two squares from its first row?
    castles = True  # is there castling?

    def __post_init__(self) -> None:
        if self.evaluation not in EVALUATIONS:
            raise RulesError(f"Chess has the evaluations {', '.join(EVALUATIONS)}, not {self.evaluation!r}.")
        if self.repetitions < 0 or self.repetitions == 1 or self.clock < 0:
            raise RulesError("Chess needs repetitions of 0 (no limit) or at least 2, and a clock of at least 0.")
        if not 0 <= self.setup < 960:
            raise RulesError(f"Chess has the setups 0 to 959, not {self.setup}: 518 is the usual one.")

    @property
    def squares(self) -> int:
        return self.width * self.height

    # --- the six rules

    def first_fen(self) -> str:
        """The position in which a game begins."""
        row = scharnagl(self.setup)
        return f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row} w KQkq - 0 1"

    def start(self) -> Position:
        return self.read(self.first_fen())

    def player(self, position: Position) -> int:
        return position.turn

    def actions(self, position: Position) -> Iterator[int]:
        """From + 64 · to + 4096 · promotion, 0 or a piece: 2 knight … 5 queen. A king that castles goes to his rook."""
        if not self.won(position) and not self.drawn(position):
            yield from self.legal(position)

    def result(self, position: Position, action: int) -> Position:
        origin, target, _ = self.parts_of(action)
        board, turn, piece = position.board, position.turn, position.board[origin]
        castling = position.castling
        if self.castles and piece in "Kk":
            castling = tuple(rook for rook in castling if OWNER[board[rook]] != turn)
        if self.castles:
            castling = tuple(rook for rook in castling if rook not in (origin, target))
        final = piece in "Pp" or board[target] != EMPTY or castling != position.castling  # the positions before cannot return
        stays = piece not in "Pp" and OWNER[board[target]] != 1 - turn
        doubled = piece in "Pp" and abs(target - origin) == 2 * self.width
        return Position(
            self.after(board, action),
            1 - turn,
            castling,
            (origin + target) // 2 if doubled and origin // self.width in (1, self.height - 2) else NOWHERE,
            position.clock + 1 if self.clock and stays else 0,
            position.number + (turn if self.clock else 0),
            () if final or not self.repetitions or self.can_pass(position) else (*position.earlier, action),
            position.checks,
        )

    def terminal(self, position: Position) -> bool:
        return self.won(position) != 0 or self.stuck(position) or self.drawn(position)

    def utility(self, position: Position) -> int:
        return self.won(position) or (self.stuck_payoff(position) if self.stuck(position) else 0)

    # --- how a game ends

    def won(self, position: Position) -> int:
        """The payoff where a game is won by more than having no move left: in variants."""
        return 0

    def stuck(self, position: Position) -> bool:
        return not any(True for _ in self.legal(position))

    def stuck_payoff(self, position: Position) -> int:
        """Mate or stalemate."""
        if not self.in_check(position.board, position.turn):
            return 0
        return -1 if position.turn == MAX else 1

    def drawn(self, position: Position) -> bool:
        """Do the laws end the game although there are moves? Mate comes before any of that."""
        if self.insufficient and self.bare(position.board):
            return True
        if self.clock and position.clock >= self.clock and not self.stuck(position):
            return True
        most = self.repetitions - 1  # times that a position may return, and each takes four moves
        return self.repetitions > 0 and len(position.earlier) >= 4 * most and self.returns(position) >= most

    def returns(self, position: Position) -> int:
        """How often the position has come up before: the moves are taken back one by one."""
        board, count = position.board, 0
        for taken, action in enumerate(reversed(position.earlier), 1):
            origin, target, _ = self.parts_of(action)
            board = put(put(board, origin, board[target]), target, EMPTY)
            if taken % 2 == 0 and board == position.board:
                count += 1
        return count

    def can_pass(self, position: Position) -> bool:
        """Can a pawn be taken in passing? Such a position never returns."""
        return position.passing != NOWHERE and any(self.is_passing(position, action) for action in self.legal(position))

    def bare(self, board: str) -> bool:
        """Can nobody mate? Kings with one minor piece, or with bishops on squares of one colour."""
        if "P" in board or "p" in board or "Q" in board or "q" in board or "R" in board or "r" in board:
            return False
        men = [(piece.upper(), square) for square, piece in enumerate(board) if piece not in (EMPTY, "K", "k")]
        if len(men) == 1:
            return men[0][0] in "NB"
        return all(kind == "B" for kind, _ in men) and len({sum(divmod(square, self.width)) % 2 for _, square in men}) < 2

    # --- how pieces move

    @cached_property
    def rays(self) -> dict[tuple[int, int], tuple[tuple[int, ...], ...]]:
        """[direction][square] the squares that way, the nearest first."""
        found: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {}
        for up, right in STRAIGHT + DIAGONAL + LEAPS:
            lines = []
            for square in range(self.squares):
                row, column = divmod(square, self.width)
                line = []
                while 0 <= row + up < self.height and 0 <= column + right < self.width:
                    row, column = row + up, column + right
                    line.append(row * self.width + column)
                lines.append(tuple(line))
            found[up, right] = tuple(lines)
        return found

    @cached_property
    def steps(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """[N or K][square] where such a piece can go to on an empty board."""
        return {
            kind: tuple(tuple(self.rays[way][square][0] for way in ways if self.rays[way][square]) for square in range(self.squares))
            for kind, ways in STEPS.items()
        }

    @cached_property
    def slides(self) -> dict[str, tuple[tuple[tuple[int, ...], ...], ...]]:
        """[B, R or Q][square] the lines along which such a piece can go."""
        return {
            kind: tuple(tuple(self.rays[way][square] for way in ways if self.rays[way][square]) for square in range(self.squares))
            for kind, ways in SLIDES.items()
        }

    def reach(self, board: str, square: int) -> Iterator[int]:
        """The squares that the piece there attacks, pawns left out."""
        kind = board[square].upper()
        if kind in STEPS:
            yield from self.steps[kind][square]
        elif kind in SLIDES:
            for line in self.slides[kind][square]:
                for target in line:
                    yield target
                    if board[target] != EMPTY:
                        break

    def reach_bits(self, piece: str, square: int, occupied: u64) -> u64:
        """The squares that a piece attacks, as bits: a line ends with its first man, the lowest bit upwards, the highest downwards."""
        reached, upwards, downwards = self.lines[piece][square]
        for line in upwards:
            men = line & occupied
            reached |= line & (men ^ men - 1) if men else line
        for line in downwards:
            men = line & occupied
            reached |= line & ~((1 << men.bit_length() - 1) - 1) if men else line
        return reached

    def attacked(self, board: str, square: int, by: int) -> bool:
        """Does the player attack the square?"""
        pawn, knight, bishop, rook, queen, king = tuple(ARMIES[by])
        below = -1 if by == MAX else 1  # a pawn that attacks stands a row further back
        for right in (-1, 1):
            line = self.rays[below, right][square]
            if line and board[line[0]] == pawn:
                return True
        if any(board[other] == knight for other in self.steps["N"][square]) or any(
            board[other] == king for other in self.steps["K"][square]
        ):
            return True
        for kind, slider in (("R", rook), ("B", bishop)):
            for line in self.slides[kind][square]:
                for other in line:
                    if board[other] != EMPTY:
                        if board[other] in (slider, queen):
                            return True
                        break
        return False

    def in_check(self, board: str, player: int) -> bool:
        king = board.find(ARMIES[player][5])
        return king >= 0 and self.threatened(board, king, 1 - player)

    def threatened(self, board: str, square: int, by: int) -> bool:
        """Could a king not stand on the square, because the player attacks it?"""
        return self.attacked(board, square, by)

    def legal(self, position: Position) -> Iterator[int]:
        """The moves after which the mover's king is not attacked."""
        board, turn = position.board, position.turn
        checked = self.in_check(board, turn)
        held = [] if checked else list(self.held(board, turn))
        for action in self.moves(position):
            origin, target, _ = self.parts_of(action)
            free = not checked and origin not in held and target != position.passing
            if free or not self.in_check(self.after(board, action), turn):
                yield action

    def held(self, board: str, player: int) -> Iterator[int]:
        """The squares from which a move may leave a king attacked who is not in check: his own, and those of pinned pieces."""
        king = board.find(ARMIES[player][5])
        if king < 0:
            return
        yield king
        _, _, bishop, rook, queen, _ = tuple(ARMIES[1 - player])
        for kind, slider in (("R", rook), ("B", bishop)):
            for line in self.slides[kind][king]:
                shield = NOWHERE
                for square in line:
                    piece = board[square]
                    if piece != EMPTY:
                        if shield != NOWHERE or OWNER[piece] != player:
                            if shield != NOWHERE and piece in (slider, queen):
                                yield shield
                            break
                        shield = square

    def moves(self, position: Position) -> Iterator[int]:
        """The moves, whatever becomes of the king."""
        board, turn = position.board, position.turn
        for square, piece in enumerate(board):
            if OWNER[piece] == turn:
                if piece in "Pp":
                    yield from self.pawn_moves(position, square)
                else:
                    for target in self.reach(board, square):
                        if OWNER[board[target]] != turn:
                            yield self.action(square, target)
        if self.castles:
            yield from self.castlings(position)

    def pawn_moves(self, position: Position, square: int) -> Iterator[int]:
        yield from self.pawn_steps(position, square)
        yield from self.pawn_captures(position, square)

    def pawn_steps(self, position: Position, square: int) -> Iterator[int]:
        board, up = position.board, 1 if position.turn == MAX else -1
        ahead = square + up * self.width
        first = 1 if position.turn == MAX else self.height - 2
        if 0 <= ahead < self.squares and board[ahead] == EMPTY:
            yield from self.pawn_arrives(square, ahead)
            if (
                self.double_steps
                and self.may_double(position.turn, square // self.width, first)
                and board[ahead + up * self.width] == EMPTY
            ):
                yield self.action(square, ahead + up * self.width)

    def pawn_captures(self, position: Position, square: int) -> Iterator[int]:
        up = 1 if position.turn == MAX else -1
        for right in (-1, 1):
            for target in self.rays[up, right][square][:1]:
                if OWNER[position.board[target]] == 1 - position.turn or target == position.passing:
                    yield from self.pawn_arrives(square, target)

    def may_double(self, player: int, row: int, first: int) -> bool:
        """May a pawn of this row move two squares?"""
        return row == first

    def pawn_arrives(self, square: int, target: int) -> Iterator[int]:
        """A move of a pawn: four where it reaches the last row."""
        if target // self.width in (0, self.height - 1):
            for piece in self.promotions:
                yield self.action(square, target, piece)
        else:
            yield self.action(square, target)

    def castlings(self, position: Position) -> Iterator[int]:
        """King and rook end up as in the usual setup. All between is free but for the two, and no square of the king's way is attacked."""
        board, turn = position.board, position.turn
        king = board.find(ARMIES[turn][5])
        for rook in position.castling:
            if OWNER[board[rook]] == turn:
                king_to, rook_to = self.castled(king, rook)
                ends = (king, rook, king_to, rook_to)
                between = range(min(ends), max(ends) + 1)
                way = range(min(king, king_to), max(king, king_to) + 1)
                free = all(board[square] == EMPTY or square in (king, rook) for square in between)
                if free and not any(self.threatened(board, square, 1 - turn) for square in way):
                    yield self.action(king, rook)

    def castled(self, king: int, rook: int) -> tuple[int, int]:
        """Where the two stand after castling."""
        row = king - king % self.width
        return (row + self.width - 2, row + self.width - 3) if rook > king else (row + 2, row + 3)

    def after(self, board: str, action: int) -> str:
        """The board after a move."""
        origin, target, promotion = self.parts_of(action)
        piece = board[origin]
        if piece in "Kk" and board[target] == ("R" if piece == "K" else "r"):
            king_to, rook_to = self.castled(origin, target)
            return put(put(put(put(board, origin, EMPTY), target, EMPTY), king_to, piece), rook_to, "R" if piece == "K" else "r")
        if piece in "Pp" and origin % self.width != target % self.width and board[target] == EMPTY:
            board = put(board, origin - origin % self.width + target % self.width, EMPTY)  # taken in passing
        if promotion != EMPTY:
            piece = promotion if piece == "P" else promotion.lower()
        return put(put(board, origin, EMPTY), target, piece)

    def action(self, square: int, target: int, promotion: str = EMPTY) -> int:
        return square + self.squares * (target + self.squares * (EMPTY + PIECES).index(promotion))

    def parts_of(self, action: int) -> tuple[int, int, str]:
        """From where to where, and the piece that a pawn becomes; a dot for none."""
        rest, square = divmod(action, self.squares)
        promotion, target = divmod(rest, self.squares)
        return square, target, (EMPTY + PIECES)[promotion]

    def is_castling(self, position: Position, action: int) -> bool:
        square, target, _ = self.parts_of(action)
        return position.board[square] in "Kk" and OWNER[position.board[target]] == position.turn

    def is_passing(self, position: Position, action: int) -> bool:
        """Does a pawn take another in passing?"""
        square, target, _ = self.parts_of(action)
        return target == position.passing and position.board[square] in "Pp" and square % self.width != target % self.width

    # --- knowledge

    def evaluate(self, position: Position) -> float:
        if self.evaluation == "standard":
            features = self.features(position)
            return max(-CERTAIN, min(CERTAIN, sum(WEIGHTS[term] * features[term] for term in range(len(WEIGHTS))) / (100 * FULL)))
        white, black = (sum(WORTH[piece.upper()] for piece in position.board if piece in army) for army in ARMIES)
        if self.evaluation == "turing":  # white / black, where equal armies are 0 and a bare king is lost: (ratio - 1) / (ratio + 1)
            return CERTAIN * (white - black) / (white + black) if white + black else 0.0
        lead = white - black + (self.mobility(position.board, MAX) - self.mobility(position.board, MIN)) / 10
        return max(-CERTAIN, min(CERTAIN, lead / FULL))

    def mobility(self, board: str, player: int) -> int:
        """Squares that the pieces of a player can move to, check or not; pawns are left out."""
        own = [square for square in range(self.squares) if OWNER[board[square]] == player]
        return sum(OWNER[board[target]] != player for square in own for target in self.reach(board, square))

    def features(self, position: Position) -> Features:
        """How White stands; see `Features`."""
        board = position.board
        middle = end = phase = minor = major = storm = open = 0
        men = [0, 0]  # [player] a bit a square
        pawns = [0, 0]
        bishops = [0, 0]
        kings = (board.find("K"), board.find("k"))
        for square, piece in enumerate(board):
            if piece != EMPTY:
                player = OWNER[piece]
                middle += self.places_middle[piece][square]
                end += self.places_end[piece][square]
                phase += PHASE[piece]
                men[player] |= 1 << square
                if piece in "Pp":
                    pawns[player] |= 1 << square
        occupied = men[MAX] | men[MIN]
        for square in bits(occupied & ~(pawns[MAX] | pawns[MIN])):
            piece = board[square]
            player = OWNER[piece]
            sign = 1 if player == MAX else -1
            if piece not in "Kk":
                reached = self.reach_bits(piece, square, occupied)
                moves = (reached & ~men[player]).bit_count()
                storm += sign * (reached & self.zone[kings[1 - player]]).bit_count()
                if piece in "RQrq":
                    major += sign * moves
                else:
                    minor += sign * moves
                if piece in "Bb":
                    bishops[player] += 1
                if piece in "Rr" and not self.ahead[player][square] & self.columns[square % self.width] & pawns[player]:
                    open += sign
        pair = (bishops[MAX] > 1) - (bishops[MIN] > 1)
        passed, isolated, doubled = self.pawn_features(pawns[MAX], pawns[MIN])
        shelter = self.shelter(MAX, kings[MAX], pawns[MAX]) - self.shelter(MIN, kings[MIN], pawns[MIN])
        early = min(phase, MOST_PHASE) / MOST_PHASE
        late = 1 - early
        return Features(
            middle * early + end * late,
            minor * early,
            minor * late,
            major * early,
            major * late,
            storm * early,
            shelter * early,
            passed * early,
            passed * late,
            isolated,
            doubled,
            pair,
            open,
            1 if position.turn == MAX else -1,
        )

    def pawn_features(self, white: int, black: int) -> tuple[int, int, int]:
        """White's passed pawns, each the square of its steps; isolated ones; doubled ones; less Black's."""
        passed = isolated = doubled = 0
        for player, own, other in ((MAX, white, black), (MIN, black, white)):
            sign = 1 if player == MAX else -1
            rest = own
            while rest:
                square = (rest & -rest).bit_length() - 1
                rest &= rest - 1
                ahead, column = self.ahead[player][square], square % self.width
                if not ahead & other:
                    steps = square // self.width if player == MAX else self.height - 1 - square // self.width
                    passed += sign * steps * steps
                if not self.beside[column] & own:
                    isolated += sign
                if ahead & own & self.columns[column]:
                    doubled += sign
        return passed, isolated, doubled

    def shelter(self, player: int, king: int, pawns: int) -> int:
        """Own pawns in the two rows before the king."""
        return (pawns & self.shield[player][king]).bit_count() if king >= 0 else 0

    @cached_property
    def mirrored(self) -> tuple[int, ...]:
        """[square] the square as the other player counts it."""
        return tuple((self.height - 1 - square // self.width) * self.width + square % self.width for square in range(self.squares))

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """[column] its squares without the last row, where no pawn stands; as bits, like the next four."""
        return tuple(sum(1 << row * self.width + column for row in range(self.height - 1)) for column in range(self.width))

    @cached_property
    def beside(self) -> tuple[int, ...]:
        """[column] the columns beside it."""
        near = (0, *self.columns, 0)
        return tuple(near[column] | near[column + 2] for column in range(self.width))

    @cached_property
    def ahead(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """[player][square] the squares from which a pawn could stop one of that player there."""
        rows = tuple(sum(1 << row * self.width + column for column in range(self.width)) for row in range(self.height - 1))
        up, down = [], []
        for square in range(self.squares):
            row, column = divmod(square, self.width)
            wide = self.columns[column] | self.beside[column]
            up.append(wide & sum(rows[row + 1 :]))
            down.append(wide & sum(rows[:row]))
        return tuple(up), tuple(down)

    @cached_property
    def shield(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """[player][king's square] the squares of pawns that shelter the king."""
        rows = tuple(sum(1 << row * self.width + column for column in range(self.width)) for row in range(self.height - 1))
        return (
            tuple(mask & sum(rows[: square // self.width + 3]) for square, mask in enumerate(self.ahead[MAX])),
            tuple(mask & sum(rows[max(0, square // self.width - 2) :]) for square, mask in enumerate(self.ahead[MIN])),
        )

    @cached_property
    def zone(self) -> tuple[int, ...]:
        """[king's square] it and the squares beside it, as bits; the last entry is for an army without a king."""
        return (*(1 << square | sum(1 << other for other in self.steps["K"][square]) for square in range(self.squares)), 0)

    @cached_property
    def lines(self) -> dict[str, tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]]:
        """[piece][square] as bits: where it can step to, its lines to squares of higher numbers, those to lower ones."""
        found = {}
        for piece in "NBRQnbrq":
            kind, rows = piece.upper(), []
            for square in range(self.squares):
                slides = self.slides[kind][square] if kind in SLIDES else ()
                steps = self.steps[kind][square] if kind in STEPS else ()
                upwards, downwards = (
                    tuple(sum(1 << other for other in line) for line in slides if (line[0] > square) == up) for up in (True, False)
                )
                rows.append((sum(1 << other for other in steps), upwards, downwards))
            found[piece] = tuple(rows)
        return found

    @cached_property
    def places_middle(self) -> dict[str, tuple[int, ...]]:
        """[piece][square] its worth for White in hundredths of a pawn while there are many pieces."""
        return self.places(True)

    @cached_property
    def places_end(self) -> dict[str, tuple[int, ...]]:
        """The same when few are left."""
        return self.places(False)

    def places(self, early: bool) -> dict[str, tuple[int, ...]]:
        white = {kind: [self.place_worth(kind, square, early) for square in range(self.squares)] for kind in PIECES}
        black = {kind.lower(): [-row[square] for square in self.mirrored] for kind, row in white.items()}
        return {piece: tuple(row) for piece, row in (white | black).items()}

    def place_worth(self, kind: str, square: int, early: bool) -> int:
        """A piece on a square, in hundredths of a pawn: pieces like the middle, rooks the seventh row, kings shelter first."""
        row, column = divmod(square, self.width)
        height, flank = min(row, self.height - 1 - row), min(column, self.width - 1 - column)  # 0 at the edge, 3 in the middle
        centre, steps = height + flank, max(row - 1, 0)
        worth = (MIDDLE_WORTH if early else END_WORTH)[kind]
        if kind == "P":
            return worth + (4 * flank * min(steps, 2) + 3 * steps if early else 8 * steps)
        if kind == "N":
            return worth + 10 * height + 6 * flank - 25
        if kind == "B":
            return worth + 5 * centre - (20 if row == 0 else 12)
        if kind == "R":
            return worth + (15 if row == self.height - 2 else 0) + (3 * flank if early and row == 0 else 0)
        if kind == "Q":
            return worth + (centre - (10 if row > 2 else 0) if early else 4 * centre)
        return (5, 20, -10, -5)[flank] - 20 * min(row, 3) if early else 10 * centre - 30

    def victim(self, position: Position, action: int) -> str:
        """The piece that a move takes, as a capital; a dot for none."""
        if self.is_passing(position, action):
            return "P"
        return EMPTY if self.is_castling(position, action) else position.board[self.parts_of(action)[1]].upper()

    def order(self, position: Position, action: int) -> int:
        """The most valuable victim first, taken by the least valuable attacker; promotions; last what gives away more than it takes."""
        square, target, promotion = self.parts_of(action)
        victim = self.victim(position, action)
        gain = 100 * WORTH["Q"] if promotion == "Q" else 0
        if victim == EMPTY:
            return gain
        taker = position.board[square].upper()
        if WORTH[taker] > WORTH[victim] and not gain and self.attacked(position.board, target, 1 - position.turn):
            return WORTH[victim] - WORTH[taker]
        return gain + 100 * WORTH[victim] - WORTH[taker] - (taker == "K")

    def quiet(self, position: Position) -> bool:
        """No check, and no move that wins something at once."""
        return not self.in_check(position.board, position.turn) and not any(
            self.order(position, action) > 0 and not self.in_check(self.after(position.board, action), position.turn)
            for action in self.captures(position)
        )

    def captures(self, position: Position) -> Iterator[int]:
        """The moves that take a piece or promote a pawn, whatever becomes of the king."""
        board, turn = position.board, position.turn
        before_last = self.height - 2 if position.turn == MAX else 1
        for square, piece in enumerate(board):
            if OWNER[piece] == turn:
                if piece in "Pp":
                    yield from self.pawn_captures(position, square)
                    if square // self.width == before_last:
                        yield from self.pawn_steps(position, square)
                else:
                    for target in self.reach(board, square):
                        if OWNER[board[target]] == 1 - turn:
                            yield self.action(square, target)

    def outline(self, position: Position) -> tuple[str, int, tuple[int, ...], int]:
        """What decides how good a position is, but for clocks and repetitions."""
        return position.board, position.turn, position.castling, position.passing

    def passed(self, position: Position) -> Position:
        """Doing nothing is never better than the best move, except where pieces are few and a move may be forced upon a player."""
        own = ARMIES[position.turn]
        men = sum(piece in own[1:5] for piece in position.board)
        if not men or self.in_check(position.board, position.turn):
            return position
        return position._replace(turn=1 - position.turn, passing=NOWHERE, earlier=())

    # --- presentation

    def square_name(self, square: int) -> str:
        return f"{FILES[square % self.width]}{square // self.width + 1}"

    def name(self, position: Position, action: int) -> str:
        """As engines write it: e2e4, e7e8q, e1g1; in Chess960 a king that castles goes to his rook."""
        square, target, promotion = self.parts_of(action)
        if self.is_castling(position, action) and self.setup == STANDARD:
            target = self.castled(square, target)[0]
        return self.square_name(square) + self.square_name(target) + promotion.lower().strip(EMPTY)

    def spoken(self, position: Position, action: int) -> str:
        """As people write it: e4, Nbd7, O-O, exd8=Q#."""
        square, target, promotion = self.parts_of(action)
        kind = position.board[square].upper()
        after = self.result(position, action)
        check = self.in_check(after.board, after.turn)
        ending = "#" if self.won(after) or (check and self.stuck(after)) else "+" if check else ""
        if self.is_castling(position, action):
            return ("O-O" if target > square else "O-O-O") + ending
        takes = "x" if self.victim(position, action) != EMPTY else ""
        to = takes + self.square_name(target) + (f"={promotion}" if promotion != EMPTY else "")
        if kind == "P":
            return (FILES[square % self.width] if takes else "") + to + ending
        others = [self.parts_of(other)[:2] for other in self.legal(position) if other != action]
        rivals = [start for start, end in others if end == target and position.board[start] == position.board[square]]
        name = self.square_name(square)
        if not rivals:
            return kind + to + ending
        if all(rival % self.width != square % self.width for rival in rivals):
            return kind + name[0] + to + ending
        if all(rival // self.width != square // self.width for rival in rivals):
            return kind + name[1:] + to + ending
        return kind + name + to + ending

    def fen(self, position: Position) -> str:
        """The position without what came before it."""
        rows = [position.board[start : start + self.width] for start in range(0, self.squares, self.width)]
        text = "/".join(rows[::-1])
        for run in range(self.width, 0, -1):
            text = text.replace(EMPTY * run, str(run))
        passing = "-" if position.passing == NOWHERE else self.square_name(position.passing)
        return f"{text} {'wb'[position.turn]} {self.rights(position)} {passing} {position.clock} {position.number}"

    def rights(self, position: Position) -> str:
        """Castling as FEN writes it: KQkq, or the rook's file where another rook stands further out."""
        letters = ""
        for player in (MAX, MIN):
            for right in (True, False):
                for rook in position.castling:
                    king = position.board.find(ARMIES[player][5])
                    if position.board[rook] == ARMIES[player][3] and (rook > king) == right:
                        usual = self.outer_rook(position.board, player, right) == rook
                        letter = ("K" if right else "Q") if usual else FILES[rook % self.width].upper()
                        letters += letter if player == MAX else letter.lower()
        return letters or "-"

    def outer_rook(self, board: str, player: int, right: bool) -> int:
        """The outermost rook of the king's row on that side of him."""
        king = board.find(ARMIES[player][5])
        row = king - king % self.width
        side = range(row + self.width - 1, king, -1) if right else range(row, king)
        return next((square for square in side if board[square] == ARMIES[player][3]), NOWHERE)

    def show(self, position: Position) -> str:
        """FEN; where earlier positions may return, that of the oldest, and the moves since."""
        if not position.earlier:
            return self.fen(position)
        board, moves = position.board, []  # type: str, list[str]
        for action in reversed(position.earlier):
            origin, target, _ = self.parts_of(action)
            board = put(put(board, origin, board[target]), target, EMPTY)
            moves.insert(0, self.square_name(origin) + self.square_name(target))
        turn = (position.turn + len(moves)) % 2
        plies = 2 * position.number + position.turn - (len(moves) if self.clock else 0)
        clock = position.clock - (len(moves) if self.clock else 0)
        oldest = position._replace(board=board, turn=turn, passing=NOWHERE, clock=clock, number=plies // 2, earlier=())
        return f"{self.fen(oldest)} moves {' '.join(moves)}"

    def read(self, text: str) -> Position:
        fen, _, moves = " ".join(text.split()).partition(" moves")
        position = self.read_fen(fen)
        for word in moves.split():
            action = next((action for action in self.legal(position) if self.name(position, action) == word), None)
            if action is None:
                raise ZermeloError(f"{word} is not possible in {self.show(position)}.")
            position = self.result(position, action)
        return position

    def read_fen(self, fen: str) -> Position:
        """A position of which nothing earlier is known; clock and number of the move may be left out."""
        words = fen.split()
        wrong = f"{fen!r} is not the FEN of a chess position"
        if not 4 <= len(words) <= 6 or words[1] not in ("w", "b") or not all(word.isdecimal() for word in words[4:]):
            raise ZermeloError(f"{wrong}: write pieces, w or b, castling, a square or -, clock and number, as in {self.first_fen()}.")
        board, turn = self.read_board(words[0], wrong), "wb".index(words[1])
        clock, number = (int(word) for word in (*words[4:], "0", "1")[:2]) if len(words) != 5 else (int(words[4]), 1)
        passing = NOWHERE
        if words[3] != "-":
            names = [self.square_name(square) for square in range(self.squares)]
            passing = names.index(words[3]) if words[3] in names else NOWHERE
            row = self.height - 3 if turn == MAX else 2
            behind = passing + (-self.width if turn == MAX else self.width)
            if passing == NOWHERE or passing // self.width != row or board[passing] != EMPTY or board[behind] != ARMIES[1 - turn][0]:
                raise ZermeloError(f"{wrong}: no pawn has just passed by {words[3]}.")
        position = Position(board, turn, self.read_castling(board, words[2], wrong), passing, clock if self.clock else 0, number)
        fault = self.fault(position)
        if fault:
            raise ZermeloError(f"{fen!r} is not a chess position: {fault}.")
        return position

    def read_board(self, text: str, wrong: str) -> str:
        rows = text.split("/")
        if len(rows) != self.height:
            raise ZermeloError(f"{wrong}: it has {len(rows)} rows instead of {self.height}.")
        board = ""
        for number, row in zip(range(self.height, 0, -1), rows, strict=True):
            for place, mark in enumerate(row):
                if mark not in ARMIES[0] + ARMIES[1] and not mark.isdecimal():
                    column = sum(int(before) if before.isdecimal() else 1 for before in row[:place])
                    raise ZermeloError(f"{wrong}: {mark!r} on {FILES[column % len(FILES)]}{number} is not a piece.")
            squares = "".join(EMPTY * int(mark) if mark.isdecimal() else mark for mark in row)
            if len(squares) != self.width:
                raise ZermeloError(f"{wrong}: row {number} has {len(squares)} squares instead of {self.width}.")
            board = squares + board
        return board

    def read_castling(self, board: str, text: str, wrong: str) -> tuple[int, ...]:
        """The rooks that the letters mean."""
        rooks = set()
        for letter in text if text != "-" else "":
            player = MAX if letter.isupper() else MIN
            king = board.find(ARMIES[player][5])
            row = 0 if player == MAX else self.squares - self.width
            if letter in "KQkq":
                rook = self.outer_rook(board, player, letter in "Kk")
            else:
                rook = row + FILES.index(letter.lower()) if letter.lower() in FILES[: self.width] else NOWHERE
            if king < 0 or king // self.width != row // self.width or rook == NOWHERE or board[rook] != ARMIES[player][3]:
                raise ZermeloError(f"{wrong}: castling {letter} needs a king and a rook on their first row.")
            rooks.add(rook)
        return tuple(sorted(rooks))

    def fault(self, position: Position) -> str:
        """Why a game cannot go on from here; empty where it can."""
        board = position.board
        for player, colour in enumerate(("white", "black")):
            kings = board.count(ARMIES[player][5])
            if kings != 1:
                return f"it has {'no' if kings == 0 else kings} {colour} king{'s' if kings > 1 else ''}"
        pawns = [square for square in (*range(self.width), *range(self.squares - self.width, self.squares)) if board[square] in "Pp"]
        if pawns:
            return f"a pawn stands on {self.square_name(pawns[0])}"
        if self.in_check(board, 1 - position.turn):
            king = self.square_name(board.find(ARMIES[1 - position.turn][5]))
            return f"the king on {king} is in check and it is not his turn"
        return ""

    def board(self, position: Position) -> dict[str, Any]:
        """Rows from the last down; capitals are White's."""
        marks = ["" if piece == EMPTY else piece for piece in position.board]
        rows = [marks[start : start + self.width] for start in range(0, self.squares, self.width)][::-1]
        king = "Kk"[position.turn]
        check = self.in_check(position.board, position.turn) and king in position.board
        place = position.board.index(king) if check else 0
        marked = {"check": [self.height - 1 - place // self.width, place % self.width]} if check else {}
        return {"kind": "grid", "look": "chess", "rows": rows, **marked}
