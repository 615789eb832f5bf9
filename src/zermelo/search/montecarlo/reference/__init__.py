"""Monte Carlo tree search in plain Python objects: for functions of the user, and for games whose rules look at repetition."""
