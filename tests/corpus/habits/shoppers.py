"""Engineer: Protocols, TypeAlias, Final, Literal, logging disabled, ClassVar, cached_property, __post_init__."""
from __future__ import annotations
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Final, Literal, Protocol, TypeAlias
from zermelo import Game

Resource: TypeAlias = Literal["wood", "stone", "gold"]
PRICES: Final[dict[Resource, int]] = {"wood": 1, "stone": 2, "gold": 4}


class Buyer(Protocol):
    coins: int

    def can_buy(self, what: Resource) -> bool: ...


@dataclass(frozen=True, slots=True)
class Shopper:
    coins: int = 5
    bag: tuple[Resource, ...] = ()

    def can_buy(self, what: Resource) -> bool:
        return self.coins >= PRICES[what]

    def buy(self, what: Resource) -> Shopper:
        if not self.can_buy(what):
            raise ValueError(f"cannot afford {what}")
        return Shopper(self.coins - PRICES[what], tuple(sorted((*self.bag, what))))

    @property
    def worth(self) -> int:
        kinds = set(self.bag)
        return sum(PRICES[r] for r in self.bag) + (3 if len(kinds) == 3 else 0)


@dataclass(frozen=True, slots=True)
class Market:
    shoppers: tuple[Shopper, Shopper] = field(default_factory=lambda: (Shopper(), Shopper(6)))
    turn: int = 0
    stock: tuple[int, ...] = (2, 2, 1)


@dataclass(frozen=True)
class Shopping(Game):
    rounds: int = 6
    NAMES: ClassVar[tuple[Resource, ...]] = ("wood", "stone", "gold")

    def __post_init__(self):
        if self.rounds < 1:
            raise ValueError("rounds must be positive")

    @cached_property
    def index(self) -> dict[Resource, int]:
        return {name: i for i, name in enumerate(self.NAMES)}

    def start(self) -> Market:
        return Market()

    def player(self, m: Market) -> int:
        return m.turn % 2

    def actions(self, m: Market) -> list[Resource | None]:
        who: Buyer = m.shoppers[m.turn % 2]
        return [r for r in self.NAMES if m.stock[self.index[r]] and who.can_buy(r)] + [None]

    def result(self, m: Market, what: Resource | None) -> Market:
        if what is None:
            return Market(m.shoppers, m.turn + 1, m.stock)
        stock = list(m.stock)
        stock[self.index[what]] -= 1
        left, right = m.shoppers
        if m.turn % 2 == 0:
            left = left.buy(what)
        else:
            right = right.buy(what)
        return Market((left, right), m.turn + 1, tuple(stock))

    def terminal(self, m: Market) -> bool:
        return m.turn >= self.rounds

    def utility(self, m: Market) -> int:
        a, b = m.shoppers
        return a.worth - b.worth
