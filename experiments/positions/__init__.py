"""Which positions let one layer look two words back in longer sentences."""
