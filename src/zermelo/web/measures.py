"""Values as people say them: in the game's own unit, for the mover, with a share of the evaluation bar and a sentence that says why."""

import math
import time
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

from zermelo.play.match import roll
from zermelo.play.wording import number, win_or_lose
from zermelo.rules import CHANCE, Game, State, draw_value, has, hidden_information, legal_actions, player_name

__all__ = ["lead_of", "mark_of", "payoffs_of", "random_end", "reason", "seat_name", "shape_of", "share_of", "short_of", "words_of"]

SURE, ALMOST = 0.97, 0.93  # shares of the bar: of what is proven, and the most that an estimate gets
MISTAKE, BLUNDER = 0.12, 0.3  # shares of the bar that a move gives away
GAMES, SAMPLED = 40, 0.05  # random games, and seconds, that tell what payoffs there are
STEEP = 4.0  # units of a lead that make a game half decided, at least:
STEEPEST = 16.0  # and this part of the way between the lowest and the highest payoff


def unit_of(game: Game) -> tuple[str, float]:
    """The word for a unit of an estimate, and how many units a payoff of 1 is: rules say it as `unit`; otherwise percent or points."""
    own = getattr(game, "unit", None)
    if own is not None:
        return str(own[0]), float(own[1])
    difference = 2.0 if game.total else 1.0  # a lead is the difference of the payoffs
    return ("%", 100.0) if payoffs_of(game) in ((-1, 1), (0, 1)) else ("", difference)


def payoffs_of(game: Game) -> tuple[float, float] | None:
    """The bounds of the payoffs: as declared, otherwise ±1 where random games end with nothing else, draws apart."""
    if game.payoffs is not None or game.players != 2 or game.total != 0 or has(game, "evaluate"):
        return game.payoffs
    try:
        return (-1, 1) if wins_or_draws(game) else None
    except Exception:  # rules that fail say so where they are played
        return None


def decisive(game: Game) -> bool:
    """Is a game won, lost or drawn, and nothing else?"""
    return win_or_lose(game) or (game.payoffs is None and payoffs_of(game) is not None)


@lru_cache(maxsize=256)
def wins_or_draws(game: Game) -> bool:
    """Do random games bring 1, −1 and 0 alone?"""
    random, until = Random(0), time.perf_counter() + SAMPLED
    ends = {random_end(game, game.start(), random, until) for _ in range(GAMES)} - {None}
    return ends <= {1, 0, -1} and bool(ends & {1, -1})


def random_end(game: Game, state: State, random: Random, until: float) -> Any:
    """What a game brings in which every choice is made at random; None where it takes too long."""
    while not game.terminal(state):
        if time.perf_counter() > until:
            return None
        chance = game.player(state) == CHANCE
        state = game.result(state, roll(game, state, random) if chance else random.choice(legal_actions(game, state)))
    return game.utility(state)


def seat_name(game: Game, player: int) -> str:
    """What the people at a board call a player; Max and Min belong to trees."""
    declared = any(len(getattr(game, part, ()) or ()) == game.players for part in ("names", "seats"))
    if declared or player == CHANCE or game.players > 2:
        return player_name(game, player)
    return "Player" if game.players == 1 else ("First", "Second")[player]


def lead_of(game: Game, value: Any, mover: int) -> float:
    """How much better than a draw a value is for the mover."""
    if isinstance(value, tuple | list):
        return float(value[mover]) - float(draw_value(game))
    lead = float(value) - float(draw_value(game))
    return -lead if mover == 1 and game.players == 2 else lead


def shape_of(game: Game, value: Any, exact: bool, mover: int) -> str:
    """Win, draw, loss, or estimate, for the player to move; with chance a value between is an estimate of luck, however exact."""
    if not exact or game.players == 1 or (decisive(game) and value not in ends(game)):
        return "estimate"
    lead = lead_of(game, value, mover)
    return "win" if lead > 0 else "loss" if lead < 0 else "draw"


def ends(game: Game) -> tuple[float, ...]:
    """The values of a win, a loss and, where chance does not blur it, a draw."""
    between = () if has(game, "chances") else (draw_value(game),)
    return (*(payoffs_of(game) or ()), *between)


def short_of(game: Game, value: Any, exact: bool, distance: int | None, mover: int) -> str:
    """A value in a few signs, for the mover: `win 7`, `draw`, `+1.2`, `58%`."""
    if isinstance(value, tuple | list):
        return number(round(float(value[mover]), 2))
    if game.players == 1:
        if payoffs_of(game) == (0, 1):
            return f"{100 * float(value):.0f}%"
        return f"{'cost' if exact else '≥'} {number(-value)}" if is_cost(game, value) else number(round(float(value), 2))
    shape, lead = shape_of(game, value, exact, mover), lead_of(game, value, mover)
    if shape != "estimate" and decisive(game):
        return shape if distance is None or shape == "draw" else f"{shape} {distance}"
    if shape == "draw":
        return "draw"
    word, factor = unit_of(game)
    if word == "%":
        low, high = payoffs_of(game) or (-1, 1)
        return f"{100 * (lead / (high - low) + 0.5):.0f}%"
    return signed(lead * factor, 0 if exact else 1)


def is_cost(game: Game, value: Any) -> bool:
    """Is this what a puzzle costs? With chance it is a mean gain or loss."""
    return bool(value <= 0) and not has(game, "chances")


def signed(value: float, digits: int = 1) -> str:
    """A lead with its sign: +1.2, −0.4, 0."""
    text = f"{value:+.{digits}f}" if not float(value).is_integer() else f"{int(value):+d}"
    return "0" if not text.strip("+-0.") else text.replace("-", "−")


def share_of(game: Game, value: Any, exact: bool) -> float:
    """The first player's part of the evaluation bar, from 0 to 1."""
    lead = lead_of(game, value, 0)
    shape = shape_of(game, value, exact, 0)
    if shape != "estimate" and decisive(game):
        return {"win": SURE, "loss": 1 - SURE, "draw": 0.5}[shape]
    word, factor = unit_of(game)
    if word == "%":
        low, high = payoffs_of(game) or (-1, 1)
        part = lead / (high - low) + 0.5
    else:
        low, high = (0, 0) if game.payoffs is None or decisive(game) else game.payoffs
        steep = max(STEEP, factor * (high - low) / STEEPEST)
        part = 1 / (1 + math.exp(-max(-40.0, min(40.0, lead * factor / steep))))
    return min(SURE if exact else ALMOST, max(1 - SURE if exact else 1 - ALMOST, part))


def words_of(game: Game, value: Any, exact: bool, distance: int | None) -> str:
    """Who is how far ahead, in words: "White wins in 3", "Black is ahead by 1.2 pawns", "Red wins 58 games in 100"."""
    if isinstance(value, tuple | list):
        return ", ".join(f"{seat_name(game, player)} gets {number(round(float(payoff), 2))}" for player, payoff in enumerate(value))
    if game.players == 1:
        if payoffs_of(game) == (0, 1):
            return f"{100 * float(value):.0f} of 100 games are won"
        return (
            f"it costs {'' if exact else 'at least '}{number(-value)}"
            if is_cost(game, value)
            else f"worth {number(round(float(value), 2))}"
        )
    shape, lead = shape_of(game, value, exact, 0), lead_of(game, value, 0)
    who = seat_name(game, 0 if lead >= 0 else 1)
    if shape == "draw" or (shape == "estimate" and abs(lead) < 1e-9):
        return "a draw" if shape == "draw" else "nobody is ahead"
    if shape != "estimate" and decisive(game):
        return f"{who} wins" if distance is None else f"{who} wins in {distance}"
    word, factor = unit_of(game)
    if word == "%":
        low, high = payoffs_of(game) or (-1, 1)
        percent = f"{100 * (abs(lead) / (high - low) + 0.5):.0f}"
        if percent == "50":
            return "nobody is ahead"
        return f"{who} wins {percent} games in 100" if exact or has(game, "chances") else f"{who} is ahead, {percent}%"
    amount = abs(lead * factor)
    text = number(round(amount, 0 if float(amount).is_integer() else 1))
    if text == "0":
        return "nobody is ahead"
    unit = word.removesuffix("s") if text == "1" else word
    wins = "wins" if hidden_information(game) else "wins by"  # chips are won
    return f"{who} {wins if exact else 'is ahead by'} {text} {unit}".rstrip()


def mark_of(before: float, after: float, mover: int) -> str:
    """What a move gave away, from the shares of the bar before and after it: nothing, `?`, or `??`."""
    if mover == CHANCE:
        return ""
    lost = before - after if mover == 0 else after - before
    return "??" if lost >= BLUNDER else "?" if lost >= MISTAKE else ""


def soonest(moves: Mapping[str, Mapping[str, Any]], best: list[str]) -> list[str]:
    """Of moves of the same value, those that win soonest or lose latest."""
    known = {name: int(moves[name]["distance"]) for name in best if moves.get(name, {}).get("distance") is not None}
    if len(known) < len(best):
        return best
    wanted = max(known.values()) if moves[best[0]]["shape"] == "loss" else min(known.values())
    return [name for name in best if known[name] == wanted]


def listed(names: list[str]) -> str:
    """A few moves by name, more by their number."""
    return f"{len(names)} moves" if len(names) > 3 else " and ".join([", ".join(names[:-1]), names[-1]][len(names) == 1 :])


def reason(game: Game, mover: int, moves: Mapping[str, Mapping[str, Any]], line: list[str], best: list[str]) -> str:
    """One sentence on a position whose moves (name → worth as plain data) are known, in moves that a player knows."""
    if not moves or not best:
        return ""
    shapes = {name: worth["shape"] for name, worth in moves.items()}
    best = soonest(moves, best)
    top, who = moves[best[0]], seat_name(game, mover)
    after = f"after {line[0]}, " if len(best) > 1 and line else ""
    reply = f"; {after}{line[1]} is answered by {line[2]}" if len(line) > 2 else f", and {line[1]} does not help" if len(line) > 1 else ""
    soon = "" if top.get("distance") is None else f" in {top['distance']}"
    others = [shape for name, shape in shapes.items() if name not in best]
    if top["exact"] and game.total is None:  # there is no winning where payoffs do not add up
        return f"{listed(best)} {'is' if len(best) == 1 else 'are'} best for {who} ({top['short']}){reply}."
    if top["shape"] == "win":
        reply = reply if line and line[0] in best else ""
        only = "Only " if len(best) == 1 and others and "win" not in others else ""
        verb = "wins" if len(best) == 1 else "win"
        at_once = top.get("distance") == 1
        return f"{only}{listed(best)} {verb}{' at once' if at_once else soon}{'' if at_once else reply}."
    if top["shape"] == "loss":
        return f"Every move loses for {who}; {best[0]} holds out longest{soon}."
    if top["shape"] == "draw" and others and set(others) == {"loss"}:
        return f"Only {listed(best)} hold{'s' if len(best) == 1 else ''} the draw; everything else loses."
    if top["shape"] == "draw":
        losing = [name for name, shape in shapes.items() if shape == "loss"]
        return f"A draw with best play{f'; {losing[0]} would lose' if losing else ''}."
    after = f", then {' '.join(line[1:3])}" if len(line) > 1 else ""
    if game.players == 1 and top["exact"]:
        return f"{best[0]} is best ({top['short']}){after}."
    return f"{best[0]} looks best for {who}{after}."
