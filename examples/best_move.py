"""The best move in a Connect Four position, with the score of every move."""

from zermelo.formats.position import parse_position
from zermelo.games.connect4 import ConnectFour
from zermelo.search import AlphaBeta

game = ConnectFour(width=5, height=4)
state = parse_position(game, "33242").state
result = AlphaBeta().search(game, state)

print(game.show(state))
for action, value in result.scores.items():
    print(f"column {result.action_name(action)}: value {value:+d}, {result.distances[action] or '–'} moves to the end")
print("best:", result.action_name(result.action), "and then", " ".join(result.line_names()[1:]))
