"""How a network has learned, as curves: the share of solved positions in which it errs, over time."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from zermelo.draw.plot_file import save_figure
from zermelo.draw.plots import DASHES, matplotlib, require_plot

__all__ = ["plot_lessons"]

Points = Sequence[tuple[float, float, float]]  # seconds, share of mistakes of the network alone, and with its search


def plot_lessons(runs: Mapping[str, Points], path: Path, title: str) -> None:
    """Two curves a run: the network alone, and with its search; one panel a run. The file's ending chooses the format.

    Shares are drawn by a logarithm as far as a hundredth of a percent, and evenly below, so that 0 has its place.
    """
    require_plot(path)
    figure_class, _ = matplotlib()
    figure = figure_class(figsize=(4.6 * len(runs), 3.6), layout="constrained")
    panels = figure.subplots(1, len(runs), squeeze=False)[0]
    for axes, (name, points) in zip(panels, runs.items(), strict=True):
        for number, words in enumerate(("network alone", "with its search")):
            heights = [100 * point[1 + number] for point in points]
            axes.plot([point[0] for point in points], heights, linestyle=DASHES[number], marker=".", label=words)
        axes.set_yscale("symlog", linthresh=0.1)
        axes.set_ylim(bottom=0)
        axes.set_yticks([0, 0.1, 1, 10, 100], ["0", "0.1", "1", "10", "100"])
        axes.set_xlim(left=0)
        axes.set_xlabel("seconds")
        axes.set_title(name)
        axes.grid(visible=True, which="major", alpha=0.3)
    panels[0].set_ylabel("mistakes, % of positions")
    panels[0].legend()
    figure.suptitle(title)
    save_figure(figure, path)
