"""The checks of exercise 16: one task a file."""

from course_checks.images_and_words.caption_model import task as CaptionModel
from course_checks.images_and_words.contrastive_loss import task as contrastive_loss
from course_checks.images_and_words.cross_modal_block import task as CrossModalBlock
from course_checks.images_and_words.fixed_cross_attention import task as fixed_cross_attention
from course_checks.images_and_words.gold_regions import task as gold_regions
from course_checks.images_and_words.joint import mask as joint_mask
from course_checks.images_and_words.joint import sequence as joint_sequence
from course_checks.images_and_words.pointing_mass import task as pointing_mass
from course_checks.images_and_words.predictions import predictions

__all__ = [
    "CaptionModel",
    "CrossModalBlock",
    "contrastive_loss",
    "gold_regions",
    "joint_mask",
    "joint_sequence",
    "fixed_cross_attention",
    "pointing_mass",
    "predictions",
]
