"""Equilibria of matrix games by the name of a method: one door to all of them.

auto           what fits: `lp` or `prm+` where the sum is constant, `all` or `lemke-howson` for two players, `supports` or `logit` for more
pure           all equilibria in pure strategies
all            two players: every extreme equilibrium, exactly, with the components that they span
lemke-howson   two players: one equilibrium by complementary pivoting
lp             two players, constant sum: optimal strategies by linear programming, exact up to two hundred strategies
prm+           two players, constant sum: optimal strategies to a small gap, for very large tables
supports       two players and more: every isolated equilibrium, support by support
logit          any number of players: the equilibrium at the end of the quantal response branch
"""

import math
from collections.abc import Callable

from zermelo.equilibrium.enumeration import AllEquilibria
from zermelo.equilibrium.lemke_howson import LemkeHowson
from zermelo.equilibrium.profile import EquilibriumSet
from zermelo.equilibrium.pure_equilibria import PureEquilibria
from zermelo.equilibrium.quantal import LogitPath
from zermelo.equilibrium.supports import SupportEnumeration
from zermelo.equilibrium.zero_sum import RegretMatchingPlus, ZeroSum
from zermelo.errors import ZermeloError, nearest
from zermelo.trees.matrix import Matrix

__all__ = ["METHODS", "choose", "fitting", "solve_matrix"]

ENUMERABLE = 20  # strategies of both players up to which all equilibria are looked for unasked
PROGRAMMABLE = 1200  # strategies of both players up to which a linear program answers within seconds
FEW_SUPPORTS = 1000
EXACT_PATH = 60  # strategies of both players up to which a path in whole numbers takes milliseconds


def _lemke_howson(game: Matrix) -> EquilibriumSet:
    return LemkeHowson(exact=sum(game.shape) <= EXACT_PATH).solve(game)


METHODS: dict[str, Callable[[Matrix], EquilibriumSet]] = {
    "pure": lambda game: PureEquilibria().solve(game),
    "all": lambda game: AllEquilibria().solve(game),
    "lemke-howson": _lemke_howson,
    "lp": lambda game: ZeroSum().solve(game),
    "prm+": lambda game: RegretMatchingPlus().solve(game),
    "supports": lambda game: SupportEnumeration().solve(game),
    "logit": lambda game: LogitPath().solve(game),
}


def fitting(game: Matrix) -> list[str]:
    """The methods that can be used on this game."""
    names = ["pure", "supports", "logit"]
    if game.players == 2:
        names[1:1] = ["all", "lemke-howson", *(["lp", "prm+"] if game.total is not None else [])]
    return names


def choose(game: Matrix) -> str:
    """The method that `auto` means for this game."""
    strategies = sum(game.shape)
    if game.players == 1:
        return "pure"
    if game.players > 2:
        return "supports" if math.prod(2**size - 1 for size in game.shape) <= FEW_SUPPORTS else "logit"
    if game.total is not None:
        return "lp" if strategies <= PROGRAMMABLE else "prm+"
    return "all" if strategies <= ENUMERABLE else "lemke-howson"


def solve_matrix(game: Matrix, method: str = "auto") -> EquilibriumSet:
    """The game's equilibria by the named method; a method that does not fit is refused, and those that do are named."""
    name = choose(game) if method == "auto" else method
    if name not in METHODS:
        raise ZermeloError(f"There is no method {method} for matrix games: {nearest(method, ['auto', *METHODS])}")
    suitable = fitting(game)
    if name not in suitable:
        kind = f"{game.players} players" + (" and no constant sum" if game.players == 2 else "")
        raise ZermeloError(f"The method {name} does not fit a game with {kind}; those that do are {', '.join(suitable)}.")
    return METHODS[name](game)
