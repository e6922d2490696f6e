"""The checks of exercise 07: one task a file."""

from course_checks.multi_head_attention.counts import flops as attention_flops
from course_checks.multi_head_attention.counts import parameters as parameter_count
from course_checks.multi_head_attention.counts import predictions
from course_checks.multi_head_attention.multi_head_attention import task as MultiHeadAttention
from course_checks.multi_head_attention.other_forms import fixed as fixed_heads
from course_checks.multi_head_attention.other_forms import grouped as grouped_attention
from course_checks.multi_head_attention.other_forms import one_by_one as heads_one_by_one
from course_checks.multi_head_attention.split_and_merge import merge as merge_heads
from course_checks.multi_head_attention.split_and_merge import split as split_heads

__all__ = ["MultiHeadAttention", "attention_flops", "grouped_attention", "heads_one_by_one",
           "fixed_heads", "merge_heads", "parameter_count", "predictions", "split_heads"]  # fmt: skip
