"""`zermelo gtp`: the protocol of Go programs."""

import sys

import click

from zermelo.cli import options
from zermelo.errors import ZermeloError
from zermelo.play.setup import open_game

__all__ = ["command"]


@click.command("gtp")
@click.argument("game", metavar="[GAME]", default="go")
@click.option("--player", metavar="PLAYER", help="The player, such as mcts(nodes=5000). Default: mcts with --time.")
@click.option("--time", "seconds", type=click.FloatRange(min=0, min_open=True), default=1.0, show_default=True, help="Seconds per move.")
@options.seed
def command(game: str, player: str | None, seconds: float, seed: int | None) -> None:
    """Speak the Go Text Protocol on stdin and stdout.

    A Go program starts this command as its engine. GAME is go with its parameters, such as go(size=19,komi=6.5).
    """
    from zermelo.games.go import Go
    from zermelo.play.gtp import GoConversation
    from zermelo.play.players import parse_player

    rules = open_game(game)
    if not isinstance(rules, Go):
        raise ZermeloError(f"GTP is the protocol of Go, and {game} is another game: `zermelo uci {game}` speaks for it.")
    if player is not None:
        parse_player(player)
    if rules.caution:
        click.echo(rules.caution, err=True)
    conversation = GoConversation(rules, player, seconds, seed)
    for line in sys.stdin:
        answer = conversation.hear(line)
        if answer is None:
            click.echo("=\n")
            return
        if answer:
            click.echo(answer)
            sys.stdout.flush()
