"""Kernel template: one search that a network leads, with the network inside. See `zermelo.search.montecarlo.network`."""

from zermelo.engine.vocabulary import Ints, Reals, Row, kernel
from zermelo.search.labels_kernel import label
from zermelo.search.montecarlo.network.forward_kernel import ask_network
from zermelo.search.montecarlo.network.network_tree_kernel import DONE, STATUS, WAITING, descend, receive

__all__ = ["SIGNATURES", "label"]

REALS, WHOLE, SINGLE = "float64[::1]", "int64[::1]", "float32[::1]"
TREE = f"{WHOLE}, {REALS}, {WHOLE}, {REALS}, {WHOLE}, {REALS}, {WHOLE}, {REALS}, {WHOLE}"
SEEN = f"{WHOLE}, {REALS}, {WHOLE}"

SIGNATURES = {
    "ponder": f"({TREE}, {SEEN}, {SINGLE}, {WHOLE}, {SINGLE}, {SINGLE}, {SINGLE})",
    "answer": f"({SINGLE}, {WHOLE}, {SINGLE}, {SINGLE}, {SINGLE})",
    "label": f"(int64, int64, int64, {WHOLE})",
}


@kernel
def answer(weights: Row, sizes: Ints, inputs: Row, scratch: Row, policy: Row) -> float:
    """What the network says about one state: the policy is written, the value is given."""
    return ask_network(weights, sizes, inputs, scratch, policy)


@kernel
def ponder(
    control: Ints,
    figures: Reals,
    heads: Ints,
    head_reals: Reals,
    nodes: Ints,
    node_reals: Reals,
    edges: Ints,
    edge_reals: Reals,
    paths: Ints,
    codes: Row,
    scales: Row,
    known: Row,
    weights: Row,
    sizes: Ints,
    inputs: Row,
    scratch: Row,
    policy: Row,
) -> int:
    """Makes the playouts of slot 0, asking the network at every new state; a code."""
    while True:
        code = descend(0, control, figures, heads, head_reals, nodes, node_reals, edges, edge_reals, paths, codes, scales, known, inputs, 0)
        if code != DONE or heads[STATUS] != WAITING:
            return code
        value = ask_network(weights, sizes, inputs, scratch, policy)
        receive(0, policy, 0, value, control, heads, nodes, node_reals, edges, edge_reals, paths)
