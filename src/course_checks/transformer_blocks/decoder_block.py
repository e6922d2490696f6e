"""Task `DecoderBlock` of exercise 09."""

import torch
from torch import nn

from course_checks.cases import refusal
from course_checks.task import Task
from course_checks.transformer_blocks.blocks import READY_MADE, TorchBlock, add_mistakes, require_block
from course_checks.transformer_blocks.shared import UNIT, refused

task = Task("DecoderBlock", UNIT, READY_MADE)
_FINISHED = "the memory comes finished: hand it on as it is"
_SOURCE = "the query comes from the target, key and value from the memory"
_AS_IT_IS = "which attention does each of the two masks belong to? hand both on as they are"


@task.oracle
class Right(TorchBlock):
    """torch's layer of a decoder."""

    names, kind = ("self_attention", "cross_attention", "feed_forward"), nn.TransformerDecoderLayer

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        """Name the masks as torch does."""
        return super().forward(x, memory, tgt_mask=self_mask, memory_mask=memory_mask)


# fmt: off
task.edit("self.cross_attention = MultiHeadAttention(d_model, num_heads)", {
    "self.cross_attention = self.self_attention": (
        "self_attention and cross_attention are one and the same module, so they share their weights",
        "how many times is `MultiHeadAttention(...)` called in `__init__`?")})
_CROSS = "self.cross_attention("
task.edit_all(_CROSS, {f"(lambda q, k, v, m: self.cross_attention({inputs}, m))(": words for inputs, words in {
    "k, q, q": ("query and memory are exchanged: in cross_attention the memory asks and the target answers",
                "which of the two is the query, and how many words has the result then?"),
    "q, q, q": ("cross_attention reads x in the place of the memory", _SOURCE),
    "q, k, q": ("the value of cross_attention comes from x, not from the memory", _SOURCE),
    "q, q, v": ("the key of cross_attention comes from x, not from the memory", _SOURCE),
    "q, *[self.norm_2(k)] * 2": ("norm_2 acts on the memory too", _FINISHED),
    "q, *[self.norm_1(k)] * 2": ("norm_1 acts on the memory too", _FINISHED),
    "q, *[self.dropout(k)] * 2": (
        "dropout falls on the memory", "what a sublayer says is dropped, and nothing it reads"),
    "q, k.detach(), v.detach()": ("the memory is cut off from the graph", "who calls `detach`?"),
}.items()} | {
    "self.self_attention(": ("self_attention is called twice, cross_attention never",
                             "look at the line of the second sublayer: which attention does it call?")})
task.edit_all(f"x + self.dropout({_CROSS}", {
    f"memory + self.dropout({_CROSS}": ("the result of cross_attention is added to the memory, not to x", _SOURCE)})
task.edit_places({"y, y, self_mask": "memory, memory, self_mask", "x, x, self_mask": "memory, memory, self_mask"},
                 "self_attention reads the memory too", "which of the two looks into the source?")
task.edit_places({f"self.{one}_attention({x}": f"self.{other}_attention({x}" for one, other, reads in
                  (("self", "cross", "yx"), ("cross", "self", ["self", "x"])) for x in reads},
                 "self_attention reads the memory, and cross_attention the target",
                 "which of the two was made to look into the source?")
task.edit('require_shape("x"', {f'{new}\nrequire_shape("x"': words for new, words in {
    "self_mask, memory_mask = memory_mask, self_mask": ("the two masks are exchanged", _AS_IT_IS),
    "memory_mask = self_mask": ("both attentions get self_mask", _AS_IT_IS),
    "self_mask = memory_mask": ("both attentions get memory_mask", _AS_IT_IS),
    "if self_mask is None:\n    self_mask = torch.ones(x.shape[1], x.shape[1]).tril().bool()": (
        "the block makes a causal mask itself", "who calls the block decides on its masks",
        "nobody sees what comes later, although there is no mask"),
}.items()} | {f'{mask} = {new}\nrequire_shape("x"': (f"{mask} {what}", _AS_IT_IS)
              for mask in ("self_mask", "memory_mask") for new, what in {
    "None": "is not handed on to the attention",
    f"None if {mask} is None else ~{mask}": "is turned round: here True means `may be attended to`"}.items()})
add_mistakes(task, {"self_attention": "self.self_attention(read, read, read, self_mask)[0]",
                    "cross_attention": "self.cross_attention(read, memory, memory, memory_mask)[0]",
                    "feed_forward": "self.feed_forward(read)"})
# fmt: on


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
require_block(task, Right, inputs, MASKS)
words = torch.ones(2, 3, 8)
task.limits("wrong input",
    [refused("a target without a batch", (8, 2, 5), words[0], words),
     refused("a memory without a batch", (8, 2, 5), words, words[0], argument="memory"),
     refused("a memory with other columns", (8, 2, 5), words, words[..., :6], argument="memory"),
     refused("a memory of another batch", (8, 2, 5), words, words[:1], argument=""),
     refusal("three heads for eight columns", (8, 3, 5), "num_heads")])  # fmt: skip
