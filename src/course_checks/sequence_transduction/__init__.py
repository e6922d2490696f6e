"""The checks of exercise 01: one task a file."""

from course_checks.sequence_transduction.fixed_loss import task as fixed_loss
from course_checks.sequence_transduction.label_smoothing_loss import task as label_smoothing_loss
from course_checks.sequence_transduction.lowest_loss import predictions
from course_checks.sequence_transduction.lowest_loss import task as lowest_loss
from course_checks.sequence_transduction.pad_sequences import task as pad_sequences
from course_checks.sequence_transduction.perplexity import task as perplexity
from course_checks.sequence_transduction.require_bos import task as require_bos
from course_checks.sequence_transduction.sequence_log_probability import task as sequence_log_probability
from course_checks.sequence_transduction.teacher_forcing_pair import task as teacher_forcing_pair

__all__ = [
    "label_smoothing_loss",
    "lowest_loss",
    "fixed_loss",
    "pad_sequences",
    "perplexity",
    "predictions",
    "require_bos",
    "sequence_log_probability",
    "teacher_forcing_pair",
]
