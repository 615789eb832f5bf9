"""Searches for more than two players: max^n, paranoid, coalitions."""
