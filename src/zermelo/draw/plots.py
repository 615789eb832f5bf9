"""Curves, drawn by matplotlib, which is loaded when the first one is asked for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from zermelo.draw.plot_file import save_figure
from zermelo.errors import ZermeloError

__all__ = ["move_times", "require_plot"]

MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")  # shapes, so that colour is never the only difference
DASHES = ("-", "--", "-.", ":")


def move_times(series: Mapping[str, Sequence[float]], path: Path, title: str) -> None:
    """Lan et al.'s Figure 3: the mean time of each computer move, one curve an algorithm. The file's ending chooses the format.

    The scale is logarithmic, because the first moves take a thousand times longer than the last.
    """
    require_plot(path)
    figure_class, integer_ticks = matplotlib()
    figure = figure_class(figsize=(7, 4.2), layout="constrained")
    axes = figure.add_subplot()
    for number, (name, seconds) in enumerate(series.items()):
        moves = range(1, len(seconds) + 1)
        axes.plot(moves, seconds, marker=MARKS[number % len(MARKS)], linestyle=DASHES[number % len(DASHES)], label=name)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(integer_ticks(integer=True))
    axes.set_xlabel("move of the computer")
    axes.set_ylabel("mean time, seconds")
    axes.set_title(title)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend()
    save_figure(figure, path)


def require_plot(path: Path) -> None:
    """Raises where a plot could not be drawn into this file; asked before the work whose result it shows."""
    figure_class, _ = matplotlib()
    if path.suffix.lstrip(".").lower() not in figure_class().canvas.get_supported_filetypes():
        raise ZermeloError(f"A plot cannot be written as {path.name}: give it an ending such as .png, .svg or .pdf.")


def matplotlib() -> tuple[Any, Any]:
    """Its figure and tick classes; needs no screen."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator
    except ImportError:
        raise ZermeloError("Plots need matplotlib: install it with `pip install 'zermelo[plot]'`.") from None
    return Figure, MaxNLocator
