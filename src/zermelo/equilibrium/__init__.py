"""Equilibria: what players do who do not know everything. Matrix games, extensive games, regret minimization, exact programs."""
