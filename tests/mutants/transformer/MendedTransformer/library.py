"""Imports the whole model."""

from transformer_course.transformer import Transformer as MendedTransformer  # noqa: F401

SAYS = "it raised"
