"""The checks of exercise 06: one task a file."""

from course_checks.masking.causal_mask import task as causal_mask
from course_checks.masking.combine_masks import task as combine_masks
from course_checks.masking.continued_mask import task as continued_mask
from course_checks.masking.fixed_packed_mask import task as fixed_packed_mask
from course_checks.masking.influence import predictions
from course_checks.masking.influence import task as influence
from course_checks.masking.masked_softmax import task as masked_softmax
from course_checks.masking.padding_mask import task as padding_mask

__all__ = ["causal_mask", "combine_masks", "continued_mask", "influence", "masked_softmax",
           "fixed_packed_mask", "padding_mask", "predictions"]  # fmt: skip
