"""Task `FixedTransformer` of exercise 10: five bugs to find, each with a symptom of its own."""

import torch
from torch import nn

from course_checks.cases import Case, Draw, require_gradient, upstream
from course_checks.modules import built, require_parameters, shapes
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.transformer.shared import READY_MADE, UNIT, Model, Right
from course_checks.transformer.transformer import (
    FUTURE,
    LOOKING,
    MEMORY,
    NORM_FIRST,
    OUTPUT,
    POSITIONS,
    READING,
    STACKS,
    at_words,
    moves,
    tokens,
)
from course_checks.words import Finding
from transformer_course.common.tokens import PAD

task = Task("FixedTransformer", UNIT, READY_MADE)
SIZES = {"d_model": 12, "num_heads": 3, "num_layers": 2, "d_ff": 20}
_NAMES = {"target_embedding": "embedding", "encoder_blocks": "encoder", "decoder_blocks": "decoder",
          "output_layer": "output"}  # fmt: skip


class _Renamed(nn.Module):
    """Gives a whole model the names of this task, and one embedding for both sides."""

    def __init__(self, vocab_size, d_model, num_heads, num_layers, d_ff):
        super().__init__(vocab_size, vocab_size, d_model, num_heads, num_layers, num_layers, d_ff, 0.0)
        del self.source_embedding
        for name, new in _NAMES.items():
            kept = self._modules if name in self._modules else self.__dict__
            kept[new] = kept.pop(name)

    def __getattr__(self, name):
        new = "embedding" if name == "source_embedding" else _NAMES.get(name, name)
        return self.__dict__[new] if new in self.__dict__ else super().__getattr__(new)


@task.oracle
class Fixed(_Renamed, Right):
    """The whole model, run by torch."""


@task.builds(
    future=FUTURE,
    looking=LOOKING,
    **STACKS,
    memory={name: MEMORY[name] for name in ("detached", "embedding", "of each layer", "exchanged")},
    reading=READING,
    positions=POSITIONS,
    norm_first={name: words for name, words in NORM_FIRST.items() if "always" in name},
    output=OUTPUT,
)
def fixed_transformer(**chosen):
    """Make the class with these bugs left, or new."""
    return type("FixedTransformer", (_Renamed, Model), {"wrong": chosen})


def made(answer, vocab_size=11, **sizes):
    """Make a model whose table has the same numbers under any name."""
    model = built(answer, vocab_size, **(SIZES | sizes))
    for name, parameter in unwrapped(model).eval().named_parameters():
        if name.startswith("embedding."):
            parameter.data = Draw("table")(*parameter.shape, dtype=parameter.dtype)
    return model


@task.probe("none of the five bugs shows", "logits from the target up to their position and the whole source without "
            "padding, and weights that all learn", "a bug that is not fixed yet", "")  # fmt: skip
def symptoms(answer):
    """Five symptoms, one for each bug."""
    model, source, target = made(answer), torch.tensor([[4, 5, 6, 7, 2]]), torch.tensor([[1, 5, 8, 6, 4, 7]])
    raw, before, later = unwrapped(model), model(source, target), target.clone()
    later[0, 3] = 9
    found = []
    if any(position < 3 for position in moves(before, model(source, later), target)):
        found.append(
            (
                "a word of the target moves logits before it",
                "a mask in the decoder that shows a later word",
                "print the decoder's mask for four words",
            )
        )
    if moves(before, model(nn.functional.pad(source, (0, 1), value=PAD), target), target):
        found.append(
            (
                "PAD at the end of the source moves the logits",
                "an attention to the source without its padding mask",
                "who reads the source, and with which mask?",
            )
        )
    loss = (require_gradient(before) * upstream(before)).sum()
    for stack in ("encoder", "decoder"):
        blocks = list(getattr(raw, stack, []))
        weights = list(blocks[0].parameters()) if blocks else []
        learned = torch.autograd.grad(loss, weights, retain_graph=True, allow_unused=True) if weights else []
        if not any(gradient is not None and gradient.any() for gradient in learned):
            found.append((f"the weights of the first block of the {stack} get no gradient",
                          "the way from its result to the loss is cut off",
                          "follow the result of this block to the loss: where does the way end?"))  # fmt: skip
        if len({id(block) for block in blocks}) < len(blocks):
            found.append((f"the blocks of the {stack} are one object", STACKS[stack]["one object"].cause,
                          "count the parameters of one layer, and of two"))  # fmt: skip
    if found:
        seen = f"{found[0][0]} (symptoms left: {len(found)} of five)"
        raise Finding(seen, "", *found[0][1:])
    require_parameters(raw, {name.replace("embedding.token.weight", table_name(raw)): shape
                             for name, shape in shapes(Fixed(11, **SIZES)).items()})  # fmt: skip


def table_name(raw):
    """Find the name of the table, which may be a plain nn.Embedding."""
    return next((name for name in shapes(raw) if name.startswith("embedding.")), "embedding.token.weight")


def said(answer, source, target, options):
    """Observe the logits."""
    return at_words(made(answer, **options)(source, target), target)


def pair(source, target, **sizes):
    """Make sentences of these lengths in a vocabulary of 11 words."""
    return lambda draw: (*tokens(source, target)(draw)[:2], sizes)


task.require(
    "the logits are those of a Transformer",
    "the logits of the Transformer of task 2, with these weights and norms after the sublayers",
    [Case("2 sentences of 5 and 3 words", pair((5, 3), (4, 6)), said),
     Case("equal lengths", pair((4, 2), (4, 3)), said)],
    [Case("one sentence, one head", pair((4,), (5,), num_heads=1), said),
     Case("as many sentences as heads", pair((2, 5, 3), (4, 2, 3), num_layers=1), said),
     Case("three layers", pair((3, 2), (2, 6), num_layers=3, d_ff=7), said),
     Case("a width that is odd", pair((1, 3), (3, 5), d_model=9), said)],
)  # fmt: skip
