"""Every position of a game with its value: enumeration, retrograde analysis, databases, impartial games, statistics."""
