"""Chess and its variants without clocks and without castling: what is played in endgames."""

from typing import Any

from zermelo.games.antichess import Antichess
from zermelo.games.atomic import Atomic
from zermelo.games.chess import Chess
from zermelo.games.gardner import Gardner
from zermelo.games.kingofthehill import KingOfTheHill
from zermelo.games.losalamos import LosAlamos
from zermelo.games.racingkings import RacingKings

__all__ = ["UPWARDS", "VARIANTS"]

FREE: dict[str, Any] = {"repetitions": 0, "clock": 0}


class PlainChess(Chess):
    castles = False


class PlainAtomic(Atomic):
    castles = False


class PlainHill(KingOfTheHill):
    castles = False


VARIANTS: dict[str, Chess] = {
    "chess": PlainChess(**FREE),
    "antichess": Antichess(**FREE),
    "atomic": PlainAtomic(**FREE),
    "gardner": Gardner(**FREE),
    "kingofthehill": PlainHill(**FREE),
    "losalamos": LosAlamos(**FREE),
    "racingkings": RacingKings(**FREE),
}
UPWARDS = ("racingkings",)  # rows are not alike even without pawns
