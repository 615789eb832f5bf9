"""A game's balance as a plot: positions of every ply by who wins them, how many moves there are, how far the end is, and random games."""

from pathlib import Path
from typing import Any

from zermelo.draw.plot_file import save_figure
from zermelo.draw.plots import matplotlib

__all__ = ["plot_balance"]

MAX_COLOUR, MIN_COLOUR, TIE_COLOUR, ENDLESS_COLOUR = "#2b6cb0", "#c05621", "#a0aec0", "#4a5568"
PARTS = (
    ("wins", "Max wins", MAX_COLOUR),
    ("losses", "Min wins", MIN_COLOUR),
    ("ties", "ties", TIE_COLOUR),
    ("draws", "endless", ENDLESS_COLOUR),
)
MOST_BARS = 60  # of a histogram


def plot_balance(statistics: Any, path: Path) -> None:
    """Writes the plot; the ending of the file says the format. A game that was not solved has the plots of random games alone."""
    figure_class, _ = matplotlib()
    solved = bool(statistics.plies)
    figure = figure_class(figsize=(13, 8) if solved else (7, 8), layout="constrained")
    if solved:
        grid = figure.subplots(3, 2)
        left, right = grid[:, 0], grid[:, 1]
        plot_sizes(left[0], statistics.plies)
        plot_shares(left[1], statistics.plies)
        plot_moves(left[2], statistics.plies)
        plot_distances(right[0], statistics.distances)
        lower = right[1:]
        alike = ", those that are alike counted once" if statistics.symmetric else ""
        figure.suptitle(f"{type(statistics.game).__name__}: {counted(statistics.positions)}{alike}")
    else:
        lower = figure.subplots(3, 1)
        plot_widths(lower[2], statistics.random)
        figure.suptitle(f"{type(statistics.game).__name__}: {expected(statistics)}not solved")
    plot_lengths(lower[0], statistics.random)
    plot_results(lower[1], statistics.random)
    save_figure(figure, path)


def expected(statistics: Any) -> str:
    """How many positions a game has that was not solved, as far as anybody knows."""
    if statistics.estimated is None:
        return ""
    return f"{'more than' if statistics.least else 'about'} {counted(statistics.estimated)}, "


def plot_sizes(axes: Any, plies: Any) -> None:
    axes.bar([ply.ply for ply in plies], [ply.positions for ply in plies], color=ENDLESS_COLOUR)
    axes.set_yscale("log")
    axes.set(ylabel="positions", xlabel="moves played")
    in_whole_numbers(axes)


def in_whole_numbers(axes: Any) -> None:
    """Moves are counted."""
    axes.xaxis.get_major_locator().set_params(integer=True)


def plot_shares(axes: Any, plies: Any) -> None:
    """Who wins the positions of each ply, with best play."""
    numbers = [ply.ply for ply in plies]
    below = [0.0] * len(numbers)
    for field, words, colour in PARTS:
        part = [getattr(ply, field) / ply.positions for ply in plies]
        if any(part):
            axes.bar(numbers, part, bottom=below, color=colour, label=words)
        below = [low + share for low, share in zip(below, part, strict=True)]
    axes.legend(loc="upper right", ncols=4, fontsize="small")
    axes.set(ylabel="share, best play", xlabel="moves played", ylim=(0, 1.18))
    in_whole_numbers(axes)


def plot_moves(axes: Any, plies: Any) -> None:
    numbers = [ply.ply for ply in plies]
    axes.plot(numbers, [ply.moves for ply in plies], marker="o", color=MAX_COLOUR, label="moves of a position")
    other = axes.twinx()
    narrow = [ply.narrow / max(1, ply.positions - ply.ends) for ply in plies]
    forced = [ply.forced / max(1, ply.positions - ply.ends) for ply in plies]
    other.plot(numbers, narrow, marker=".", linestyle="--", color=MIN_COLOUR, label="one good move (share)")
    other.plot(numbers, forced, marker=".", linestyle=":", color=ENDLESS_COLOUR, label="one move (share)")
    other.set(ylim=(0, 1.35), yticks=(0, 0.5, 1))
    axes.set(ylabel="moves", xlabel="moves played", ylim=(0, 1.35 * max(1.0, *(ply.moves for ply in plies))))
    in_whole_numbers(axes)
    labels = [a + b for a, b in zip(axes.get_legend_handles_labels(), other.get_legend_handles_labels(), strict=True)]
    axes.legend(*labels, loc="upper center", ncols=3, fontsize="small")


def plot_distances(axes: Any, distances: Any) -> None:
    """How far the end is in positions that somebody wins."""
    numbers = [distance for distance, _, _ in distances]
    axes.bar(numbers, [wins for _, wins, _ in distances], color=MAX_COLOUR, label="Max wins")
    axes.bar(numbers, [losses for _, _, losses in distances], bottom=[wins for _, wins, _ in distances], color=MIN_COLOUR, label="Min wins")
    axes.set(ylabel="positions", xlabel="moves to the end, best play")
    in_whole_numbers(axes)
    axes.legend(fontsize="small")


def plot_lengths(axes: Any, played: Any) -> None:
    """A histogram of random games by length."""
    shortest, longest = played.lengths[0][0], played.lengths[-1][0]
    width = max(1, -(-(longest - shortest + 1) // MOST_BARS))
    counts = [0] * ((longest - shortest) // width + 1)
    for length, games in played.lengths:
        counts[(length - shortest) // width] += games
    axes.bar([shortest + width * (at + 0.5) - 0.5 for at in range(len(counts))], counts, width=0.9 * width, color=ENDLESS_COLOUR)
    axes.axvline(played.length, color=MIN_COLOUR, linestyle="--", label=f"{played.length:.1f} on average")
    axes.set(ylabel="random games", xlabel="moves of a random game")
    in_whole_numbers(axes)
    axes.legend(fontsize="small")


def plot_results(axes: Any, played: Any) -> None:
    """Who wins random games, and the first player's advantage with its 95 % interval."""
    shares = (
        ("Max wins", played.wins, MAX_COLOUR),
        ("Min wins", played.losses, MIN_COLOUR),
        ("nobody", 1 - played.wins - played.losses, TIE_COLOUR),
    )
    axes.barh([words for words, _, _ in shares], [share for _, share, _ in shares], color=[colour for _, _, colour in shares])
    axes.errorbar([played.advantage], ["advantage"], xerr=[played.margin], fmt="o", color="black", capsize=4)
    axes.axvline(0, color=ENDLESS_COLOUR, linewidth=0.8)
    axes.invert_yaxis()
    axes.set(xlabel="share of random games", xlim=(min(-0.05, 1.1 * (played.advantage - played.margin)), 1))


def plot_widths(axes: Any, played: Any) -> None:
    axes.plot(range(len(played.widths)), played.widths, color=MAX_COLOUR)
    axes.set(ylabel="moves of a position", xlabel="moves played at random", ylim=(0, None))


def counted(positions: int) -> str:
    return f"{positions:,} position{'s' if positions != 1 else ''}"
