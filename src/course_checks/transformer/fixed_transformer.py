"""Task `FixedTransformer` of exercise 10: five bugs to find, each with a symptom of its own."""

import torch
from torch import nn

from course_checks.cases import Case, Draw, require_gradient, upstream
from course_checks.modules import built, require_parameters, shapes
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.transformer.shared import READY_MADE, UNIT, Right
from course_checks.transformer.transformer import (
    ALWAYS,
    EDITS,
    EMBEDDING,
    EXCHANGED,
    FOLLOW,
    PLACES,
    at_words,
    known,
    moves,
    tokens,
)
from course_checks.words import Finding
from transformer_course.common.tokens import PAD

task = Task("FixedTransformer", UNIT, READY_MADE)
SIZES = {"d_model": 12, "num_heads": 3, "num_layers": 2, "d_ff": 20}
_NAMES = {  # how this model says what the whole one of task 2 says
    "memory_mask = padding_mask(source, self.pad_id)\nx": "x",
    "combine_masks(causal, padding_mask(target, self.pad_id))": "causal_mask(target.shape[1])",
    "self_mask": "causal_mask(target.shape[1])", ", self.pad_id": "", "memory_mask": "source_mask",
    "block(x, mask": "block(memory, source_mask", "block(x, ~mask": "block(memory, ~source_mask",
    "block(x)": "block(memory)", "source), mask)": "source), source_mask)", "append(x)": "append(memory)",
    "source_embedding": "embedding", "target_embedding": "embedding", "self.decoder_norm(x)": "x",
    "coder_blocks": "coder", "num_encoder": "num", "num_decoder": "num", "output_layer": "output",
    "target_vocab_size": "vocab_size",
}  # fmt: skip


@task.oracle
class Fixed(nn.Module):
    """The whole model of torch's layers, under the names of this task."""

    def __init__(self, vocab_size, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        self.whole = [Right(vocab_size, vocab_size, d_model, num_heads, num_layers, num_layers, d_ff, 0.0)]
        self.whole[0].source_embedding = self.embedding = self.whole[0].target_embedding
        self.encoder, self.decoder = self.whole[0].encoder_blocks, self.whole[0].decoder_blocks
        self.output = self.whole[0].output_layer

    def forward(self, source, target):
        """Read, then write."""
        return self.whole[0](source, target)


def _said(text):
    for old, new in _NAMES.items():
        text = text.replace(old, new)
    return text


# fmt: off
for _old, _wrong in EDITS.items():
    task.edit(_said(_old), {_said(new): words for new, words in _wrong.items()})
for _changes, *_words in PLACES:
    task.edit_places({_said(old): _said(new) for old, new in _changes.items()}, *_words)
task.edit("source_mask = ", {"source, target = target, source\nsource_mask = ": EXCHANGED})
task.edit("for block in self.decoder:", {
    "memory = self.embedding(source)\nfor block in self.decoder:": EMBEDDING})
_SIZED = "Block(d_model, num_heads, d_ff"
for _kind in ("Encoder", "Decoder"):
    task.edit(f"{_kind}{_SIZED}", {
        f"{_kind}{_SIZED}, norm_first=True": (ALWAYS.format(f"the blocks of the {_kind.lower()}"), FOLLOW)})
task.edit_all(_SIZED, {f"{_SIZED}, norm_first=True": (ALWAYS.format("all blocks"), FOLLOW)})
# fmt: on


def made(answer, vocab_size=11, **sizes):
    """Make a model whose table has the same numbers under any name."""
    model = built(answer, vocab_size, **(SIZES | sizes))
    for name, parameter in unwrapped(model).eval().named_parameters():
        if name.startswith("embedding."):
            parameter.data = Draw("table")(*parameter.shape, dtype=parameter.dtype)
    return model


def _symptoms(model, raw):
    source, target = torch.tensor([[4, 5, 6, 7, 2]]), torch.tensor([[1, 5, 8, 6, 4, 7]])
    before, later = model(source, target), torch.tensor([[1, 5, 8, 9, 4, 7]])
    if any(position < 3 for position in moves(before, model(source, later), target)):
        yield ("a word of the target moves logits before it", "a mask in the decoder that shows a later word",
               "print the decoder's mask for four words")  # fmt: skip
    if moves(before, model(nn.functional.pad(source, (0, 1), value=PAD), target), target):
        yield ("PAD at the end of the source moves the logits", "an attention to the source without its padding mask",
               "who reads the source, and with which mask?")  # fmt: skip
    loss = (require_gradient(before) * upstream(before)).sum()
    for stack in ("encoder", "decoder"):
        blocks = list(getattr(raw, stack, []))
        weights = list(blocks[0].parameters()) if blocks else []
        learned = torch.autograd.grad(loss, weights, retain_graph=True, allow_unused=True) if weights else []
        if not any(gradient is not None and gradient.any() for gradient in learned):
            yield (f"the weights of the first block of the {stack} get no gradient",
                   "the way from its result to the loss is cut off",
                   "follow the result of this block to the loss: where does the way end?")  # fmt: skip
        elif stack == "encoder" and not torch.autograd.grad(loss, table(raw), retain_graph=True)[0][2].any():
            yield ("a token that stands in the source alone gets no gradient in the table",
                   "the encoder learns, but the embedding of its input is still cut off from the loss",
                   "from which line on is the graph of the source kept?")  # fmt: skip
        if len(set(blocks)) < len(blocks):
            yield (f"the blocks of the {stack} are one object", known("object", stack)[0],
                   "count the parameters of one layer, and of two")  # fmt: skip


@task.probe("none of the five bugs shows", "logits from the target up to their position and the whole source without "
            "padding, and weights that all learn", "a bug that is not fixed yet", "")  # fmt: skip
def symptoms(answer):
    """Five symptoms, one for each bug."""
    model = made(answer)
    raw = unwrapped(model)
    found = list(_symptoms(model, raw))
    if found:
        raise Finding(f"{found[0][0]} (symptoms left: {len(found)} of five)", "", *found[0][1:])
    require_parameters(raw, {name.replace("embedding.token.weight", table_name(raw)): shape
                             for name, shape in shapes(Fixed(11, **SIZES)).items()})  # fmt: skip


def table_name(raw):
    """Find the name of the table, which may be a plain nn.Embedding."""
    return next((name for name in shapes(raw) if name.startswith("embedding.")), "embedding.token.weight")


def table(raw):
    """Find the table."""
    return dict(raw.named_parameters())[table_name(raw)]


def said(answer, source, target, options):
    """Observe the logits."""
    return at_words(made(answer, **options)(source, target), target)


def pair(source, target, **sizes):
    """Make sentences of these lengths in a vocabulary of 11 words."""
    return lambda draw: (*tokens(source, target)(draw)[:2], sizes)


task.require("the logits are those of a Transformer",
    "the logits of the Transformer of task 2, with these weights and norms after the sublayers",
    [Case("2 sentences of 5 and 3 words", pair((5, 3), (4, 6)), said),
     Case("equal lengths", pair((4, 2), (4, 3)), said)],
    [Case("one sentence, one head", pair((4,), (5,), num_heads=1), said),
     Case("as many sentences as heads", pair((2, 5, 3), (4, 2, 3), num_layers=1), said),
     Case("three layers", pair((3, 2), (2, 6), num_layers=3, d_ff=7), said),
     Case("a width that is odd", pair((1, 3), (3, 5), d_model=9), said)])  # fmt: skip
