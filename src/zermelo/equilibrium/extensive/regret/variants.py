"""The family of regret minimizers, as data: how regrets are discounted and kept, what is predicted, how the average is weighted.

| name   | from                                                                                                |
| ------ | --------------------------------------------------------------------------------------------------- |
| cfr    | Zinkevich, Johanson, Bowling, Piccione 2007: counterfactual regret minimization                     |
| cfr+   | Tammelin 2014: regrets never below 0, later iterations count more in the average                    |
| lcfr   | Brown and Sandholm 2019: linear CFR, iteration t counts t times in regrets and average              |
| dcfr   | Brown and Sandholm 2019: discounted CFR, α = 3/2, β = 0, γ = 2                                      |
| pcfr+  | Farina, Kroer, Sandholm 2021: predictive CFR+, the last regret predicts the next, quadratic average |
| pdcfr+ | Xu, Li, Fu, Fu, Xing, Cheng 2024: predictive CFR+ that discounts, α = 2.3, γ = 5                    |
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from zermelo.equilibrium.extensive.sequences.arrays import Floats
from zermelo.errors import ZermeloError, nearest

__all__ = ["VARIANTS", "Variant", "schedule", "variant"]


@dataclass(frozen=True)
class Variant:
    """One regret minimizer. After iteration t a positive regret is multiplied by t^α / (t^α + 1), a negative one by t^β / (t^β + 1)."""

    name: str
    alpha: float = math.inf  # discount of positive regrets; infinite: none
    beta: float = math.inf  # discount of negative regrets
    clip: bool = False  # regrets never fall below 0
    predict: float = 0.0  # the last gain counts this much again when the next strategy is made
    power: float = 0.0  # iteration t counts t^power in the average
    restart: int = 0  # the average starts anew at the powers of this number; 0: never

    def __post_init__(self) -> None:
        if self.restart == 1 or self.restart < 0:
            raise ZermeloError(f"The average restarts at powers of a number from 2 on, or with 0 never, not {self.restart}.")
        if self.power < 0:
            raise ZermeloError(f"The power of the average is at least 0, not {self.power}.")

    def to_dict(self) -> dict[str, Any]:
        """Plain data; no discount is null."""
        finite = {"alpha": self.alpha, "beta": self.beta}
        return {
            "name": self.name,
            **{key: None if math.isinf(value) else value for key, value in finite.items()},
            "clip": self.clip,
            "predict": self.predict,
            "power": self.power,
            "restart": self.restart,
        }


VARIANTS = {
    "cfr": Variant("cfr"),
    "cfr+": Variant("cfr+", clip=True, power=1),
    "lcfr": Variant("lcfr", alpha=1, beta=1, power=1),
    "dcfr": Variant("dcfr", alpha=1.5, beta=0, power=2),
    "pcfr+": Variant("pcfr+", clip=True, predict=1, power=2),
    "pdcfr+": Variant("pdcfr+", alpha=2.3, clip=True, predict=1, power=5),
}


def variant(name: str, **changes: Any) -> Variant:
    """A variant by its name, with some of its numbers changed."""
    if name not in VARIANTS:
        raise ZermeloError(f"There is no regret minimizer {name}: {nearest(name, VARIANTS)}")
    return replace(VARIANTS[name], **{key: value for key, value in changes.items() if value is not None})


def schedule(chosen: Variant, done: int, count: int) -> Floats:
    """[iteration, 3] for iterations done + 1 … done + count: discount of positive and of negative regrets, decay of the average.

    An iteration's numbers do not depend on where a stretch of iterations begins, so that a resumed run repeats them bit by bit.
    """
    from zermelo.equilibrium.extensive.regret.sparse_kernel import fill_schedule

    rows = np.empty((count, 3))
    fill_schedule(float(chosen.alpha), float(chosen.beta), float(chosen.power), chosen.restart, done, rows)
    return rows
