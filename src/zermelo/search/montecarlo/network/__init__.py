"""Search led by a trained network, without the library that trained it: the network's file, what it sees, and the search itself."""
