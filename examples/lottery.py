"""A tree built by hand, with chance and three players, solved by backward induction."""

from fractions import Fraction

from zermelo.trees import BackwardInduction, Chance, Player, Tree

tree = Tree.of(
    Player(
        1,
        share=(2, 2, 2),
        gamble=Chance(
            win=(Fraction(1, 3), Player(2, give=(4, 2, 0), keep=(4, 1, 1))),
            lose=(Fraction(2, 3), Player(3, help=(2, 0, 1), leave=(0, 0, 1))),
        ),
    ),
    title="Share or gamble",
)
result = BackwardInduction().search(tree)

print(tree)
print("payoffs:", *result.value)
print("choice:", result.action_name(result.action), "among", [result.action_name(action) for action in result.actions])
