"""The other parts of the paper's recipe, one at a time."""
