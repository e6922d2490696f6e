"""The checks of exercise 10: one task a file."""

from course_checks.transformer.accumulated_step import task as accumulated_step
from course_checks.transformer.fixed_transformer import task as FixedTransformer
from course_checks.transformer.noam_learning_rate import task as noam_learning_rate
from course_checks.transformer.predictions import predictions
from course_checks.transformer.share_translated import task as share_translated
from course_checks.transformer.train_step import task as train_step
from course_checks.transformer.transformer import task as Transformer

__all__ = [
    "FixedTransformer",
    "Transformer",
    "accumulated_step",
    "noam_learning_rate",
    "predictions",
    "share_translated",
    "train_step",
]
