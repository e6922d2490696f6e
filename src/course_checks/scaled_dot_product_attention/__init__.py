"""The checks of exercise 04: one task a file."""

from course_checks.scaled_dot_product_attention.attention_in_blocks import task as attention_in_blocks
from course_checks.scaled_dot_product_attention.attention_weights import task as attention_weights
from course_checks.scaled_dot_product_attention.fixed_attention import task as fixed_attention
from course_checks.scaled_dot_product_attention.mean_largest_weight import predictions
from course_checks.scaled_dot_product_attention.mean_largest_weight import task as mean_largest_weight
from course_checks.scaled_dot_product_attention.scaled_dot_product_attention import task as scaled_dot_product_attention
from course_checks.scaled_dot_product_attention.softmax import task as softmax

__all__ = ["attention_in_blocks", "attention_weights", "mean_largest_weight", "fixed_attention", "predictions",
           "scaled_dot_product_attention", "softmax"]  # fmt: skip
