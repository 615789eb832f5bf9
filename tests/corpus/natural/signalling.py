"""Beer and quiche: nature draws a type, the sender orders breakfast, the receiver duels or walks on."""
from enum import Enum
from typing import NamedTuple, Optional
from zermelo import CHANCE, Game


class Kind(Enum):
    WIMP = 0
    SURLY = 1

    @property
    def favourite(self):
        return Meal.BEER if self is Kind.SURLY else Meal.QUICHE


class Meal(Enum):
    BEER = "beer"
    QUICHE = "quiche"


class Reply(Enum):
    DUEL = True
    WALK = False


class Scene(NamedTuple):
    kind: Optional[Kind] = None
    meal: Optional[Meal] = None
    reply: Optional[Reply] = None


class Breakfast(Game):
    total = None

    def start(self):
        return Scene()

    def player(self, scene):
        if scene.kind is None:
            return CHANCE
        return 0 if scene.meal is None else 1

    def chances(self, scene):
        return [(Kind.WIMP, 1), (Kind.SURLY, 9)]

    def actions(self, scene):
        return list(Meal) if scene.meal is None else list(Reply)

    def result(self, scene, action):
        match action:
            case Kind():
                return scene._replace(kind=action)
            case Meal():
                return scene._replace(meal=action)
            case _:
                return scene._replace(reply=action)

    def terminal(self, scene):
        return None not in scene

    def utility(self, scene):
        sender = 0
        if scene.meal == scene.kind.favourite:
            sender += 1
        if scene.reply == Reply.WALK:
            sender += 2
        right = scene.reply.value == (scene.kind is Kind.WIMP)
        return (sender, 1 if right else 0)

    def information(self, scene, player):
        if player == 0:
            return scene
        return (scene.meal, scene.reply)
