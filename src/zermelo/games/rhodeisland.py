"""Rhode Island hold'em: one private card each, two open cards one after the other, a round of fixed bets before and after each.

Everybody antes 5; a bet is 10 in the first round and 20 in the others, with at most three raises a round. The best hand of three cards
wins: straight flush, three of a kind, straight, flush, pair, high card. Source: J. Shi and M. Littman, Abstraction methods for game
theoretic poker (2001); solved exactly by A. Gilpin and T. Sandholm, JACM 54 (2007). Smaller decks by parameter.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.games._betting import Betting, Sizes, betting_tree
from zermelo.games._cards import RANKS, card_name, hand_class, hand_name, strengths, suit_masks
from zermelo.games.holdem import numbered, stakes, suit_swaps
from zermelo.rules import CHANCE, Game
from zermelo.trees import public
from zermelo.trees.public import PublicGame, PublicNode

__all__ = ["Deal", "RhodeIsland"]

NONE = -1
ANTE = 5
STREETS = ("preflop", "flop", "turn")


class Deal(NamedTuple):
    hands: tuple[int, int]  # [player] card; NONE: not dealt yet
    runout: tuple[int, ...]
    node: int  # of the betting tree


@dataclass(frozen=True)
class RhodeIsland(Game):
    """A small hold'em with one private card."""

    ranks: int = 3
    suits: int = 2
    raises: int = 3  # allowed in one round, after the bet
    seats = ("Opener", "Dealer")

    def __post_init__(self) -> None:
        if not (2 <= self.ranks <= len(RANKS) and 1 <= self.suits <= 4 and self.ranks * self.suits >= 4):
            raise ZermeloError(f"Rhode Island hold'em needs 2 to 13 ranks, 1 to 4 suits and four cards, not {self.ranks} × {self.suits}.")
        if not 0 <= self.raises <= 20:
            raise ZermeloError(f"Rhode Island hold'em allows 0 to 20 raises a round, not {self.raises}.")

    @property
    def payoffs(self) -> tuple[float, float]:
        most = ANTE + 50 * (1 + self.raises)
        return (-most, most)

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The highest ranks, of the first suits."""
        return tuple(4 * rank + suit for rank in range(len(RANKS) - self.ranks, len(RANKS)) for suit in range(self.suits))

    @cached_property
    def nodes(self) -> tuple[PublicNode, ...]:
        """The betting tree."""
        text = "preflop: 10; flop: 20; turn: 20"
        stack = 10.0 * 50 * (1 + self.raises)  # more than can be bet
        betting = Betting(2 * ANTE, stack, STREETS, Sizes(text, STREETS, "bets"), Sizes(text, STREETS, "raises"), None, 1.0, self.raises)
        return numbered(betting_tree(betting), 2 * ANTE)

    def start(self) -> Deal:
        return Deal((NONE, NONE), (), 0)

    def player(self, deal: Deal) -> int:
        node = self.nodes[deal.node]
        return CHANCE if NONE in deal.hands or node.kind == public.CHANCE else node.player

    def chances(self, deal: Deal) -> Iterator[tuple[int, int]]:
        gone = {*deal.hands, *deal.runout}
        yield from ((card, 1) for card in self.deck if card not in gone)

    def actions(self, deal: Deal) -> list[int]:
        if self.terminal(deal):
            return []
        if self.player(deal) == CHANCE:
            return [card for card, _ in self.chances(deal)]
        return list(range(len(self.nodes[deal.node].children)))

    def result(self, deal: Deal, action: int) -> Deal:
        if deal.hands[0] == NONE:
            return Deal((action, NONE), (), 0)
        if deal.hands[1] == NONE:
            return Deal((deal.hands[0], action), (), 0)
        node = self.nodes[deal.node]
        if node.kind == public.CHANCE:
            return Deal(deal.hands, (*deal.runout, action), node.children[0])
        return Deal(deal.hands, deal.runout, node.children[action])

    def terminal(self, deal: Deal) -> bool:
        return NONE not in deal.hands and self.nodes[deal.node].kind in (public.FOLD, public.SHOWDOWN)

    def utility(self, deal: Deal) -> float:
        node = self.nodes[deal.node]
        if node.kind == public.FOLD:
            return node.lose[0] if node.player == 0 else node.win[0]
        first, second = (int(strengths(suit_masks((card, *deal.runout)), 3)) for card in deal.hands)
        return node.tie[0] if first == second else node.win[0] if first > second else node.lose[0]

    def information(self, deal: Deal, player: int) -> tuple[int, tuple[int, ...], int]:
        return deal.hands[player], deal.runout, deal.node

    def sample(self, deal: Deal, player: int, random: Random) -> Deal:
        """The same play over another card of the other player."""
        if deal.hands[1] == NONE:
            return deal if player == 0 or deal.hands[0] == NONE else deal._replace(hands=(random.choice(self.deck), NONE))
        own = deal.hands[player]
        other = random.choice([card for card in self.deck if card != own and card not in deal.runout])
        return deal._replace(hands=(own, other) if player == 0 else (other, own))

    def name(self, deal: Deal, action: int) -> str:
        return card_name(action) if self.player(deal) == CHANCE else self.nodes[deal.node].actions[action].replace(" ", "")

    def show(self, deal: Deal) -> str:
        held = ("?" if card == NONE else card_name(card) for card in deal.hands)
        return f"{' '.join(held)} on {' '.join(map(card_name, deal.runout)) or 'nothing'}, node {deal.node}"

    def public(self) -> PublicGame:
        """The game as ranges over a betting tree: everybody may hold every card."""
        import numpy as np

        hands = np.array(self.deck)[:, None]

        def of_boards(boards: Any) -> tuple[Any, Any]:
            shown = strengths(suit_masks(boards)[:, None, :] | suit_masks(hands)[None, :, :], 3)
            return shown, shown

        whole = set(self.deck)
        return PublicGame(
            nodes=self.nodes,
            hands=(hands, hands),
            weights=(np.ones(len(hands)), np.ones(len(hands))),
            deck=self.deck,
            board=(),
            streets=2,
            strengths=of_boards,
            renamings=tuple(swap for swap in suit_swaps() if {int(swap[card]) for card in self.deck} == whole),
            pot=2 * ANTE,
            offset=ANTE,
            zero_sum=True,
            hand_name=hand_name,
            hand_class=hand_class,
            card_name=card_name,
        )

    def board(self, deal: Deal) -> dict[str, Any]:
        hands = {seat: ["?" if card == NONE else card_name(card)] for seat, card in zip(self.seats, deal.hands, strict=True)}
        return {
            "kind": "cards",
            "hands": hands,
            "table": [card_name(card) for card in deal.runout],
            **stakes(self.nodes[deal.node], 2 * ANTE, self.seats),
        }
