"""A network that learns a game by playing against itself (AlphaZero's loop; D. Silver et al., 2018): self-play, training, gate, truth."""
