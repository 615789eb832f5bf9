"""Equilibria of matrix games by the name of a method: one door to all of them.

auto           what fits: `lp` or `prm+` where the sum is constant, `all` or `lemke-howson` for two players, `supports` or `logit` for more
pure           all equilibria in pure strategies
all            two players: every extreme equilibrium, exactly, with the components that they span; more: every isolated one
perfect        two players: the extreme equilibria that are trembling-hand perfect
proper         two players: one proper equilibrium, exactly
lemke-howson   two players: one equilibrium by complementary pivoting
lp             two players, constant sum: optimal strategies by linear programming, exact up to two hundred strategies
prm+           two players, constant sum: optimal strategies to a small gap, for very large tables
supports       two players and more: every isolated equilibrium, support by support
logit          any number of players: the equilibrium at the end of the quantal response branch
"""

import math
from collections.abc import Callable

from zermelo.equilibrium.matrix.lemke_howson import LemkeHowson
from zermelo.equilibrium.matrix.profile import EquilibriumSet
from zermelo.equilibrium.matrix.proper import ProperEquilibrium
from zermelo.equilibrium.matrix.pure_equilibria import PureEquilibria
from zermelo.equilibrium.matrix.quantal import LogitPath
from zermelo.equilibrium.matrix.refinements import PerfectEquilibria
from zermelo.equilibrium.matrix.supports import SupportEnumeration
from zermelo.equilibrium.matrix.vertex_enumeration import AllEquilibria
from zermelo.equilibrium.matrix.zero_sum import RegretMatchingPlus, ZeroSum
from zermelo.errors import ZermeloError, nearest
from zermelo.trees.matrix import Matrix

__all__ = ["METHODS", "choose", "fitting", "solve_matrix"]

ENUMERABLE = 20  # strategies of both players up to which all equilibria are looked for unasked
PROGRAMMABLE = 1200  # strategies of both players up to which a linear program answers within seconds
FEW_SUPPORTS = 1000
MOST_SUPPORTS = 1_000_000
PATIENCE = 60.0  # seconds that all equilibria are looked for where no limit is given
EXACT_PATH = 60  # strategies of both players up to which a path in whole numbers takes milliseconds


def _lemke_howson(game: Matrix) -> EquilibriumSet:
    return LemkeHowson(exact=sum(game.shape) <= EXACT_PATH).solve(game)


def _supports(seconds: float | None, limit: int | None) -> SupportEnumeration:
    return SupportEnumeration(limit=limit or MOST_SUPPORTS, seconds=seconds)


def _all(game: Matrix, seconds: float | None, limit: int | None) -> EquilibriumSet:
    if game.players != 2:
        return _supports(seconds, limit).solve(game)
    return AllEquilibria(limit=limit, seconds=patience(seconds, limit)).solve(game)


def patience(seconds: float | None, limit: int | None) -> float | None:
    """The time for all equilibria: as given, or a minute where nothing is said."""
    return PATIENCE if seconds is None and limit is None else seconds


Solve = Callable[[Matrix, float | None, int | None], EquilibriumSet]  # the game, seconds, limit

METHODS: dict[str, Solve] = {
    "pure": lambda game, seconds, limit: PureEquilibria().solve(game),
    "all": _all,
    "perfect": lambda game, seconds, limit: PerfectEquilibria(limit, patience(seconds, limit)).solve(game),
    "proper": lambda game, seconds, limit: ProperEquilibrium(seconds).solve(game),
    "lemke-howson": lambda game, seconds, limit: _lemke_howson(game),
    "lp": lambda game, seconds, limit: ZeroSum().solve(game),
    "prm+": lambda game, seconds, limit: RegretMatchingPlus().solve(game),
    "supports": lambda game, seconds, limit: _supports(seconds, limit).solve(game),
    "logit": lambda game, seconds, limit: LogitPath().solve(game),
}


def fitting(game: Matrix) -> list[str]:
    """The methods that can be used on this game."""
    names = ["pure", "all", "supports", "logit"]
    if game.players == 2:
        names[2:2] = ["perfect", "proper", "lemke-howson", *(["lp", "prm+"] if game.total is not None else [])]
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


def solve_matrix(game: Matrix, method: str = "auto", seconds: float | None = None, limit: int | None = None) -> EquilibriumSet:
    """The game's equilibria by the named method; a method that does not fit is refused, and those that do are named.

    `seconds` bounds the work of "all", "perfect", "proper" and "supports", and `limit` (of bases, of supports) that of all these but
    "proper"; without either, "all" and "perfect" give up after a minute.
    """
    name = choose(game) if method == "auto" else method
    if name not in METHODS:
        raise ZermeloError(f"There is no method {method} for matrix games: {nearest(method, ['auto', *METHODS])}")
    suitable = fitting(game)
    if name not in suitable:
        kind = "one player" if game.players == 1 else f"{game.players} players" + (" and no constant sum" if game.players == 2 else "")
        raise ZermeloError(f"The method {name} does not fit a game with {kind}; those that do are {', '.join(suitable)}.")
    return METHODS[name](game, seconds, limit)
