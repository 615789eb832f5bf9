"""A nurse treats patients; their health decays by chance with float weights. One player, expected survivors."""

from dataclasses import dataclass, field

from zermelo import CHANCE, Game

LEVELS = ["dead", "critical", "ill", "well"]


@dataclass(frozen=True)
class Ward:
    patients: dict[str, str] | tuple = ()
    hour: int = 0
    nature: bool = False


class Triage(Game):
    players = 1
    hours = 3

    def start(self):
        return Ward((("Ann", "ill"), ("Ben", "critical"), ("Cat", "ill")))

    def player(self, ward):
        return CHANCE if ward.nature else 0

    def actions(self, ward):
        sick = [name for name, level in ward.patients if level not in ("dead", "well")]
        return sick or ["rest"]

    def chances(self, ward):
        yield ("quiet", 0.25)
        yield ("worse", 0.75)

    def result(self, ward, action):
        levels = dict(ward.patients)
        if ward.nature:
            if action == "worse":
                for name in levels:
                    rank = LEVELS.index(levels[name])
                    if 0 < rank < 3:
                        levels[name] = LEVELS[rank - 1]
            return Ward(tuple(levels.items()), ward.hour + 1, False)
        if action in levels:
            levels[action] = LEVELS[min(LEVELS.index(levels[action]) + 2, len(LEVELS) - 1)]
        return Ward(tuple(levels.items()), ward.hour, True)

    def terminal(self, ward):
        return not ward.nature and (ward.hour >= self.hours or all(level in {"dead", "well"} for _, level in ward.patients))

    def utility(self, ward):
        return sum(level != "dead" for _, level in ward.patients)
