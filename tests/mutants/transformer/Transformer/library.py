"""Imports the answer."""

from transformer_course.transformer import Transformer  # noqa: F401

SAYS = "your code called transformer_course.transformer"
