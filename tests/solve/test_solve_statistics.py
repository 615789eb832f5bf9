"""A game in figures, against counts that are published or made in plain Python."""

from pathlib import Path

from whole_games import PONG

from zermelo.draw.balance import plot_balance
from zermelo.games.kalah import Kalah
from zermelo.games.tictactoe import TicTacToe
from zermelo.rules import MAX, Game, State, action_name, legal_actions
from zermelo.solve.game_statistics import game_statistics
from zermelo.solve.strong_reference import solve_by_sweeps


def test_tic_tac_toe_in_figures(tmp_path: Path) -> None:
    found = game_statistics(TicTacToe(), games=200)
    assert found.positions == sum(ply.positions for ply in found.plies) == 5_478
    assert sum(ply.ends for ply in found.plies) == 958  # 626 X, 316 O, 16 draws
    assert [ply.positions for ply in found.plies][:5] == [1, 9, 72, 252, 756]
    assert all(ply.wins + ply.losses + ply.ties + ply.draws == ply.positions for ply in found.plies)
    assert (found.value, found.kind, len(found.best_line)) == (0, "tie", 9)
    played = found.random
    assert 5 <= played.lengths[0][0] <= played.length <= played.lengths[-1][0] == 9
    assert played.widths[:5] == (9, 8, 7, 6, 5)
    assert (played.advantage > 0.1, 0 < played.margin < 0.2) == (True, True)
    assert found.hardest[0].distance == len(found.hardest[0].following) == 5
    assert sum(wins for _, wins, _ in found.distances) == sum(ply.wins for ply in found.plies)
    assert found.distances[0] == (0, 626, 316)
    plot_balance(found, tmp_path / "balance.svg")
    assert (tmp_path / "balance.svg").stat().st_size > 10_000


def test_a_game_that_is_too_large_has_random_games_alone(tmp_path: Path) -> None:
    found = game_statistics(TicTacToe(), games=50, most=1_000)
    assert (found.positions, found.value, found.plies) == (0, None, ())
    assert 2_000 < (found.estimated or 0) < 20_000
    assert found.branching == found.random.branching
    plot_balance(found, tmp_path / "balance.svg")
    assert (tmp_path / "balance.svg").stat().st_size > 10_000


def test_a_game_that_goes_round_in_figures() -> None:
    found = game_statistics(PONG, games=20)
    positions = solve_by_sweeps(PONG, PONG.start(), symmetric=False).scores
    widths = [len(legal_actions(PONG, state)) for state in positions if not PONG.terminal(state)]
    assert found.positions == len(positions)
    assert found.branching == sum(widths) / len(widths)
    for hard in found.hardest:  # the way leads there, and the move wins at once
        state = PONG.start()
        for name in (*hard.line, hard.action):
            state = PONG.result(state, next(action for action in legal_actions(PONG, state) if PONG.name(state, action) == name))
        assert hard.distance > 1 or PONG.terminal(state)


def played(game: Game, state: State, name: str) -> State:
    """The state after the move of this name."""
    return game.result(state, next(action for action in legal_actions(game, state) if action_name(game, state, action) == name))


def test_the_only_move_that_wins_is_told_where_others_win_by_less() -> None:
    """In Kalah a move may win by more than another, which also wins: that makes no position hard."""
    game = Kalah(holes=2)
    scores = solve_by_sweeps(game, game.start(), symmetric=False).scores
    found = game_statistics(game, games=1)
    assert found.hardest
    for hard in found.hardest:
        state = game.start()
        for name in hard.line:
            state = played(game, state, name)
        mover, winning = game.player(state), []  # winning: how many moves win, at each of the winner's turns with a choice
        for name in hard.following:
            after = [scores[game.result(state, action)].value for action in legal_actions(game, state)]
            if game.player(state) == mover and len(after) > 1:
                winning.append(sum(value > 0 if mover == MAX else value < 0 for value in after))
            state = played(game, state, name)
        assert (winning[0], winning.count(1)) == (1, hard.only_moves)
