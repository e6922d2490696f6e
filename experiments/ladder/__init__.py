"""From the GRU without attention to the Transformer, at equal budget."""
