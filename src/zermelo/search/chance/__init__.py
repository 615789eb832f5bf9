"""Searches with chance: expectiminimax, Star1 and Star2, layers, value iteration, models of opponents."""
