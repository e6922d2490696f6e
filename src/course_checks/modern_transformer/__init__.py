"""The checks of exercise 18: one task a file."""

from course_checks.modern_transformer.cached_step import task as cached_step
from course_checks.modern_transformer.fixed_rows import task as fixed_rows
from course_checks.modern_transformer.load_gpt2 import task as load_gpt2
from course_checks.modern_transformer.load_marian import task as load_marian
from course_checks.modern_transformer.modern_block import task as ModernBlock
from course_checks.modern_transformer.predictions import predictions
from course_checks.modern_transformer.rms_norm import task as rms_norm
from course_checks.modern_transformer.rotate import task as rotate
from course_checks.modern_transformer.swiglu import task as swiglu

__all__ = [
    "ModernBlock",
    "cached_step",
    "load_gpt2",
    "load_marian",
    "fixed_rows",
    "predictions",
    "rms_norm",
    "rotate",
    "swiglu",
]
