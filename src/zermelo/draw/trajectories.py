"""Learning and quantal response as curves: how the probabilities of all strategies move. Drawn by matplotlib, loaded when it is needed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zermelo.draw.plot_file import save_figure
from zermelo.draw.plots import DASHES, matplotlib, require_plot
from zermelo.equilibrium.matrix.dynamics import Trajectory
from zermelo.equilibrium.matrix.quantal import QuantalPath
from zermelo.trees.matrix import Matrix, Number

__all__ = ["plot_trajectory"]

SHOWN = 12  # strategies of one player up to which each curve is named


def plot_trajectory(run: Trajectory | QuantalPath, path: Path) -> None:
    """One panel a player, one curve a strategy; the file's ending chooses the format.

    Of a run the thin curves are what is played and the thick ones the averages; a quantal response branch is drawn over its precision.
    """
    require_plot(path)
    figure_class, _ = matplotlib()
    figure = figure_class(figsize=(7, 2.2 + 2.2 * run.game.players), layout="constrained")
    panels = figure.subplots(run.game.players, 1, sharex=True, squeeze=False)[:, 0]
    for player, axes in enumerate(panels):
        if isinstance(run, Trajectory):
            _curves(axes, run.game, player, run.times, [profile[player] for profile in run.averages], 1.8)
            _curves(axes, run.game, player, run.times, [profile[player] for profile in run.strategies], 0.5, named=False)
        else:
            precisions = [point.precision for point in run.points]
            _curves(axes, run.game, player, precisions, [point.strategies[player] for point in run.points], 1.8)
            axes.set_xscale("symlog", linthresh=0.1)
        axes.set_ylim(-0.02, 1.02)
        axes.set_ylabel(f"{run.game.names[player]}: probability")
        axes.grid(visible=True, alpha=0.3)
        if len(run.game.strategies[player]) <= SHOWN:
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    panels[-1].set_xlabel("precision λ" if isinstance(run, QuantalPath) else "time" if run.method == "replicator" else "iterations")
    panels[0].set_title(f"{run.game.title or 'Matrix game'}: {run.method if isinstance(run, Trajectory) else 'logit quantal response'}")
    save_figure(figure, path)


def _curves(
    axes: Any,
    game: Matrix,
    player: int,
    times: Sequence[float],
    strategies: Sequence[Sequence[Number]],
    width: float,
    named: bool = True,
) -> None:
    """One curve a strategy, told apart by dashes as well as by colour."""
    for place, name in enumerate(game.strategies[player]):
        label = name if named else "_"
        heights = [float(strategy[place]) for strategy in strategies]
        axes.plot(times, heights, linestyle=DASHES[place % len(DASHES)], color=f"C{place % 10}", linewidth=width, label=label)
