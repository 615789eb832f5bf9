"""Monte Carlo tree search where players do not see everything: one module an algorithm."""
