# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Kernel template: one search that a network leads, with the network inside. See `zermelo.search.montecarlo.network`."""

from zermelo.engine.vocabulary import kernel
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
def answer(weights, sizes, inputs, scratch, policy):
    """What the network says about one state: the policy is written, the value is given."""
    return ask_network(weights, sizes, inputs, scratch, policy)


@kernel
def ponder(
    control,
    figures,
    heads,
    head_reals,
    nodes,
    node_reals,
    edges,
    edge_reals,
    paths,
    codes,
    scales,
    known,
    weights,
    sizes,
    inputs,
    scratch,
    policy,
):
    """Makes the playouts of slot 0, asking the network at every new state; a code."""
    while True:
        code = descend(0, control, figures, heads, head_reals, nodes, node_reals, edges, edge_reals, paths, codes, scales, known, inputs, 0)
        if code != DONE or heads[STATUS] != WAITING:
            return code
        value = ask_network(weights, sizes, inputs, scratch, policy)
        receive(0, policy, 0, value, control, heads, nodes, node_reals, edges, edge_reals, paths)
