"""Monte Carlo tree search; hidden information and networks are rooms within."""
