"""The sequence form as arrays: unfolding, strategies, best replies and certificates."""
