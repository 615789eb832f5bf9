"""The self-check's view of one state: everything that the compiled rules say about it."""
