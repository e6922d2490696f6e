"""The checks of exercise 08: one task a file."""

from course_checks.positional_encoding.fixed_embedding import task as fixed_embedding
from course_checks.positional_encoding.order_gap import predictions
from course_checks.positional_encoding.order_gap import task as order_gap
from course_checks.positional_encoding.rotate import task as rotate
from course_checks.positional_encoding.shift_matrix import task as shift_matrix
from course_checks.positional_encoding.sinusoidal_encoding import task as sinusoidal_encoding
from course_checks.positional_encoding.transformer_embedding import task as TransformerEmbedding

__all__ = [
    "TransformerEmbedding",
    "fixed_embedding",
    "order_gap",
    "predictions",
    "rotate",
    "shift_matrix",
    "sinusoidal_encoding",
]
