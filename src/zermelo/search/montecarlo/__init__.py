"""Monte Carlo tree search.

`mcts` is the algorithm, `mcts_settings` what it was asked to do, `mcts_driver` runs the kernel of `kernels/`, and `reference/` grows the
same tree out of Python objects. `mcts_root`, `mcts_statistics` and `mcts_sketch` read a tree, whoever grew it. `hidden/` searches over what
players know, `network/` with a neural network.
"""
