"""Equilibria of extensive games: regret minimization, exact programs, strategies and their measures."""
