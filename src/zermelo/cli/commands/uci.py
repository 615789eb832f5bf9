"""`zermelo uci`: the engine protocol, UCI for chess and UGI for every other game."""

import sys

import click

from zermelo.cli.whole import tell_damage
from zermelo.play.setup import open_game

__all__ = ["command"]


@click.command("uci")
@click.argument("game", metavar="[GAME]", default="chess")
def command(game: str) -> None:
    """Speak the protocol of chess engines on stdin and stdout: UCI for chess, and the same as UGI for every other GAME.

    A chess program starts this command as its engine. Garbage is ignored with an `info string`.
    """
    from zermelo.play.protocol import Conversation

    def say(line: str) -> None:
        click.echo(line)
        sys.stdout.flush()

    rules = open_game(game)
    tell_damage(rules)
    conversation = Conversation(rules, game, say)
    for line in sys.stdin:
        if not conversation.hear(line):
            return
    conversation.close()
