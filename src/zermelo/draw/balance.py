"""A game's balance as a plot: positions of every ply by who wins them, and how many moves there are."""

from pathlib import Path
from typing import Any

from zermelo.draw.plots import matplotlib
from zermelo.draw.saving import save_figure

__all__ = ["plot_balance"]

PARTS = (("wins", "Max wins", "#2b6cb0"), ("losses", "Min wins", "#c05621"), ("ties", "ties", "#a0aec0"), ("draws", "endless", "#4a5568"))


def plot_balance(statistics: Any, path: Path) -> None:
    """Writes the plot; the ending of the file says the format."""
    figure_class, _ = matplotlib()
    plies = [ply.ply for ply in statistics.plies]
    figure = figure_class(figsize=(8, 7), layout="constrained")
    sizes, shares, moves = figure.subplots(3, 1, sharex=True)
    sizes.bar(plies, [ply.positions for ply in statistics.plies], color="#4a5568")
    sizes.set_yscale("log")
    sizes.set_ylabel("positions")
    below = [0.0] * len(plies)
    for field, words, colour in PARTS:
        part = [getattr(ply, field) / ply.positions for ply in statistics.plies]
        if any(part):
            shares.bar(plies, part, bottom=below, color=colour, label=words)
        below = [low + share for low, share in zip(below, part, strict=True)]
    shares.set_ylabel("share")
    shares.legend(loc="upper right", ncols=4, fontsize="small")
    shares.set_ylim(0, 1.18)
    moves.plot(plies, [ply.moves for ply in statistics.plies], marker="o", color="#2b6cb0", label="moves of a position")
    narrow = [ply.narrow / max(1, ply.positions - ply.ends) for ply in statistics.plies]
    other = moves.twinx()
    other.plot(plies, narrow, marker=".", linestyle="--", color="#c05621", label="one move alone keeps the value (share)")
    other.set_ylim(0, 1)
    moves.set_xlabel("moves played")
    moves.set_ylabel("moves")
    moves.legend(
        *[a + b for a, b in zip(moves.get_legend_handles_labels(), other.get_legend_handles_labels(), strict=True)], fontsize="small"
    )
    figure.suptitle(f"{type(statistics.game).__name__}: {statistics.positions:,} positions")
    save_figure(figure, path)
