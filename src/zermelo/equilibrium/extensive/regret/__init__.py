"""Regret minimization on the unfolded tree: CFR and its variants, layouts, threads, checkpoints."""
