"""The parts of the kernel of Monte Carlo tree search; `mcts_kernel` is the whole, and the others are what it is made of."""
