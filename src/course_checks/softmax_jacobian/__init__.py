"""The checks of exercise 05: one task a file."""

from course_checks.softmax_jacobian.attention_backward import in_blocks as attention_backward_in_blocks
from course_checks.softmax_jacobian.attention_backward import task as attention_backward
from course_checks.softmax_jacobian.dot_product_variance import task as dot_product_variance
from course_checks.softmax_jacobian.fixed_query_step import task as fixed_query_step
from course_checks.softmax_jacobian.measure_jacobians import predictions
from course_checks.softmax_jacobian.measure_jacobians import task as measure_jacobians
from course_checks.softmax_jacobian.softmax_jacobian import task as softmax_jacobian
from course_checks.softmax_jacobian.softmax_vjp import task as softmax_vjp

__all__ = ["attention_backward", "attention_backward_in_blocks", "dot_product_variance",
           "measure_jacobians", "fixed_query_step", "predictions", "softmax_jacobian", "softmax_vjp"]  # fmt: skip
