"""Task `DecoderBlock` of exercise 09."""

import torch
from torch import nn

from course_checks.cases import refusal
from course_checks.task import Task
from course_checks.transformer_blocks.blocks import READY_MADE, Block, TorchBlock, choices, require_block
from course_checks.transformer_blocks.shared import UNIT, refused
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


@task.builds(
    reading={
        "memory asks": Wrong("query and memory are exchanged: in cross_attention the memory asks and the target "
                             "answers", "", "which of the two is the query, and how many words has the result then?"),
        "memory goes on": Wrong("the result of cross_attention is added to the memory, not to x", "", _SOURCE),
        "x": Wrong("cross_attention reads x in the place of the memory", "", _SOURCE),
        "x as value": Wrong("the value of cross_attention comes from x, not from the memory", "", _SOURCE),
        "x as key": Wrong("the key of cross_attention comes from x, not from the memory", "", _SOURCE),
        "memory for both": Wrong("self_attention reads the memory too", "", "which of the two looks into the source?"),
        "norm_2": Wrong("norm_2 acts on the memory too", "", "the memory comes finished: hand it on as it is"),
        "norm_1": Wrong("norm_1 acts on the memory too", "", "the memory comes finished: hand it on as it is"),
        "dropped": Wrong("dropout falls on the memory", "", "what a sublayer says is dropped, and nothing it reads"),
        "detached": Wrong("the memory is cut off from the graph", "", "who calls `detach`?"),
        "self twice": Wrong("self_attention is called twice, cross_attention never", "",
                            "look at the line of the second sublayer: which attention does it call?"),
        "exchanged": Wrong("self_attention reads the memory, and cross_attention the target", "",
                           "which of the two was made to look into the source?"),
    },
    masking={
        "no self": Wrong("self_mask is not handed on to the attention", "", _AS_IT_IS),
        "no memory": Wrong("memory_mask is not handed on to the attention", "", _AS_IT_IS),
        "self inverted": Wrong("self_mask is turned round: here True means `may be attended to`", "", _AS_IT_IS),
        "memory inverted": Wrong("memory_mask is turned round: here True means `may be attended to`", "", _AS_IT_IS),
        "exchanged": Wrong("the two masks are exchanged", "", _AS_IT_IS),
        "self twice": Wrong("both attentions get self_mask", "", _AS_IT_IS),
        "memory twice": Wrong("both attentions get memory_mask", "", _AS_IT_IS),
        "causal": Wrong("the block makes a causal mask itself", "nobody sees what comes later, although there is no "
                        "mask", "who calls the block decides on its masks"),
    },
    **choices(NAMES),
)  # fmt: skip
def make(*, reading="right", masking="right", **wrong):
    """Make a block with one choice for each step."""

    class Decoder(Block):
        names = NAMES

        def read(self, attention, read, memory, mask, x):
            given = {"norm_2": self.norm_2, "norm_1": self.norm_1, "dropped": self.dropout,
                     "detached": torch.Tensor.detach}  # fmt: skip
            memory = given[reading](memory) if reading in given else memory
            inputs = {"memory asks": (memory, read, read), "x as value": (read, memory, read),
                      "x as key": (read, read, memory), "x": (read, read, read)}  # fmt: skip
            said = attention(*inputs.get(reading, (read, memory, memory)), mask=mask)
            return said + memory - x if reading == "memory goes on" else said

        def forward(self, x, memory, self_mask=None, memory_mask=None):
            if masking == "causal" and self_mask is None:
                self_mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
            turned = [None if mask is None else ~mask for mask in (self_mask, memory_mask)]
            own, other = {
                "no self": (None, memory_mask), "no memory": (self_mask, None), "exchanged": (memory_mask, self_mask),
                "self inverted": (turned[0], memory_mask), "memory inverted": (self_mask, turned[1]),
                "self twice": (self_mask, self_mask), "memory twice": (memory_mask, memory_mask),
            }.get(masking, (self_mask, memory_mask))  # fmt: skip
            pair = self.self_attention, self.cross_attention
            first, second = {"exchanged": pair[::-1], "self twice": pair[:1] * 2}.get(reading, pair)

            def attend(read, x):
                if reading == "memory for both":
                    return first(read, memory, memory, mask=own)
                return self.attend(first, read, own, x)

            cross = lambda read, x: self.read(second, read, memory, other, x)  # noqa: E731
            think = lambda read, x: self.feed_forward(read)  # noqa: E731
            return self.run(x, {"self_attention": attend, "cross_attention": cross, "feed_forward": think})

    for name, choice in wrong.items():
        setattr(Decoder, name, choice)
    return Decoder


def inputs(batch, length, d_model=12, heads=3, own=False, other=None, longer=0):
    """Draw target, memory, and masks: one for all or none; "padding" of the memory, "heads" for each head, or none."""
    source = length + longer
    shapes = {"padding": (batch, 1, 1, source), "heads": (batch, heads, length, source)}

    def draw_them(draw):
        x, memory = (draw(batch, n, d_model, dtype=torch.float64) for n in (length, source))
        self_mask = draw.mask(length, length) if own else None
        memory_mask = None if other is None else draw.mask(*shapes[other])
        return (x, memory, self_mask, memory_mask) if own or other else (x, memory)

    return draw_them


MASKS = {  # a source as long as the target hides no exchange behind an error of shapes: it comes first
    "self_mask alone": {"own": True},
    "memory_mask alone": {"other": "padding"},
    "both masks, a source as long as the target": {"own": True, "other": "heads"},
    "both masks, a longer source": {"own": True, "other": "padding", "longer": 2},
}
require_block(task, NAMES, inputs, MASKS)
words = torch.ones(2, 3, 8)
task.limits(
    "wrong input",
    [
        refused("a target without a batch", (8, 2, 5), words[0], words),
        refused("a memory without a batch", (8, 2, 5), words, words[0], argument="memory"),
        refused("a memory with other columns", (8, 2, 5), words, words[..., :6], argument="memory"),
        refused("a memory of another batch", (8, 2, 5), words, words[:1], argument=""),
        refusal("three heads for eight columns", (8, 3, 5), "num_heads"),
    ],
)
