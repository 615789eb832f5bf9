"""`zermelo convert`: a game from one form into another."""

from pathlib import Path

import click

from zermelo.cli import options
from zermelo.cli.output import console
from zermelo.cli.wording import plural
from zermelo.errors import ZermeloError
from zermelo.play.setup import open_game
from zermelo.rules import Game

__all__ = ["command"]

ENDINGS = (".efg", ".nfg", ".json")


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--full", is_flag=True, help="Into .nfg: all strategies, including those that differ only at unreachable nodes.")
@click.option("--limit", type=options.Whole(min=1), default=1_000_000, show_default=True, metavar="N", help="Unfold at most N nodes.")
def command(source: str, target: Path, full: bool, limit: int) -> None:
    """Write a game into a file: a tree (.efg or .json) or its normal form (.nfg).

    IN is any game, or a file .efg, .nfg or .json. The ending of OUT says what is written.
    """
    if target.suffix.lower() not in ENDINGS:
        raise ZermeloError(f"{target} does not say what to write: let it end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}.")
    if full and target.suffix.lower() != ".nfg":
        raise ZermeloError("--full is for normal forms: let OUT end in .nfg.")
    game = open_game(source)
    console().print(f"{target}: {write(game, target, full, limit)}")


def write(game: Game, target: Path, full: bool, limit: int) -> str:
    """Writes the file; returns what is in it, in words."""
    from zermelo.equilibrium.extensive.exact.normal_form import normal_form
    from zermelo.formats.efg import write_efg
    from zermelo.formats.json import write_tree
    from zermelo.formats.nfg import write_nfg
    from zermelo.trees.matrix import Matrix
    from zermelo.trees.tree import Tree
    from zermelo.trees.unfolding import unfold

    if target.suffix.lower() == ".nfg":
        matrix = game if isinstance(game, Matrix) else normal_form(_tree(game, limit), reduced=not full).matrix
        write_nfg(matrix, target)
        return f"{' × '.join(map(str, matrix.shape))} strategies"
    tree = game if isinstance(game, Tree) else unfold(game, limit=limit)
    (write_efg if target.suffix.lower() == ".efg" else write_tree)(tree, target)
    return f"{plural(len(tree), 'node')}, {plural(tree.players, 'player')}"


def _tree(game: Game, limit: int) -> Game:
    from zermelo.trees.tree import Tree
    from zermelo.trees.unfolding import unfold

    return game if isinstance(game, Tree) else unfold(game, limit=limit)
