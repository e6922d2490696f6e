"""Task `DecoderBlock` of exercise 09."""

import torch
from torch import nn

from course_checks.cases import Case, refusal, refuses
from course_checks.task import Task
from course_checks.transformer_blocks.blocks import READY_MADE, Block, TorchBlock, choices, require_block
from course_checks.transformer_blocks.shared import UNIT
from course_checks.words import Wrong

task = Task("DecoderBlock", UNIT, READY_MADE)
NAMES = ("self_attention", "cross_attention", "feed_forward")
_SOURCE = "the query comes from the target, key and value from the memory"
_AS_IT_IS = "which attention does each of the two masks belong to? hand both on as they are"


@task.oracle
class Right(TorchBlock):
    """torch's layer of a decoder."""

    names, kind = NAMES, nn.TransformerDecoderLayer

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        """Name the masks as torch does."""
        return super().forward(x, memory, tgt_mask=self_mask, memory_mask=memory_mask)


MASKS = {
    "no self": Wrong("self_mask is not handed on to the attention", "", _AS_IT_IS),
    "no memory": Wrong("memory_mask is not handed on to the attention", "", _AS_IT_IS),
    "self inverted": Wrong("self_mask is turned round: here True means `may be attended to`", "", _AS_IT_IS),
    "memory inverted": Wrong("memory_mask is turned round: here True means `may be attended to`", "", _AS_IT_IS),
    "exchanged": Wrong("the two masks are exchanged", "", _AS_IT_IS),
    "self twice": Wrong("both attentions get self_mask", "", _AS_IT_IS),
    "memory twice": Wrong("both attentions get memory_mask", "", _AS_IT_IS),
    "causal": Wrong("the block makes a causal mask itself", "nobody sees what comes later, although there is no mask",
                    "who calls the block decides on its masks"),
    "kept": Wrong("the masks of an earlier call are kept for calls without them", "", "where do the masks live?"),
}  # fmt: skip


@task.builds(
    reading={
        "memory asks": Wrong("query and memory are exchanged: in cross_attention the memory asks and the target "
                             "answers", "", "which of the two is the query, and how many words has the result then?"),
        "x": Wrong("cross_attention reads x in the place of the memory", "", _SOURCE),
        "x as value": Wrong("the value of cross_attention comes from x, not from the memory", "", _SOURCE),
        "x as key": Wrong("the key of cross_attention comes from x, not from the memory", "", _SOURCE),
        "memory for both": Wrong("self_attention reads the memory too", "", "which of the two looks into the source?"),
        "normalised": Wrong("a norm of this block acts on the memory too", "", "the memory comes finished from the "
                            "encoder: hand it on as it is"),
        "dropped": Wrong("dropout falls on the memory", "", "what a sublayer says is dropped, and nothing it reads"),
        "detached": Wrong("the memory is cut off from the graph", "", "who calls `detach`?"),
        "self twice": Wrong("self_attention is called twice, cross_attention never", "",
                            "look at the line of the second sublayer: which attention does it call?"),
        "exchanged": Wrong("self_attention reads the memory, and cross_attention the target", "",
                           "which of the two was made to look into the source?"),
    },
    masking=MASKS,
    **choices(NAMES),
)  # fmt: skip
def make(*, reading="right", masking="right", **wrong):
    """Make a block with one choice for each step."""

    class Decoder(Block):
        names = NAMES
        kept = (None, None)

        def masks(self, x, own, other):
            if masking == "kept":
                own, other = self.kept = tuple(
                    b if a is None else a for a, b in zip((own, other), self.kept, strict=True)
                )
            if masking == "causal" and own is None:
                own = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
            return {
                "no self": lambda: (None, other),
                "no memory": lambda: (own, None),
                "self inverted": lambda: (own if own is None else ~own, other),
                "memory inverted": lambda: (own, other if other is None else ~other),
                "exchanged": lambda: (other, own),
                "self twice": lambda: (own, own),
                "memory twice": lambda: (other, other),
            }.get(masking, lambda: (own, other))()

        def read(self, attention, read, memory, mask):
            pairs = {"memory asks": (memory, read, read), "x as value": (read, memory, read),
                     "x as key": (read, read, memory), "x": (read, read, read)}  # fmt: skip
            given = {"normalised": self.norm_2, "dropped": self.dropout, "detached": torch.Tensor.detach}
            memory = given[reading](memory) if reading in given else memory
            return attention(*pairs.get(reading, (read, memory, memory)), mask=mask)[self.asks == "weights"]

        def forward(self, x, memory, self_mask=None, memory_mask=None):
            self_mask, memory_mask = self.masks(x, self_mask, memory_mask)
            first, second = self.self_attention, self.cross_attention
            if reading == "exchanged":
                first, second = second, first
            about = memory if reading == "memory for both" else None
            say = {
                "self_attention": lambda read, x: self.attend(first, read, about, self_mask, x),
                "cross_attention": lambda read, x: self.read(
                    first if reading == "self twice" else second, read, memory, memory_mask
                ),
                "feed_forward": lambda read, x: self.feed_forward(read),
            }
            return self.run(x, say)

    for name, choice in wrong.items():
        setattr(Decoder, name, choice)
    return Decoder


def inputs(batch, length, d_model=12, heads=3, own=None, other=None, source=0):
    """Draw target, memory and masks; the source is as long as the target, and longer by ``source``."""

    def draw_them(draw):
        x, memory = (draw(batch, n, d_model, dtype=torch.float64) for n in (length, length + source))
        masks = [None if shape is None else draw.mask(*shape(batch, heads, length, length + source))
                 for shape in (own, other)]  # fmt: skip
        return x, memory, *(masks if own or other else [])

    return draw_them


padding = lambda batch, heads, m, n: (batch, 1, 1, n)  # noqa: E731
square = lambda batch, heads, m, n: (m, m)  # noqa: E731
each = lambda batch, heads, m, n: (batch, heads, m, n)  # noqa: E731
require_block(
    task,
    NAMES,
    inputs,
    {
        "self_mask alone": {"own": square},
        "memory_mask alone": {"other": padding},
        "both masks, a source as long as the target": {"own": square, "other": padding},
        "both masks, a longer source": {"own": square, "other": each, "source": 2},
    },
)


def refused(situation, argument, *given):
    """Make the case of arguments that a block of 8 columns must refuse."""
    return Case(situation, given, lambda answer, *given: refuses(argument)(answer(8, 2, 5), *given), right=True)


x = torch.ones(2, 3, 8)
task.limits(
    "wrong input",
    [
        refused("a target without a batch", "x", x[0], x),
        refused("a memory without a batch", "memory", x, x[0]),
        refused("a memory with other columns", "memory", x, x[..., :6]),
        refused("a memory of another batch", "memory", x, x[:1]),
        refusal("three heads for eight columns", (8, 3, 5), "num_heads"),
    ],
)
