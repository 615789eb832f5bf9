"""Learning as a picture: the score against fixed opponents, and the share of best moves, over the games that were learned from."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from zermelo.draw.plot_file import save_figure
from zermelo.draw.plots import DASHES, MARKS, matplotlib, require_plot

__all__ = ["plot_learning"]

Scores = Sequence[tuple[int, float, float, float]]  # games, score, and its 95 % interval


def plot_learning(scores: Mapping[str, Scores], optimal: Sequence[tuple[int, float]], path: Path, title: str) -> None:
    """One curve an opponent, with error bars, and one for the share of best moves where that was measured. Games run on a scale of
    powers of ten, with 0 at its left end, because most is learned in the first games."""
    require_plot(path)
    figure_class, _ = matplotlib()
    figure = figure_class(figsize=(7, 4.2), layout="constrained")
    axes = figure.add_subplot()
    for number, (name, points) in enumerate(scores.items()):
        games, middle = [point[0] for point in points], [point[1] for point in points]
        errors = [[point[1] - point[2] for point in points], [point[3] - point[1] for point in points]]
        style = {"marker": MARKS[number % len(MARKS)], "linestyle": DASHES[number % len(DASHES)]}
        axes.errorbar(games, middle, yerr=errors, capsize=3, label=f"score against {name}", **style)
    if optimal:
        axes.plot(*zip(*optimal, strict=True), marker="*", linestyle=":", color="black", label="share of best moves")
    axes.axhline(0.5, color="black", linewidth=0.6)
    first = min((games for points in scores.values() for games, *_ in points if games), default=1)
    axes.set_xscale("symlog", linthresh=first)
    axes.set_xlim(left=0)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("games of self-play")
    axes.set_ylabel("share")
    axes.set_title(title)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(loc="lower right")
    save_figure(figure, path)
