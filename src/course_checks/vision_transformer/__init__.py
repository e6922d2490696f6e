"""The checks of exercise 15: one task a file."""

from course_checks.vision_transformer.fixed_embedding import task as fixed_embedding
from course_checks.vision_transformer.move import task as move
from course_checks.vision_transformer.patches import image_to_patches, patches_to_image
from course_checks.vision_transformer.predictions import predictions
from course_checks.vision_transformer.prepend_class_token import task as prepend_class_token
from course_checks.vision_transformer.resized_positions import task as resized_positions
from course_checks.vision_transformer.row_column_positions import task as row_column_positions
from course_checks.vision_transformer.vision_transformer import task as VisionTransformer

__all__ = [
    "VisionTransformer",
    "image_to_patches",
    "fixed_embedding",
    "move",
    "patches_to_image",
    "predictions",
    "prepend_class_token",
    "resized_positions",
    "row_column_positions",
]
