"""Monte Carlo regret minimization, for trees that do not fit into memory."""
