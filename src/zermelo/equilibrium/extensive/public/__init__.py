"""Regret minimization over ranges of hands, on the public tree."""
