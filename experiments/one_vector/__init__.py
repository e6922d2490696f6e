"""How wide must the one vector be? `python -m experiments.one_vector`."""
