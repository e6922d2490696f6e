"""Imports the answer."""

from transformer_course.transformer import noam_learning_rate  # noqa: F401

SAYS = "your code called transformer_course.transformer"
