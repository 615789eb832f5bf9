"""Equilibria of matrix games."""
