"""Matrix games ⇄ Gambit's .nfg files (strategic games).

    NFG 1 R "title" { "Player 1" "Player 2" } { { "Coop" "Def" } { "Coop" "Def" } }
    "comment"
    3 3  4 0  0 4  1 1

After the strategies, which may also be given by their numbers as in { 2 2 }, come either all payoffs or a list of outcomes
{ { "name" 3, 3 } … } and then one outcome's number a profile, 0 being none. Profiles are in the order in which the *first* player's
strategy changes fastest. Format: https://gambitproject.readthedocs.io/en/latest/formats.nfg.html
"""

import math
from fractions import Fraction
from itertools import product
from pathlib import Path

from zermelo.formats.gambit import Tokens, quoted, read_text, unique, write_text, written
from zermelo.trees.matrix import Matrix

__all__ = ["matrix_from_nfg", "matrix_to_nfg", "read_nfg", "write_nfg"]

Payoffs = tuple[int | Fraction, ...]


def matrix_from_nfg(text: str, name: str = "the text") -> Matrix:
    """The game that the text of an .nfg file describes."""
    tokens = Tokens(text, name)
    title, names = tokens.header("NFG", "1")
    strategies = _strategies(tokens, len(names))
    if tokens.is_text():
        tokens.next()  # a comment
    shape = [len(each) for each in strategies]
    if math.prod(shape) > len(tokens.tokens):
        tokens.fail(tokens.peek(), f"{math.prod(shape)} profiles need as many payoffs, but the file has {len(tokens.tokens) - 1} words")
    read_cells = _outcome_cells if tokens.is_brace("{") else _payoff_cells
    cells = read_cells(tokens, len(names), math.prod(shape))
    if not tokens.at_end():
        tokens.fail(tokens.peek(), f"all {len(cells)} profiles have their payoffs, but the file goes on")
    # The file's first player changes fastest, ours last: read the cells in our order.
    by_profile = dict(zip(_file_order(shape), cells, strict=True))
    ordered = [by_profile[profile] for profile in product(*map(range, shape))]
    tables = tuple(tuple(cell[player] for cell in ordered) for player in range(len(names)))
    return Matrix(tuple(map(tuple, strategies)), tables, tuple(names), title)


def read_nfg(path: str | Path) -> Matrix:
    """The game in an .nfg file."""
    return matrix_from_nfg(read_text(path), str(path))


def write_nfg(game: Matrix, path: str | Path) -> None:
    """A matrix game into an .nfg file."""
    write_text(path, matrix_to_nfg(game))


def matrix_to_nfg(game: Matrix) -> str:
    """The text of an .nfg file; `matrix_from_nfg` is its inverse."""
    names = " ".join(map(quoted, game.names))
    strategies = "\n".join("{ " + " ".join(map(quoted, each)) + " }" for each in game.strategies)
    rows = (" ".join(map(written, game.payoff(profile))) for profile in _file_order(list(game.shape)))
    return f'NFG 1 R {quoted(game.title)} {{ {names} }}\n\n{{\n{strategies}\n}}\n""\n\n' + "\n".join(rows) + "\n"


def _file_order(shape: list[int]) -> list[tuple[int, ...]]:
    """All profiles, the first player's strategy changing fastest."""
    return [profile[::-1] for profile in product(*map(range, reversed(shape)))]


def _strategies(tokens: Tokens, players: int) -> list[list[str]]:
    """[player] names of the strategies: quoted lists, or only how many there are."""
    place = tokens.peek()
    tokens.brace("{", "before the strategies")
    found: list[list[str]] = []
    while not tokens.is_brace("}"):
        if tokens.is_brace("{"):
            inner = tokens.peek()
            names = tokens.texts("a strategy")
            if not names:
                tokens.fail(inner, "a player has no strategy")
            found.append(unique(names))
        else:
            here = tokens.peek()
            count = tokens.whole("the number of strategies", 1)
            if count > len(tokens.tokens):
                tokens.fail(here, f"{count} strategies need as many profiles, but the file has {len(tokens.tokens) - 1} words")
            found.append([str(number) for number in range(1, count + 1)])
    tokens.next()
    if len(found) != players:
        tokens.fail(place, f"there are strategies for {len(found)} players, but the names of {players}")
    return found


def _payoff_cells(tokens: Tokens, players: int, cells: int) -> list[Payoffs]:
    """All payoffs, one profile after the other."""
    found = []
    for cell in range(cells):
        if tokens.at_end():
            tokens.fail(tokens.peek(), f"the file is cut off: {cell} of {cells} profiles have their payoffs")
        wanted = f"the payoff of player {{}} in profile {cell + 1} of {cells}"
        found.append(tuple(tokens.number(wanted.format(player + 1)) for player in range(players)))
    return found


def _outcome_cells(tokens: Tokens, players: int, cells: int) -> list[Payoffs]:
    """Outcomes with their payoffs, then the number of each profile's outcome."""
    tokens.brace("{", "before the outcomes")
    outcomes: list[Payoffs] = [(0,) * players]
    while not tokens.is_brace("}"):
        tokens.brace("{", "before an outcome")
        if tokens.is_text():
            tokens.next()  # the outcome's name
        outcomes.append(tuple(tokens.number(f"the payoff of player {player + 1}") for player in range(players)))
        tokens.brace("}", f"after the {players} payoffs of an outcome")
    tokens.next()
    found = []
    for cell in range(cells):
        if tokens.at_end():
            tokens.fail(tokens.peek(), f"the file is cut off: {cell} of {cells} profiles have their outcome")
        place = tokens.peek()
        number = tokens.whole("the number of an outcome")
        if number >= len(outcomes):
            tokens.fail(place, f"there is no outcome {number}: the file lists {len(outcomes) - 1}")
        found.append(outcomes[number])
    return found
