"""The betting of a poker hand for two, without its cards: which sizes may be bet on each street, and the tree that follows from them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from zermelo.errors import ZermeloError

__all__ = ["Betting", "Node", "Sizes", "betting_tree"]

STREETS = ("preflop", "flop", "turn", "river")
SEATS = ("oop", "ip")
MOST_NODES = 500_000
MOST_RAISES = 60  # in one street
EPSILON = 1e-9

DECISION, CHANCE, FOLD, SHOWDOWN = range(4)


@dataclass
class Node:
    """One public situation."""

    kind: int
    player: int  # who decides, or who has folded; -1 elsewhere
    street: int  # how many streets were dealt before, counted from where the hand starts
    paid: tuple[float, float]  # chips of both on top of the pot at the start
    actions: list[str] = field(default_factory=list)
    children: list["Node"] = field(default_factory=list)


class Sizes:
    """Sizes by street and seat, from text: `50%,a`, or `flop: 33%,75%; turn oop: 50%; river: 75%,a`.

    `50%` of the pot, `2.5x` the bet before, `30` chips (a raise: by 30), `a` all-in, `e` such that equal shares of the pot are all-in
    on the last street.
    """

    def __init__(self, text: str, streets: Sequence[str], what: str) -> None:
        self.table: dict[tuple[str, str], tuple[str, ...]] = {}
        for part in filter(None, (piece.strip() for piece in text.split(";"))):
            head, colon, body = part.rpartition(":")
            words = head.lower().split() if colon else []
            streets = tuple(filter(None, streets))
            unknown = [word for word in words if word not in STREETS and word not in SEATS]
            if unknown:
                raise ZermeloError(f"{unknown[0]!r} in {what} is neither a street ({', '.join(STREETS)}) nor a seat ({', '.join(SEATS)}).")
            sizes = tuple(filter(None, re.split(r"[,\s]+", body.strip().lower())))
            for size in sizes:
                _judge(size, what)
            named = [word for word in words if word in STREETS]  # sizes of streets that are over, or not played, are not used
            for street in named or streets:
                for seat in [word for word in words if word in SEATS] or SEATS:
                    self.table[street, seat] = sizes

    def at(self, street: str, player: int) -> tuple[str, ...]:
        """The sizes that a player has on a street."""
        return self.table.get((street, SEATS[player]), ())


def _judge(size: str, what: str) -> None:
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)(%|x|)", size)
    if size in ("a", "e"):
        return
    if match is None or float(match[1]) <= 0 or (match[2] == "x" and float(match[1]) <= 1):
        raise ZermeloError(
            f"{size!r} in {what} is not a size of a bet: write 50% (of the pot), 2.5x (the last), 30 (chips), a (all-in) or e."
        )


@dataclass(frozen=True)
class Betting:
    """What a hand allows."""

    pot: float
    stack: float  # chips that each can still put in
    streets: tuple[str, ...]  # [cards dealt since the start] name of the street; "": the next card comes without bets
    bets: Sizes
    raises: Sizes
    donks: Sizes | None  # of the first player on a street after the other one bet last; None: as bets
    threshold: float  # a bet after which this share of the stack is in is all-in
    most_raises: int | None  # a street; None: no limit


def betting_tree(betting: Betting) -> Node:
    """The tree from the first player's first choice on."""
    return _Builder(betting).open(0, (0.0, 0.0), None)


class _Builder:
    def __init__(self, betting: Betting) -> None:
        self.betting = betting
        self.made = 0

    def node(self, kind: int, player: int, street: int, paid: tuple[float, float], raises: int = 0) -> Node:
        self.made += 1
        if raises > MOST_RAISES:
            raise ZermeloError("The betting does not end: give larger sizes, or a limit of raises (raise_limit=3).")
        if self.made > MOST_NODES:
            raise ZermeloError(
                f"The betting has more than {MOST_NODES:,} nodes without the cards: give fewer or larger sizes, or a limit of raises "
                "(raise_limit=3)."
            )
        return Node(kind, player, street, paid)

    def open(self, street: int, paid: tuple[float, float], aggressor: int | None) -> Node:
        """A street begins."""
        return self.act(street, paid, 0, aggressor, 0, 0.0, paid[0], checked=False)

    def act(
        self,
        street: int,
        paid: tuple[float, float],
        player: int,
        aggressor: int | None,
        raises: int,
        step: float,
        base: float,
        checked: bool,
    ) -> Node:
        """A player's turn.

        `raises` counts bets and raises of the street, `step` is the last one's size, `base` what each had paid before the street, and
        `aggressor` made the last bet of the hand.
        """
        node = self.node(DECISION, player, street, paid, raises)
        owed = paid[1 - player] - paid[player]
        if owed > EPSILON:
            self.add(node, "fold", self.node(FOLD, player, street, paid))
            called = _with(paid, player, paid[1 - player])
            self.add(node, "call", self.close(street, called, aggressor))
        elif checked:
            self.add(node, "check", self.close(street, paid, None))
        else:
            self.add(node, "check", self.act(street, paid, 1 - player, aggressor, 0, 0.0, base, checked=True))
        if self.betting.most_raises is None or raises <= self.betting.most_raises:
            for total in self.totals(street, paid, player, aggressor, step):
                by = total - paid[1 - player]
                verb = "raise" if owed > EPSILON else "bet"
                name = "all-in" if total >= self.betting.stack - EPSILON else f"{verb} {total - base:g}"
                self.add(node, name, self.act(street, _with(paid, player, total), 1 - player, player, raises + 1, by, base, checked=False))
        return node

    def add(self, node: Node, action: str, child: Node) -> None:
        node.actions.append(action)
        node.children.append(child)

    def totals(self, street: int, paid: tuple[float, float], player: int, aggressor: int | None, step: float) -> list[float]:
        """What the player may have put in all together after a bet or a raise, smallest first."""
        betting = self.betting
        name, other = betting.streets[street], paid[1 - player]
        if other >= betting.stack - EPSILON:
            return []
        facing = other - paid[player] > EPSILON
        sizes = betting.raises if facing else betting.bets
        leads = not facing and player == 0 and aggressor == 1 and street > 0
        if leads and betting.donks is not None:
            sizes = betting.donks
        pot = betting.pot + 2 * other
        found = set()
        for size in sizes.at(name, player):
            if size == "a":
                total = betting.stack
            elif size == "e":
                left = sum(bool(name) for name in betting.streets[street:])
                final = (betting.pot + 2 * betting.stack) / pot
                total = other + pot * (final ** (1 / left) - 1) / 2
            elif size.endswith("%"):
                total = other + pot * float(size[:-1]) / 100
            elif size.endswith("x"):
                total = paid[player] + (other - paid[player]) * float(size[:-1]) if facing else other + pot * float(size[:-1])
            else:
                total = other + float(size)
            total = max(total, other + step)  # a raise is no smaller than the last one
            found.add(betting.stack if total >= betting.threshold * betting.stack - EPSILON else round(total, 6))
        return sorted(found)

    def close(self, street: int, paid: tuple[float, float], aggressor: int | None) -> Node:
        """A street ends: the next card, or the cards are shown."""
        if street == len(self.betting.streets) - 1:
            return self.node(SHOWDOWN, -1, street, paid)
        node = self.node(CHANCE, -1, street, paid)
        all_in = paid[0] >= self.betting.stack - EPSILON
        no_bets = all_in or not self.betting.streets[street + 1]
        self.add(node, "deal", self.close(street + 1, paid, aggressor) if no_bets else self.open(street + 1, paid, aggressor))
        return node


def _with(paid: tuple[float, float], player: int, total: float) -> tuple[float, float]:
    return (total, paid[1]) if player == 0 else (paid[0], total)
