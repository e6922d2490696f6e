"""Weights that the world uses, in the course's own blocks: files, names, and the models that they fill."""
