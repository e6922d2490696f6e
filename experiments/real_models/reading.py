"""SmolLM2 as the experiments use it: loaded once, with a text of our own, and open to look into.

Dimension names: ``batch`` texts; ``length`` tokens; ``heads``; ``d_k`` width of a head.
"""

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.masking import causal_mask, masked_softmax
from transformer_course.modern_transformer import swiglu
from transformer_course.multi_head_attention import merge_heads
from transformer_course.published.gguf_file import TextModel
from transformer_course.published.modern_language_model import ModernLanguageModel, Sizes
from transformer_course.published.packages import load_smollm2

TEXT = Path(__file__).with_name("plain_english.txt")
START = 0  # <|endoftext|>, with which the texts of its training begin
Look = Callable[[int, dict[str, Tensor]], None]
Say = Callable[[int, Tensor], Tensor]


@cache
def smollm2() -> TextModel:
    """Load the model; who asks first may be in inference mode, whose tensors nobody could train."""
    with torch.inference_mode(False):
        return load_smollm2()


def plain_english(length: int | None = None) -> Tensor:
    """Give the tokens of the text ``(1, length)``, a story written for these experiments, behind ``START``."""
    ids = [START, *smollm2().text.encode(TEXT.read_text(encoding="utf-8"))]
    return torch.tensor([ids[:length]])


def losses(logits: Tensor, tokens: Tensor) -> Tensor:
    """Give the loss of each token but the first, in nats: ``(batch, length - 1)``."""
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")


@torch.inference_mode()
def read_inside(
    model: ModernLanguageModel,
    tokens: Tensor,
    look: Look = lambda layer, parts: None,
    say: Say = lambda layer, heads: heads,
    mask: Tensor | None = None,
) -> Tensor:
    """Read texts with the doors open.

    Args:
        model: the model.
        tokens: ids ``(batch, length)``.
        look: called in each block with its number and, by their names, ``"stream"`` (what comes in), ``"scores"``
            (scaled) and ``"weights"``, both ``(batch, heads, length, length)``, ``"heads"`` ``(batch, heads, length,
            d_k)``, and ``"attention"`` and ``"network"``, what the two sublayers add.
        say: takes a block's number and its heads, and returns what they say in their place.
        mask: which key each query may see; None means those before it, and itself.

    Returns:
        The logits ``(batch, length, vocab_size)``.
    """
    length = tokens.shape[1]
    mask = causal_mask(length) if mask is None else mask
    x = model.token(tokens)  # (batch, length, d_model)
    for layer, block in enumerate(model.blocks):
        query, key, value = block.project(block.norm_1(x), torch.arange(length))
        key, value = (y.repeat_interleave(block.num_heads // block.num_groups, dim=1) for y in (key, value))
        scores = query @ key.mT / math.sqrt(block.d_k)  # (batch, heads, length, length)
        weights = masked_softmax(scores, mask)
        heads = say(layer, weights @ value)  # (batch, heads, length, d_k)
        attention = block.w_output(merge_heads(heads))
        network = swiglu(block.norm_2(x + attention), block.w_gate.weight, block.w_up.weight, block.w_down.weight)
        parts = {"stream": x, "scores": scores, "weights": weights, "heads": heads}
        look(layer, {**parts, "attention": attention, "network": network})
        x = x + attention + network
    return model.output(model.norm(x))


def fresh(sizes: Sizes, seed: int) -> ModernLanguageModel:
    """Make a model of the same sizes that has learned nothing: the course's initial weights, for comparison."""
    torch.manual_seed(seed)
    model = ModernLanguageModel(sizes)
    torch.nn.init.normal_(model.token.weight, std=sizes.d_model**-0.5)
    return model.requires_grad_(False).eval()
