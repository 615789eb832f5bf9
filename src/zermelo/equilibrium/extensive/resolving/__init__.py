"""Solving a part of a game again: subgames, and games cut at a depth."""
