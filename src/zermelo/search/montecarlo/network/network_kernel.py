"""Kernel template: one search that a network leads, with the network inside. See `zermelo.search.montecarlo.network`."""

from zermelo.runtime.vocabulary import Array, Ints, Reals, Reals32, entry
from zermelo.search.labels_kernel import label
from zermelo.search.montecarlo.network.forward_kernel import ask_network
from zermelo.search.montecarlo.network.network_tree_kernel import DONE, WAITING, Edge, Head, Node, Step, TreeControl, descend, receive

__all__ = ["label"]


@entry
def answer(weights: Reals32, sizes: Ints, inputs: Reals32, scratch: Reals32, policy: Reals32) -> float:
    """What the network says about one state: the policy is written, the value is given."""
    return ask_network(weights, sizes, inputs, scratch, policy)


@entry
def ponder(
    controls: Array[TreeControl],
    heads: Array[Head],
    nodes: Array[Node],
    edges: Array[Edge],
    path: Array[Step],
    codes: Ints,
    scales: Reals,
    known: Ints,
    weights: Reals32,
    sizes: Ints,
    inputs: Reals32,
    scratch: Reals32,
    policy: Reals32,
) -> int:
    """Makes the playouts of the only slot, asking the network at every new state; a code."""
    head = heads[0]
    while True:
        code = descend(head, controls[0], nodes, edges, path, codes, scales, known, inputs, 0)
        if code != DONE or head.status != WAITING:
            return code
        value = ask_network(weights, sizes, inputs, scratch, policy)
        receive(policy, value, head, nodes, edges, path)
