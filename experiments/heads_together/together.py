"""Several heads of a trained translator changed at the same time: chapter 12.

One head alone may be missed little because another does its work. What all heads of a layer, or of a kind of attention,
do together shows whether that is so.
"""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack

import torch
from torch import Tensor

from experiments.inside_seeds.head_study import Sentences, modules_of, nats_per_token, preference
from transformer_course.common.tokens import Vocabulary
from transformer_course.interpret.interventions import head_says, what_heads_say
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.transformer import Transformer


def silencing_layers(model: Transformer, kind: str, sentences: Sentences) -> Tensor:
    """Return by how much the loss rises if all heads of a layer say zero: ``(layers,)``, in nats per token.

    Args:
        model: the translator.
        kind: of attention, a key of ``head_study.KINDS``.
        sentences: from ``head_study.in_batches``.
    """
    complete, rises = nats_per_token(model, sentences), []
    for module in modules_of(model, kind):
        with ExitStack() as stack:
            _all_say(stack, module, [0.0] * module.num_heads)
            rises.append(nats_per_token(model, sentences) - complete)
    return torch.tensor(rises)


@torch.no_grad()
def patching_together(
    model: Transformer, kind: str, examples: Sequence[tuple], source: Vocabulary, target: Vocabulary
) -> Tensor:
    """Let all heads of a kind of attention report on the other sentence at once.

    Source: Vig et al. (2020), section 4, the indirect effect of a set of components.

    Args:
        model: the translator.
        kind: of attention, a key of ``head_study.KINDS``.
        examples: from ``head_study.minimal_pairs``.
        source: vocabulary of the source.
        target: vocabulary of the target.

    Returns:
        ``(examples,)``, the share of the model's change of mind that they carry, as in ``head_study.patching``.
    """
    shares = []
    for example in examples:
        before, after = (preference(model, example, reads, source, target) for reads in (0, 1))
        modules = modules_of(model, kind)
        with ExitStack() as stack:
            said = [stack.enter_context(what_heads_say(module)) for module in modules]
            preference(model, example, 1, source, target)
        with ExitStack() as stack:
            for module, each in zip(modules, said, strict=True):
                _all_say(stack, module, each[0].unbind(dim=2))
            patched = preference(model, example, 0, source, target)
        shares.append((patched - before) / (after - before))
    return torch.tensor(shares)


def _all_say(stack: ExitStack, module: MultiHeadAttention, said: Iterable[Tensor | float]) -> None:
    for head, each in enumerate(said):
        stack.enter_context(head_says(module, head, each))
