"""The checks of exercise 14: one task a file."""

from course_checks.masked_language_model.fill_gaps import task as fill_gaps
from course_checks.masked_language_model.fixed_scores import task as fixed_scores
from course_checks.masked_language_model.mask_tokens import task as mask_tokens
from course_checks.masked_language_model.masked_language_model import task as MaskedLanguageModel
from course_checks.masked_language_model.mean_pool import task as mean_pool
from course_checks.masked_language_model.predictions import predictions
from course_checks.masked_language_model.pseudo_log_likelihood import task as pseudo_log_likelihood
from course_checks.masked_language_model.sentence_classifier import task as SentenceClassifier

__all__ = [
    "MaskedLanguageModel",
    "SentenceClassifier",
    "fill_gaps",
    "mask_tokens",
    "mean_pool",
    "fixed_scores",
    "predictions",
    "pseudo_log_likelihood",
]
