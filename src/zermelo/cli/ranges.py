"""`zermelo equilibrium` for card games over ranges: solve a spot, read the answer point by point, write it, train on it."""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import console, has_all_signs, note, print_json, table, working
from zermelo.cli.wording import digits, number, plural
from zermelo.errors import ZermeloError, from_json, from_toml
from zermelo.games._cards import matrix_range
from zermelo.results import weighted
from zermelo.rules import Game

if TYPE_CHECKING:
    from zermelo.equilibrium.extensive.public.public_certificate import RangeCertificate
    from zermelo.equilibrium.extensive.public.public_result import RangePoint, RangeResult

__all__ = ["SAVED", "SPOT", "answer_by_ranges", "open_spot", "read_locks"]

SAVED = ".npz"  # ending of a saved solution
SPOT = ".toml"  # ending of a spot
SHOWN = 40  # hands in the terminal
ENDINGS = (".json", ".csv", ".svg", SAVED)


def open_spot(path: Path) -> str:
    """The text that names the spot of a file: `game` (holdem where it is left out) and its parameters."""
    try:
        data = from_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise ZermeloError(f"{path} is not a spot in TOML: {error}.") from error
    name = data.pop("game", "holdem")
    for seat in ("oop", "ip"):
        if isinstance(data.get(seat), list):
            data[seat] = matrix_range(data[seat], seat)
    for key in ("bets", "raises", "donks"):
        if isinstance(data.get(key), dict):
            data[key] = "; ".join(sizes_of(data[key], key))
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in data.items())})"


def sizes_of(table: dict[str, Any], what: str) -> Iterator[str]:
    """A table of sizes by street, and under it by seat, as text: `flop oop: 33%, 75%`."""
    for word, sizes in table.items():
        if isinstance(sizes, dict):
            yield from (f"{word} {rest}" for rest in sizes_of(sizes, what))
        elif isinstance(sizes, list | str):
            yield f"{word}: {sizes if isinstance(sizes, str) else ', '.join(map(str, sizes))}"
        else:
            raise ZermeloError(f"The {what} of {word} are sizes in quotes, such as '33%, 75%', not {sizes!r}.")


def read_locks(path: Path | None) -> dict[str, Any]:
    """Line → hand → action → probability, from JSON."""
    if path is None:
        return {}
    try:
        data = from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise ZermeloError(f"{path} is not a file of locks in JSON: {error}.") from error
    nested = isinstance(data, dict) and all(
        isinstance(hands, dict)
        and all(isinstance(each, dict) and all(isinstance(p, int | float) for p in each.values()) for each in hands.values())
        for hands in data.values()
    )
    if not nested:
        raise ZermeloError(f'{path} is not a file of locks: write {{"check": {{"AKs": {{"check": 1}}}}}}, by line, hand and action.')
    found: dict[str, Any] = data
    return found


def answer_by_ranges(
    game: Game,
    source: str,
    asked: dict[str, Any],
    *,
    line: str,
    lock: Path | None,
    certify: bool,
    out: Path | None,
    plot: Path | None,
    opened: Path | None,
    train: int | None,
    walk: bool,
    seed: int | None,
    as_json: bool,
) -> int:
    """Solves or opens the spot, and shows, writes or trains."""
    from zermelo.equilibrium.extensive.public.public_result import RangeResult

    asking = "--walk" if walk else "--train" if train else ""
    unheard: dict[str, object] = {"--json": as_json, "--certify": certify, "--train": walk and train, "--out": walk and out}
    for name, given in unheard.items() if asking else ():
        if given:
            raise ZermeloError(f"{asking} asks questions, and does not take {name}.")
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise ZermeloError(f"A solution cannot be written as {out.name}: give it an ending such as {', '.join(ENDINGS)}.")
    if certify:
        from zermelo.equilibrium.extensive.public.public_certificate import require_certifiable

        require_certifiable(game.public(), lock is not None)  # type: ignore[attr-defined]
    result = RangeResult.load(opened, game) if opened is not None else _solve(game, source, asked, read_locks(lock))
    if plot is not None:
        from zermelo.draw.convergence import plot_convergence

        plot_convergence({result.method: result.convergence}, plot, source)
    if walk:
        return walk_down(result, line)
    if result.card_comes(line):
        return _answer_with_runouts(result, source, line, out, as_json)
    point = result.at(line)
    certificate = certified(result) if certify else None
    if out is not None:
        write(result, point, out, source)
    if train:
        from zermelo.cli.trainer import train_on

        return train_on(result, train, seed)
    if as_json:
        proof = {} if certificate is None else {"certificate": certificate.to_dict()}
        print_json({"game": source, **result.to_dict(), **proof, "point": point.to_dict()})
    else:
        show(result, point, certificate)
    return INTERRUPTED if result.stopped == "interrupted" else 0


def _answer_with_runouts(result: "RangeResult", source: str, line: str, out: Path | None, as_json: bool) -> int:
    """What happens on every card that may come."""
    points = result.runouts(line)
    if not points:
        raise ZermeloError(f"Nobody decides behind {line!r} any more, whatever card comes.")
    data = {card: {"frequencies": point.frequencies, "value": point.value, "equity": point.equity} for card, point in points.items()}
    document = {"game": source, **result.to_dict(), "line": line, "runouts": data}
    if out is not None:
        _write_runouts(result, points, document, out, source)
    if as_json:
        print_json(document)
        return 0
    show_runouts(points, line)
    return 0


def show_runouts(points: dict[str, "RangePoint"], line: str) -> None:
    """A row a card."""
    first = next(iter(points.values()))
    words = table("card", f"equity of {first.seat}", "value", *first.actions)
    for card, point in points.items():
        shares = (percent(point.frequencies[action]) for action in point.actions)
        words.add_row(card, percent(point.equity), chips(point.value, point), *shares)
    console().print(f"{first.seat} after {line}, by the card that comes; pot {first.pot:g}")
    console().print(words)


def walk_down(result: "RangeResult", line: str) -> int:
    """Shows a point, asks what comes next, and goes there; `back` returns, nothing ends."""
    import click

    places = [line]
    while True:
        choices, cards = result.lines(places[-1]), result.card_comes(places[-1])
        if cards and (points := result.runouts(places[-1])):
            show_runouts(points, places[-1])
        elif choices and not cards:
            show_point(result.at(places[-1]))
        asked = "a card" if cards else ", ".join(choices) or "the hand is over"
        try:
            word = click.prompt(f"{asked}; back, or nothing to end", default="", show_default=False, err=True).strip()
            if not word:
                return 0
            if word.lower() == "back":
                places = places[:-1] or [line]
                continue
            following = f"{places[-1]}, {word}".removeprefix(", ")
            result.lines(following)
            places.append(following)
        except ZermeloError as error:
            note(str(error))
        except click.Abort:
            return 0


def _write_runouts(result: "RangeResult", points: dict[str, "RangePoint"], document: dict[str, Any], path: Path, source: str) -> None:
    """A row a card as .csv, everything as .json, the whole solution as .npz."""
    ending = path.suffix.lower()
    if ending == SAVED:
        result.save(path, source)
    elif ending == ".svg":
        raise ZermeloError(f"Behind {document['line']!r} a card comes: name it in the line to draw the grid of {path.name}.")
    elif ending == ".csv":
        actions = next(iter(points.values())).actions
        rows = (
            f"{card},{point.equity:.6g},{point.value:.6g}," + ",".join(f"{point.frequencies[each]:.6g}" for each in actions)
            for card, point in points.items()
        )
        _write_text(path, "\n".join((",".join(("card", "equity", "value", *actions)), *rows)) + "\n")
    else:
        _write_text(path, json.dumps(document, indent=1) + "\n")


def _write_text(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ZermeloError(f"{path} cannot be written: {error.strerror or error}.") from error


def _solve(game: Game, source: str, asked: dict[str, Any], locked: dict[str, Any]) -> "RangeResult":
    from zermelo.equilibrium.extensive.public.public_solver import PublicSolver
    from zermelo.runtime.stack import deep

    stop = threading.Event()
    with working(f"solving {source[:60]} (Ctrl-C shows the best so far)") as tell:
        progress = None if tell is None else _progress(tell)
        solver = PublicSolver(**asked, locked=locked, stop=stop, progress=progress)
        result: RangeResult = deep(solver.solve, game, levels=1 << 12, interrupt=stop.set)
    return result


def _progress(tell: Callable[[object], None]) -> Callable[[Any], None]:
    return lambda progress: tell(f"{plural(progress.iterations, 'iteration')}, {progress.seconds:.1f} s, {progress.method}")


def write(result: "RangeResult", point: "RangePoint", path: Path, source: str) -> None:
    """A point as .json, .csv or .svg; the whole solution as .npz."""
    ending = path.suffix.lower()
    if ending == SAVED:
        result.save(path, source)
        return
    if ending == ".svg":
        _needs_two_cards(point)
        text = point.grid()
    else:
        text = point.to_csv() if ending == ".csv" else json.dumps({**result.to_dict(), "point": point.to_dict()}, indent=1) + "\n"
    _write_text(path, text)


def _needs_two_cards(point: "RangePoint") -> None:
    if any(len(row.kind) < 2 for row in point.rows):
        raise ZermeloError("The grid of 13 × 13 is for hands of two cards.")


def certified(result: "RangeResult") -> "RangeCertificate":
    """The exploitability as a theorem."""
    from zermelo.equilibrium.extensive.public.public_certificate import certify_ranges

    return certify_ranges(result)


def show(result: "RangeResult", point: "RangePoint", certificate: "RangeCertificate | None" = None) -> None:
    """The result in words, the grid, and the hands of the point."""
    out = console()
    first, second = result.form.game.seats
    out.print(f"Value: {first} {digits(result.value[0])}, {second} {digits(result.value[1])} of a pot of {result.form.game.pot:g}")
    out.print(f"Exploitability: {result.exploitability:.3g} ({result.percent:.3g} % of the pot)")
    if certificate is not None:
        least = (
            ""
            if certificate.bounds is None
            else "; the value of {} lies between {:.6g} and {:.6g}".format(first, *map(float, certificate.bounds))
        )
        out.print(f"Certified: exploitability at most {float(certificate.exploitability):.6g}, in exact arithmetic{least}")
    form = result.form
    sizes = f"{len(form.game.nodes):,} nodes, {plural(len(form.boards.cards), 'board')}, {form.sizes[0]:,} × {form.sizes[1]:,} hands"
    out.print(f"{result.method}, {plural(result.iterations, 'iteration')} in {result.seconds:.3g} s, {sizes}")
    out.print(result.guarantee)
    show_point(point)
    if not result.form.game.zero_sum:
        note("With a rake the sum is not constant: there may be several equilibria of different value.")


def show_point(point: "RangePoint") -> None:
    """Means, the grid, groups of hands, and hands."""
    out = console()
    often = weighted((action, percent(share)) for action, share in point.frequencies.items())
    behind = f" after {point.line}" if point.line else ""
    where = f"on {point.board}" if point.board else "before the board"
    worth = f"value {chips(point.value, point)}, equity {percent(point.equity)}"
    out.print(f"\n{point.seat} {where}{behind}, pot {point.pot:g}: {often}; {worth}")
    if all(len(row.kind) > 1 for row in point.rows):
        _show_grid(point)
    for what, title in (("made", "made hand"), ("draw", "draw")):
        _show_groups(point, what, title)
    _show_hands(point)


def _show_grid(point: "RangePoint") -> None:
    from rich.text import Text

    from zermelo.draw.grid import action_colours, grid_text

    out = console()
    rows = grid_text(point.classes(), point.actions)
    if not out.is_terminal or not has_all_signs():
        return
    for row in rows:
        line = Text()
        for kind, colour in row:
            line.append(f" {kind:<3} ", style=f"black on {colour}" if colour else "bright_black")
        out.print(line)
    legend = Text()
    for action, colour in action_colours(point.actions).items():
        legend.append(f" {action} ", style=f"black on {colour}")
        legend.append("  ")
    out.print(legend, end="\n\n")


def chips(value: float, point: "RangePoint") -> str:
    """What something is worth; a millionth of the pot is rounding."""
    return digits(value, 1e-6 * point.pot)


def percent(share: float) -> str:
    """A share of 1; rounding makes none negative."""
    return f"{max(share, 0.0):.1%}"


def _show_groups(point: "RangePoint", what: str, title: str) -> None:
    """Means over the hands that have made, or draw to, the same."""
    groups = point.groups(what)
    if len(groups) > 1:
        words = table(title, "of the range", "equity", "value", *point.actions)
        for word, group in groups.items():
            shares = [percent(group.frequencies[action]) for action in point.actions]
            words.add_row(word, percent(group.weight), percent(group.equity), chips(group.value, point), *shares)
        console().print(words)


def _show_hands(point: "RangePoint") -> None:
    words = table("hand", "of the range", "equity", "value", *point.actions, "best, and what the others cost")
    rows = sorted(point.rows, key=lambda row: -row.value)
    for row in rows[:SHOWN]:
        best = max(row.values, key=lambda action: row.values[action])
        costs = {action: row.values[best] - value for action, value in row.values.items() if action != best}
        said = weighted((action, f"{cost:.3g}") for action, cost in costs.items())
        shares = [number(round(row.frequencies[action], 3)) for action in point.actions]
        words.add_row(row.hand, f"{row.weight:.2%}", percent(row.equity), chips(row.value, point), *shares, f"{best}; {said}")
    console().print(words)
    if len(rows) > SHOWN:
        console().print(f"… and {len(rows) - SHOWN:,} more hands: --out FILE.csv writes them all.")
