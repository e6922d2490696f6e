"""Imports the answer."""

from transformer_course.transformer import train_step  # noqa: F401

SAYS = "your code called transformer_course.transformer"
