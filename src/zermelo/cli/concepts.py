"""Solution concepts other than equilibria in mixed strategies, for `zermelo equilibrium --method NAME`: each computes, says, tabulates."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.cli.output import console, note, print_json, table
from zermelo.cli.wording import number, plural
from zermelo.results import weighted
from zermelo.rules import Game, player_name
from zermelo.trees.matrix import Matrix

__all__ = ["CONCEPTS", "answer_by_concept"]


class Answer(NamedTuple):
    """What a concept says of a game."""

    data: dict[str, Any]  # as --json prints it
    lines: Iterable[str]
    columns: tuple[str, ...] = ()
    rows: Iterable[tuple[str, ...]] = ()
    notes: tuple[str, ...] = ()


def correlated(game: Matrix, coarse: bool = False) -> Answer:
    """The correlated equilibrium with the largest sum of payoffs."""
    from zermelo.equilibrium.matrix.correlated import Correlated

    found = Correlated(coarse=coarse).solve(game)
    kind = "coarse correlated" if coarse else "correlated"
    lines = [
        f"The {kind} equilibrium with the largest sum of payoffs: {_values(game.names, found.value)}",
        f"No player gains by disobeying{', proved in rational numbers' if found.exact else f' more than {float(found.regret):.2g}'}",
    ]
    return Answer(found.to_dict(), lines, ("profile", "probability"), [(name, _text(weight)) for name, weight in found.named().items()])


def dominance(game: Matrix) -> Answer:
    """What is left when strictly dominated strategies are struck out, round by round."""
    from zermelo.equilibrium.matrix.dominance import eliminate

    found = eliminate(game)
    kept = (f"{name}: {', '.join(found.reduced.strategies[player])}" for player, name in enumerate(game.names))
    rows = [(str(order), each.words(game)) for order, struck in enumerate(found.rounds, 1) for each in struck]
    lines = [f"Struck out: {len(rows)}, in {plural(len(found.rounds), 'round')}, each with a proof; left are", *kept]
    return Answer({"method": "dominance", **found.to_dict()}, lines, ("round", "struck out"), rows)


def dynamics(game: Matrix, name: str, plot: Path | None = None, iterations: int | None = None) -> Answer:
    """Where a dynamic leads in its time; its way is drawn where that is asked for."""
    from zermelo.equilibrium.matrix.dynamics import FictitiousPlay, RegretMatching, Replicator

    kinds: dict[str, Any] = {"fictitious-play": FictitiousPlay, "regret-matching": RegretMatching, "replicator": Replicator}
    found = kinds[name](**({} if iterations is None else {"iterations": iterations})).solve(game)
    if plot is not None:
        from zermelo.draw.trajectories import plot_trajectory

        plot_trajectory(found, plot)
    lines = [
        f"The average of play at time {found.times[-1]:g}: {_values(game.names, found.end.value)}",
        f"Exploitability of that average: {found.exploitabilities[-1]:.3g}",
    ]
    rows = []
    for player, own in enumerate(game.names):
        for place, strategy in enumerate(game.strategies[player]):
            last, mean = found.strategies[-1][player][place], found.averages[-1][player][place]
            rows.append((own, strategy, number(round(float(mean), 4)), number(round(float(last), 4))))
    return Answer(found.to_dict(), lines, ("player", "strategy", "average", "at the end"), rows)


def stackelberg(game: Matrix) -> Answer:
    """What the first player should commit to."""
    from zermelo.equilibrium.matrix.stackelberg import Stackelberg

    found = Stackelberg().solve(game)
    proof = ", proved in rational numbers" if found.exact else ""
    lines = [
        f"{game.names[0]} commits, {game.names[1]} sees it and replies with {game.strategies[1][found.reply]}{proof}",
        f"Value: {_values(game.names, found.value)}",
    ]
    rows = [(name, _text(weight)) for name, weight in zip(game.strategies[0], found.leader, strict=True) if weight]
    return Answer(found.to_dict(), lines, (game.names[0], "probability"), rows)


def stability(game: Matrix) -> Answer:
    """Which symmetric equilibria no mutant drives out."""
    from zermelo.equilibrium.matrix.evolution import evolutionarily_stable

    found = evolutionarily_stable(game)
    count = sum(each.stable for each in found)
    rows = []
    for each in found:
        mixed = weighted((name, _text(w)) for name, w in zip(game.strategies[0], each.strategy, strict=True) if w)
        rows.append((mixed, _text(each.value), "stable" if each.stable else "not stable"))
    data = {
        "method": "ess",
        "strategies": [{"strategy": [str(w) for w in each.strategy], "value": str(each.value), "stable": each.stable} for each in found],
    }
    lines = [f"Evolutionarily stable: {count} of the symmetric equilibria below, decided exactly"]
    return Answer(data, lines, ("strategy", "value", ""), rows)


def alpha_rank(game: Matrix) -> Answer:
    """Where evolving populations spend their time."""
    from zermelo.equilibrium.matrix.evolution import AlphaRank

    found = AlphaRank().solve(game)
    lines = [f"Share of time at every pure profile, with α = {found.alpha:g} for payoffs scaled to a spread of 1"]
    return Answer(found.to_dict(), lines, ("profile", "share"), [(name, f"{share:.4f}") for name, share in found.named().items()])


def repeated(game: Matrix) -> Answer:
    """What patient players can be paid when the game is repeated without end."""
    from zermelo.equilibrium.matrix.repeated import payoff_set

    found = payoff_set(game)
    lines = [
        f"Held down to: {_values(game.names, found.minmax)}",
        "Corners of what patient players can agree on, in rational numbers:",
    ]
    return Answer(found.to_dict(), lines, tuple(game.names), [tuple(_text(number) for number in point) for point in found.corners])


CONCEPTS: dict[str, Callable[[Matrix], Answer]] = {
    "correlated": correlated,
    "coarse-correlated": lambda game: correlated(game, coarse=True),
    "dominance": dominance,
    "stackelberg": stackelberg,
    "ess": stability,
    "alpha-rank": alpha_rank,
    "repeated": repeated,
}


def agents(game: Game, rationality: float | None = None) -> Answer:
    """Behaviour and beliefs of agents who make mistakes, or of a sequential equilibrium, which is their limit."""
    from zermelo.equilibrium.extensive.concepts.agent_quantal import AgentQuantal

    found = AgentQuantal(rationality).solve(game)
    rows = []
    for place, name in enumerate(found.names):
        played = _shares(found.actions[place], found.behaviour[place])
        believed = _shares(found.places[place], found.beliefs[place])
        rows.append((name, played, believed if len(found.places[place]) > 1 else ""))
    names = [player_name(game, player) for player in range(game.players)]
    lines = [
        f"A sequential equilibrium, the limit of agents who make ever fewer mistakes (λ = {found.rationality:.3g})"
        if found.limit
        else f"The logit equilibrium of agents, one a set, with λ = {found.rationality:.6g}",
        f"Value: {_values(names, found.value)}; nobody gains more than {found.regret:.2g} there",
    ]
    return Answer(found.to_dict(), lines, ("information set", "behaviour", "beliefs"), rows)


def commitment(game: Game) -> Answer:
    """What the first player of a tree should commit to, set by set."""
    from zermelo.equilibrium.extensive.concepts.commitment import TreeStackelberg
    from zermelo.equilibrium.extensive.exact.normal_form import normal_form
    from zermelo.equilibrium.extensive.sequences.recall import RecallError
    from zermelo.equilibrium.extensive.sequences.treeplex import unfold

    try:
        arrays = unfold(game, backend="reference")
    except RecallError:  # plans drawn before the game
        return stackelberg(normal_form(game).matrix)
    found = TreeStackelberg().solve(arrays)
    proof = "which is a best reply, proved in rational numbers" if found.exact else f"who could gain at most {float(found.regret):.2g}"
    leader, follower = (player_name(game, player) for player in range(2))
    lines = [
        f"{leader} commits, {follower} knows it and replies, {proof}",
        f"Value: {leader} {_text(found.value[0])}, {follower} {_text(found.value[1])}",
    ]
    if not found.best:
        lines.append(f"No commitment brings {leader} more than {found.bound:.6g}")
    rows = [(row.name, _shares(row.probabilities, row.probabilities.values())) for row in found.strategies.rows]
    return Answer(found.to_dict(), lines, ("information set", "strategy"), rows)


def mediated(game: Game, coarse: bool = False) -> Answer:
    """The correlated equilibrium of a tree with the largest sum of payoffs."""
    from zermelo.equilibrium.extensive.concepts.trigger_correlated import TriggerCorrelated

    found = TriggerCorrelated(coarse).solve(game)
    kind = "extensive-form coarse correlated" if coarse else "extensive-form correlated"
    proof = (
        f", proved in rational numbers{', as is the sum' if found.best else ''}" if found.exact else f" more than {float(found.regret):.2g}"
    )
    lines = [
        f"The {kind} equilibrium with the largest sum of payoffs: {_values(found.form.matrix.names, found.value)}",
        f"No player gains by disobeying{proof}",
    ]
    return Answer(found.to_dict(), lines, ("plans", "probability"), [(name, _text(weight)) for name, weight in found.named().items()])


ON_TREES: dict[str, Callable[[Game], Answer]] = {
    "sequential": agents,
    "stackelberg": commitment,
    "efce": mediated,
    "efcce": lambda game: mediated(game, coarse=True),
}


def quantal_response(game: Matrix, rationality: float) -> Answer:
    """The point of a table's branch at λ."""
    from zermelo.equilibrium.matrix.quantal import LogitPath

    (point,) = LogitPath().at(game, [rationality])
    rows = [
        (own, strategy, number(round(weight, 6)))
        for own, words, each in zip(game.names, game.strategies, point.strategies, strict=True)
        for strategy, weight in zip(words, each, strict=True)
    ]
    mixed = [list(each) for each in point.strategies]
    data = {"method": "logit", "rationality": rationality, "strategies": mixed, "regret": point.regret}
    lines = [f"The logit equilibrium with λ = {rationality:g}; nobody gains more than {point.regret:.3g}"]
    return Answer(data, lines, ("player", "strategy", "probability"), rows)


def answer_by_quantal_response(game: Game, source: str, rationality: float | None, as_json: bool) -> bool:
    """Prints the logit equilibrium of a tree, or of a table at λ; False: the table's limit is asked for."""
    from zermelo.equilibrium.extensive.exact.behaviour import information_sets, tree_of
    from zermelo.equilibrium.extensive.exact.normal_form import forgetting

    if isinstance(game, Matrix):
        if rationality is None:
            return False
        answer = quantal_response(game, rationality)
    else:
        tree = tree_of(game, limit=10_000)
        if rationality is None and forgetting(tree, information_sets(tree)) is not None:
            return False
        answer = agents(tree, rationality)
    _print(answer, source, as_json)
    return True


def answer_by_concept(game: Game, source: str, method: str, as_json: bool, plot: Path | None = None, iterations: int | None = None) -> None:
    """Computes a concept on the tree, or on the game's table of payoffs, its own or its reduced normal form, and prints what it says."""
    from zermelo.equilibrium.extensive.exact.normal_form import MIXED_ONLY, forgetting, normal_form

    if method in ON_TREES and not (method in CONCEPTS and isinstance(game, Matrix)):
        answer = ON_TREES[method](game)
    else:
        form = normal_form(game)
        matrix = game if isinstance(game, Matrix) else form.matrix
        answer = CONCEPTS[method](matrix) if method in CONCEPTS else dynamics(matrix, method, plot, iterations)
        fault = forgetting(form.tree, form.sets)
        if fault is not None:
            answer = answer._replace(data={**answer.data, "notes": [fault]}, notes=(*answer.notes, f"{fault} {MIXED_ONLY}"))
    _print(answer, source, as_json)


def _print(answer: Answer, source: str, as_json: bool) -> None:
    if as_json:
        print_json({"game": source, **answer.data})
        return
    out = console()
    for line in answer.lines:
        out.print(line)
    rows = list(answer.rows)
    if rows:
        words = table(*answer.columns)
        for row in rows:
            words.add_row(*row)
        out.print(words)
    for sentence in answer.notes:
        note(sentence)


def _values(names: Iterable[str], value: Iterable[Any]) -> str:
    return ", ".join(f"{name} {_text(worth)}" for name, worth in zip(names, value, strict=True))


def _shares(names: Iterable[str], shares: Iterable[float]) -> str:
    return weighted((name, number(round(share, 4))) for name, share in zip(names, shares, strict=True))


def _text(value: Any) -> str:
    """A number: a fraction where it is exact."""
    return number(round(value, 6)) if isinstance(value, float) else str(value).replace("-", "−")
