"""The way to an equilibrium as a curve: exploitability against iterations and against time."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from zermelo.draw.plot_file import save_figure
from zermelo.draw.plots import DASHES, matplotlib, require_plot

__all__ = ["plot_convergence"]

Points = Sequence[tuple[int, float, float]]  # iterations, seconds, exploitability


def plot_convergence(runs: Mapping[str, Points], path: Path, title: str) -> None:
    """One curve a run, twice: over iterations and over seconds, both axes logarithmic. The file's ending chooses the format.

    A run with one point, such as a linear program, is a mark.
    """
    require_plot(path)
    figure_class, _ = matplotlib()
    figure = figure_class(figsize=(9, 4), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for number, (name, points) in enumerate(runs.items()):
        shown = [point for point in points if point[2] > 0] or [(count, seconds, 1e-16) for count, seconds, _ in points[-1:]]
        heights = [distance for _, _, distance in shown]
        marker = "o" if len(shown) == 1 else None
        for axes, places in ((left, [max(count, 1) for count, _, _ in shown]), (right, [max(seconds, 1e-6) for _, seconds, _ in shown])):
            axes.plot(places, heights, linestyle=DASHES[number % len(DASHES)], marker=marker, label=name)
    for axes, words in ((left, "iterations"), (right, "seconds")):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(words)
        axes.grid(visible=True, which="major", alpha=0.3)
    left.set_ylabel("exploitability")
    left.legend()
    figure.suptitle(title)
    save_figure(figure, path)
