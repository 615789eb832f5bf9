"""`zermelo verify`: checks a strategy by the rules alone."""

from pathlib import Path

import click

from zermelo.cli import options
from zermelo.cli.commands.strategy import promised
from zermelo.cli.entry import FAILED
from zermelo.cli.output import console, note, print_json, working
from zermelo.cli.wording import plural
from zermelo.formats.position import format_moves, parse_position
from zermelo.play.setup import open_game

__all__ = ["command"]


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--game", metavar="GAME", help="The rules to verify by; needed if they are in a file of your own.")
@options.json_output
def command(file: Path, game: str | None, as_json: bool) -> int:
    """Check a strategy file by the rules alone.

    Follows every line that the strategy allows. Exit code 1 if the promise does not hold, with the moves that show it.
    """
    from zermelo.play.strategies import load_strategy

    strategy = load_strategy(file, None if game is None else open_game(game))
    with working(f"Verifying {file}"):
        verdict = strategy.verify()
    unused = len(strategy.choices) + len(strategy.replies) - verdict.used
    line = format_moves(strategy.game, parse_position(strategy.game, strategy.position).state, verdict.line)
    if as_json:
        print_json(
            {
                "game": strategy.name,
                "position": strategy.position,
                "player": strategy.player,
                "against": strategy.against,
                "payoff": strategy.payoff,
                "holds": verdict.holds,
                "worst": verdict.worst,
                "states": verdict.states,
                "unused": unused,
                "reason": verdict.reason,
                "line": line,
                "same_rules": not strategy.changed(),
            }
        )
        return 0 if verdict.holds else FAILED
    if strategy.changed():
        note("The rules have changed since the strategy was made: it is checked by the rules as they are now.")
    promise = promised(strategy.game, strategy.player, strategy.payoff)
    replies = "every reply" if strategy.against == "any" else "every reply that the file names"
    if verdict.holds:
        console().print(f"Verified: in {strategy.name}, {promise} against {replies}. {plural(verdict.states, 'state')} were looked at.")
        if unused:
            note(f"{plural(unused, 'line')} of the file are not needed.")
        return 0
    console().print(f"Not so: in {strategy.name} it is claimed that {promise} against {replies}, but {verdict.reason}.")
    if line:
        console().print(f"moves: {line}")
    return FAILED
