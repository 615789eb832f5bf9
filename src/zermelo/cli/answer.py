"""An answer of a search in words: the best move, every move's score, the line, how sure."""

from dataclasses import replace
from typing import Any

from zermelo.cli.output import console, note, print_json, table
from zermelo.cli.wording import certainty, duration, ending, number, plural, worth
from zermelo.formats.position import format_moves
from zermelo.play.algorithms import interrupted
from zermelo.play.wording import win_or_lose
from zermelo.results import SearchResult
from zermelo.rules import MAX, Game, player_name

__all__ = ["report", "show"]


def report(result: SearchResult, game: str, position: str | None, as_json: bool) -> None:
    """The answer as one document, or in words."""
    if as_json:
        print_json({"game": game, "position": position, **result.to_dict()})
    else:
        show(result)


def show(result: SearchResult) -> None:
    """The answer in words."""
    out = console()
    if interrupted(result):
        note("Interrupted.")
    for sentence in result.notes:
        note(sentence)
    words = worth(result, result.value, result.distance) + ending(result.extra.get("kind"))
    if result.game.terminal(result.state):
        out.print(f"The game is over: {words}.")
        return
    who = player_name(result.game, result.game.player(result.state))
    if result.action is None:
        out.print(f"{who} moves: {words} ({certainty(result)})")
    elif "probabilities" in result.extra and len(result.actions) > 1:
        out.print(f"{who} mixes {mixture(result)}: {words} ({certainty(result)})", style="bold")
    else:
        out.print(f"{result.action_name(result.action)} is {who}'s best move: {words} ({certainty(result)})", style="bold")
    if len(result.actions) > 1 and "probabilities" not in result.extra:
        alike, others = as_good(result)
        for words, names in (("as good", alike), ("same result, sooner or later", others)):
            if names:
                out.print(f"{words}: {', '.join(names)}")
    if result.line and "probabilities" not in result.extra:
        out.print(f"line: {format_moves(result.game, result.state, result.line)}")
    if result.scores:
        out.print(scores(result))
    if "minimax_against_model" in result.extra:
        out.print(comparison(result))
    cuts = ""
    if result.alpha_cuts or result.beta_cuts:
        cuts = f", {plural(result.alpha_cuts, 'alpha cut')}, {plural(result.beta_cuts, 'beta cut')}"
    out.print(f"{plural(result.nodes, 'node')}{cuts}, {duration(result.seconds)} ({result.algorithm}, {result.backend})", style="dim")


def as_good(result: SearchResult) -> tuple[list[str], list[str]]:
    """The other actions of best value: those that come to the same end as soon, and those that do not."""
    alike: list[str] = []
    others: list[str] = []
    for action in result.actions:
        if action != result.action:
            same = result.distances.get(action) == (None if result.action is None else result.distances.get(result.action))
            (alike if same else others).append(result.action_name(action))
    return alike, others


def mixture(result: SearchResult) -> str:
    """How often each action is chosen."""
    names = [result.action_name(action) for action in result.actions]
    return ", ".join(f"{name} {number(result.extra['probabilities'][name])}" for name in names)


def comparison(result: SearchResult) -> str:
    """What minimax would have got against the same opponent."""
    held, worst = number(result.extra["minimax_against_model"]), number(result.extra["minimax_value"])
    return f"against this opponent: the best reply gets {number(result.value)}, minimax {held} (and {worst} against a perfect one)"


def scores(result: SearchResult) -> Any:
    """Every legal move with its value, in the order of the rules; the chosen one is marked."""
    if "visits" in result.extra:
        return sampled_scores(result)
    listing = table("", "move", "value", "meaning", right=["value"])
    for action, value in result.scores.items():
        mark = "→" if action == result.action else "=" if action in result.actions else ""
        name = result.action_name(action)
        seen = replace(result, exact=False) if name in result.extra.get("estimated", ()) else result
        words = worth(seen, value, result.distances.get(action)) + ending(result.extra.get("kinds", {}).get(name))
        listing.add_row(mark, name, number(value), words)
    return listing


def sampled_scores(result: SearchResult) -> Any:
    """The same for a search by playouts: how often each move was tried, its value, and the 95 % interval of the mover's payoff.

    The moves come in the order in which the search would choose them: by visits, or by their means.
    """
    visits, mover = result.extra["visits"], result.game.player(result.state)
    known = any(around is not None for around in result.extra["intervals"].values())
    wins = win_or_lose(result.game)
    numbers = ["visits", *(["win %"] if wins else []), "value"]
    listing = table("", "move", *numbers, "interval of the mover" if known else "", "", right=numbers)

    def own(value: Any) -> float:
        return float(value[mover] if isinstance(value, tuple) else value if mover == MAX else (result.game.total or 0) - value)

    def rank(pair: tuple[Any, Any]) -> tuple[float, float]:
        often, worth = visits[result.action_name(pair[0])], own(pair[1])
        return (-often, -worth) if result.parameters.get("final", "visits") == "visits" else (-worth, -often)

    for action, value in sorted(result.scores.items(), key=rank):
        name = result.action_name(action)
        mark = "→" if action == result.action else "=" if action in result.actions else ""
        around = result.extra["intervals"][name]  # None where payoffs are estimates, not those of games played out
        sure = "proven" if name in result.extra["proven"] else ""
        words = "" if around is None else f"{number(around[0])} … {number(around[1])}"
        share = [f"{win_share(result.game, own(value)):.1f}"] if wins else []
        listing.add_row(mark, name, f"{visits[name]:,}", *share, number(value), words, sure)
    return listing


def win_share(game: Game, payoff: float) -> float:
    """A mean payoff as a share of what a win is worth, in %; a draw counts half."""
    low, high = game.payoffs or (0, 1)
    return 100 * (payoff - float(low)) / float(high - low)
