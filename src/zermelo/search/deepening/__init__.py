"""Iterative deepening: the search for play."""
