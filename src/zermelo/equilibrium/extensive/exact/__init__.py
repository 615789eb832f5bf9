"""Exact equilibria of small trees: linear program, Lemke, quasi-perfect, subgames, normal form."""
