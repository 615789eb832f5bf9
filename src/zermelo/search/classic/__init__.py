"""Minimax, negamax and alpha-beta, perft, and games whose positions return."""
