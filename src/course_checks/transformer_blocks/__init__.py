"""The checks of exercise 09: one task a file; what the two blocks share is in `blocks`."""

from course_checks.transformer_blocks.decoder_block import task as DecoderBlock
from course_checks.transformer_blocks.encoder_block import task as EncoderBlock
from course_checks.transformer_blocks.feed_forward import task as FeedForward
from course_checks.transformer_blocks.fixed_block import task as fixed_block
from course_checks.transformer_blocks.gradient_per_block import predictions
from course_checks.transformer_blocks.gradient_per_block import task as gradient_per_block
from course_checks.transformer_blocks.layer_norm import task as LayerNorm
from course_checks.transformer_blocks.layer_norm_backward import task as layer_norm_backward

__all__ = [
    "DecoderBlock",
    "EncoderBlock",
    "FeedForward",
    "LayerNorm",
    "gradient_per_block",
    "layer_norm_backward",
    "fixed_block",
    "predictions",
]
