"""Kernel template: what compiled rules say about one state, for the comparison with the interpreted ones."""

from zermelo.engine.kernels.vocabulary import (
    CHANCE,
    PLAYERS,
    WORDS,
    Row,
    actions,
    as_float,
    bounds,
    candidates,
    chances,
    cost,
    decode,
    encode,
    evaluate,
    first_payoff,
    heuristic,
    information,
    kernel,
    key,
    order,
    payoffs,
    player,
    result,
    start,
    store,
    terminal,
)

OVER, WHO, ACTIONS, CANDIDATES, LOW, HIGH = range(6)  # places in `facts`


@kernel
def begin(row: Row) -> None:
    """Write the start state."""
    encode(start(), row, 0)


@kernel
def examine(
    row: Row, facts: Row, legal: Row, ranks: Row, weights: Row, prices: Row, children: Row, chosen: Row, reals: Row, known: Row
) -> None:
    """Everything that the rules say about the state in `row`.

    facts     [6]             over, player, number of actions, number of candidates, bounds
    legal     [action]        actions, as many as there is room for; so are ranks, weights of chance, costs and children (WORDS words each)
    chosen    [candidate]     candidates
    reals     [PLAYERS + 2]   payoffs where the game is over, otherwise the estimate and the heuristic behind them
    known     [words]         the key, then what each player knows
    """
    state = decode(row, 0)
    facts[OVER] = terminal(state)
    if facts[OVER] != 0:
        values = payoffs(state)
        for number in range(PLAYERS):
            reals[number] = values[number]
        return
    facts[WHO] = player(state)
    facts[ACTIONS] = 0
    facts[CANDIDATES] = 0
    if facts[WHO] == CHANCE:
        for action, weight in chances(state):
            if facts[ACTIONS] < len(legal):
                legal[facts[ACTIONS]] = action
                weights[facts[ACTIONS]] = weight
                encode(result(state, action), children, facts[ACTIONS] * WORDS)
            facts[ACTIONS] += 1
        return
    for action in actions(state):
        if facts[ACTIONS] < len(legal):
            legal[facts[ACTIONS]] = action
            ranks[facts[ACTIONS]] = order(state, action)
            prices[facts[ACTIONS]] = cost(state, action)
            encode(result(state, action), children, facts[ACTIONS] * WORDS)
        facts[ACTIONS] += 1
    for action in candidates(state):
        if facts[CANDIDATES] < len(chosen):
            chosen[facts[CANDIDATES]] = action
        facts[CANDIDATES] += 1
    facts[LOW], facts[HIGH] = bounds(state)
    reals[PLAYERS] = as_float(first_payoff(evaluate(state)))
    reals[PLAYERS + 1] = heuristic(state)
    at = store(key(state), known, 0)
    for number in range(PLAYERS):
        at += store(information(state, number), known, at)
