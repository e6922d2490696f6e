"""The checks of exercise 13: one task a file."""

from course_checks.language_model.filter_logits import task as filter_logits
from course_checks.language_model.fixed_loss import task as fixed_loss
from course_checks.language_model.generate import task as generate
from course_checks.language_model.induction_score import task as induction_score
from course_checks.language_model.language_model import task as LanguageModel
from course_checks.language_model.mixed_log_probability import task as mixed_log_probability
from course_checks.language_model.next_token_batch import task as next_token_batch
from course_checks.language_model.predictions import predictions
from course_checks.language_model.sample_token import task as sample_token

__all__ = [
    "LanguageModel",
    "filter_logits",
    "generate",
    "induction_score",
    "fixed_loss",
    "mixed_log_probability",
    "next_token_batch",
    "predictions",
    "sample_token",
]
