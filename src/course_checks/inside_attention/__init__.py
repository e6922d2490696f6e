"""The checks of exercise 12: one task a file."""

from course_checks.inside_attention.attention_entropy import task as attention_entropy
from course_checks.inside_attention.attention_rollout import task as attention_rollout
from course_checks.inside_attention.head_importance import task as head_importance
from course_checks.inside_attention.head_similarity import fixed as fixed_diversity
from course_checks.inside_attention.head_similarity import task as head_similarity
from course_checks.inside_attention.rank_agreement import predictions
from course_checks.inside_attention.rank_agreement import task as rank_agreement

__all__ = [
    "attention_entropy",
    "attention_rollout",
    "head_importance",
    "head_similarity",
    "fixed_diversity",
    "predictions",
    "rank_agreement",
]
