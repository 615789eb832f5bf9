"""Compiled loops over numbers of positions and packed scores; no game's rules are in here."""
