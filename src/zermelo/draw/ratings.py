"""Ratings as pictures: how sure a match is, game by game; or everybody's rating with its error bar."""

from collections.abc import Sequence
from pathlib import Path

from zermelo.draw.plot_file import save_figure
from zermelo.draw.plots import matplotlib, require_plot

__all__ = ["plot_duel", "plot_standings"]

HIGHEST = 1000.0  # Elo: what is infinite is drawn at the edge


def plot_duel(points: Sequence[tuple[int, float, float, float]], path: Path, title: str, hypotheses: Sequence[float] = ()) -> None:
    """The difference in Elo after each pair of games, with its 95 % interval: points are (games, Elo, low, high)."""
    require_plot(path)
    figure_class, integer_ticks = matplotlib()
    figure = figure_class(figsize=(7, 4.2), layout="constrained")
    axes = figure.add_subplot()
    games = [point[0] for point in points]
    middle, low, high = ([max(-HIGHEST, min(HIGHEST, point[part])) for point in points] for part in (1, 2, 3))
    axes.fill_between(games, low, high, alpha=0.2, label="95 % interval")
    axes.plot(games, middle, marker="o" if len(games) < 30 else None, label="estimate")
    axes.axhline(0, color="black", linewidth=0.8)
    for number, hypothesis in enumerate(hypotheses):
        axes.axhline(hypothesis, linestyle=("--", ":")[number % 2], linewidth=1, label=f"{hypothesis:g} Elo")
    reach = max([50.0, *(abs(value) for value in [*low[len(low) // 4 :], *high[len(high) // 4 :]])])
    axes.set_ylim(-1.1 * min(reach, HIGHEST), 1.1 * min(reach, HIGHEST))
    axes.xaxis.set_major_locator(integer_ticks(integer=True))
    axes.set_xlabel("games")
    axes.set_ylabel("difference in Elo")
    axes.set_title(title)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend()
    save_figure(figure, path)


def plot_standings(players: Sequence[str], ratings: Sequence[float], errors: Sequence[float], path: Path, title: str) -> None:
    """Everybody's rating with its 95 % interval, the strongest at the top."""
    require_plot(path)
    figure_class, _ = matplotlib()
    figure = figure_class(figsize=(7, 1.2 + 0.5 * len(players)), layout="constrained")
    axes = figure.add_subplot()
    places = range(len(players))
    axes.errorbar(ratings, places, xerr=errors, fmt="o", capsize=4)
    axes.set_yticks(list(places), list(players))
    axes.invert_yaxis()
    axes.set_xlabel("Elo, the mean of all is 0")
    axes.set_title(title)
    axes.grid(visible=True, axis="x", alpha=0.3)
    save_figure(figure, path)
