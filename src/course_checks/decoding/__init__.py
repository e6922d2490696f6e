"""The checks of exercise 11: one task a file."""

from course_checks.decoding.cached_attention import task as cached_attention
from course_checks.decoding.corpus_bleu import task as corpus_bleu
from course_checks.decoding.exhaustive_search import predictions
from course_checks.decoding.exhaustive_search import task as exhaustive_search
from course_checks.decoding.fixed_steps import task as fixed_steps
from course_checks.decoding.nucleus import task as nucleus
from course_checks.decoding.translate import task as translate

__all__ = [
    "cached_attention",
    "corpus_bleu",
    "exhaustive_search",
    "fixed_steps",
    "nucleus",
    "predictions",
    "translate",
]
