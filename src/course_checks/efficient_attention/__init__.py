"""The checks of exercise 17: one task a file."""

from course_checks.efficient_attention.blockwise_attention import task as blockwise_attention
from course_checks.efficient_attention.cache_bytes import task as cache_bytes
from course_checks.efficient_attention.fixed_window_attention import task as fixed_window_attention
from course_checks.efficient_attention.grouped_query_attention import task as grouped_query_attention
from course_checks.efficient_attention.linear_attention import task as linear_attention
from course_checks.efficient_attention.online_softmax_step import task as online_softmax_step
from course_checks.efficient_attention.predictions import predictions
from course_checks.efficient_attention.sliding_window_mask import task as sliding_window_mask
from course_checks.efficient_attention.triton_attention import stretch as triton_attention

__all__ = [
    "blockwise_attention",
    "cache_bytes",
    "grouped_query_attention",
    "linear_attention",
    "fixed_window_attention",
    "online_softmax_step",
    "predictions",
    "sliding_window_mask",
    "triton_attention",
]
