"""`zermelo exercise`: exercises with one right answer, on the screen or as a sheet to print, with solutions."""

from html import escape
from pathlib import Path

import click

from zermelo.cli import options
from zermelo.cli.output import console, print_json
from zermelo.draw import svg
from zermelo.errors import ZermeloError
from zermelo.play.exercises import KINDS, LEVELS, Exercise, exercise
from zermelo.trees.matrix import Matrix

__all__ = ["command"]

SHEET = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 16px/1.5 Georgia, serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1d2129; }}
section {{ break-inside: avoid; border-top: 1px solid #cfc8ba; padding: .6rem 0 1.2rem; }}
h2 {{ font-size: 1.1rem; }} svg {{ max-width: 100%; height: auto; }}
table {{ border-collapse: collapse; margin: .6rem 0; }} td, th {{ border: 1px solid #cfc8ba; padding: .4rem .9rem; text-align: center; }}
.blank {{ display: inline-block; min-width: 9rem; border-bottom: 1px solid #626872; }}
.solutions {{ break-before: page; }}
</style></head><body><h1>{title}</h1>
{questions}
<div class="solutions"><h1>Solutions</h1><ol>
{solutions}
</ol></div></body></html>
"""


@click.command("exercise")
@click.argument("kind", type=click.Choice(tuple(KINDS)), metavar="KIND")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same exercise.")
@click.option("--level", type=click.IntRange(min(LEVELS), max(LEVELS)), default=1, show_default=True, help="How large the exercise is.")
@click.option("--count", type=click.IntRange(1, 100), default=1, show_default=True, help="How many exercises, from consecutive seeds.")
@click.option(
    "--sheet", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write an HTML sheet to print, with solutions."
)
@options.json_output
def command(kind: str, seed: int, level: int, count: int, sheet: Path | None, as_json: bool) -> None:
    """An exercise with one right answer: minimax, cutoffs, expectimax, induction or mixed."""
    made = [exercise(kind, seed + number, level) for number in range(count)]
    if as_json:
        print_json({"exercises": [as_data(each) for each in made]})
        return
    if sheet is not None:
        try:
            sheet.write_text(sheet_of(made), encoding="utf-8")
        except OSError as error:
            raise ZermeloError(f"{sheet} cannot be written: {error.strerror or error}.") from error
        console().print(f"{count} exercise{'' if count == 1 else 's'} with solutions: {sheet}")
        return
    out = console()
    for each in made:
        out.print(each.title, style="bold")
        out.print(each.question)
        out.print(as_text(each), highlight=False)
    out.print("Solutions", style="bold")
    for number, each in enumerate(made, 1):
        out.print(f"{number}. {each.solution}")


def as_data(made: Exercise) -> dict[str, object]:
    return {
        "kind": made.kind,
        "seed": made.seed,
        "level": made.level,
        "question": made.question,
        "answers": dict(made.answers),
        "solution": made.solution,
    }


def as_text(made: Exercise) -> str:
    """The tree as an outline, or the table."""
    if isinstance(made.subject, Matrix):
        return "\n".join("   ".join(cell for cell in row) for row in cells(made.subject))
    from zermelo.draw import text

    return text(made.subject)


def cells(matrix: Matrix) -> list[list[str]]:
    rows, columns = matrix.shape
    return [[", ".join(str(payoff) for payoff in matrix.payoff((row, column))) for column in range(columns)] for row in range(rows)]


def picture(made: Exercise) -> str:
    """The tree as a picture, or the table."""
    if isinstance(made.subject, Matrix):
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in cells(made.subject))
        return f"<table>{rows}</table>"
    return svg(made.subject)


def sheet_of(made: list[Exercise]) -> str:
    """All exercises, then all solutions on a page of their own."""
    questions = "\n".join(
        f"<section><h2>{number}. {escape(each.title)}</h2><p>{escape(each.question)}</p>{picture(each)}<p>"
        + " ".join(f'{escape(name)}: <span class="blank">&nbsp;</span>' for name, _ in each.answers)
        + "</p></section>"
        for number, each in enumerate(made, 1)
    )
    solutions = "\n".join(f"<li>{escape(each.solution)}</li>" for each in made)
    return SHEET.format(title=f"Exercises: {escape(made[0].title.lower())}", questions=questions, solutions=solutions)
