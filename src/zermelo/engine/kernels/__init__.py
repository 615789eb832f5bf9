"""Templates of kernels: the text that is compiled together with a game's rules. `vocabulary` holds the names they use."""
