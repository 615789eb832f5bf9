"""Monte Carlo tree search.

`mcts` is the algorithm, `mcts_settings` what it was asked to do, `mcts_driver` runs the kernel of `kernels/`: compiled, or as plain Python,
which is the reference backend. There it may ask functions of the user's and remember the line (`guide`). `mcts_root`, `mcts_statistics` and
`mcts_sketch` read a tree. `hidden/` searches over what players know, `network/` with a neural network.
"""
