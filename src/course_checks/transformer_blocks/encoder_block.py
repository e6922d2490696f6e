"""Task `EncoderBlock` of exercise 09."""

import torch

from course_checks.cases import refusal
from course_checks.task import Task
from course_checks.transformer_blocks.blocks import READY_MADE, TorchBlock, add_mistakes, require_block
from course_checks.transformer_blocks.shared import UNIT, refused

task = Task("EncoderBlock", UNIT, READY_MADE)
_AS_IT_IS = "hand the mask on as it is"


@task.oracle
class Right(TorchBlock):
    """torch's layer of an encoder."""

    def forward(self, x, mask=None):
        """Name the mask as torch does."""
        return super().forward(x, src_mask=mask)


# fmt: off
task.edit('require_shape("x"', {
    'mask = None\nrequire_shape("x"': ("the mask is not handed on to the attention", _AS_IT_IS),
    'mask = None if mask is None else ~mask\nrequire_shape("x"': (
        "the mask is turned round: here True means `may be attended to`", _AS_IT_IS)})
add_mistakes(task, {"self_attention": "self.self_attention(read, read, read, mask)[0]",
                    "feed_forward": "self.feed_forward(read)"})
# fmt: on


def inputs(batch, length, d_model=12, heads=3, mask=None):
    """Draw words, and a mask: "padding" for each sentence, "heads" for each head, "all" for all."""
    shapes = {"padding": (batch, 1, 1, length), "heads": (heads, length, length), "all": (length, length)}

    def draw_them(draw):
        x = draw(batch, length, d_model, dtype=torch.float64)
        return (x,) if mask is None else (x, draw.mask(*shapes[mask]))

    return draw_them


MASKS = {"the same for all queries": "padding", "another for each head": "heads", "the same for all": "all"}
require_block(task, Right, inputs, {f"a mask, {words}": {"mask": mask} for words, mask in MASKS.items()})
task.limits("wrong input",
    [refused("a sentence without a batch", (8, 2, 5), torch.ones(3, 8)),
     refused("other columns", (8, 2, 5), torch.ones(2, 3, 6)),
     refusal("three heads for eight columns", (8, 3, 5), "num_heads"),
     refusal("a dropout above 1", (8, 2, 5, 1.5), "dropout")])  # fmt: skip
