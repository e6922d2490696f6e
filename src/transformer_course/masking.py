"""Chapter 06: masks, which say who may attend to whom.

A mask is boolean, and True means "may be attended to". ``padding_mask`` hides what is no word, ``causal_mask`` what
comes later, ``combine_masks`` what any of them hides; ``masked_softmax`` gives what is hidden no weight.

Source: Vaswani et al. (2017), "Attention Is All You Need", section 3.2.3.

Dimension names: ``batch``, ``length``, ``query_length`` m, ``key_length`` n. Padding and causal mask both broadcast to
``(batch, heads, query_length, key_length)``.
"""

import math

import torch
from torch import Tensor

from transformer_course.common.tokens import PAD
from transformer_course.common.validation import (
    require_floating,
    require_integers,
    require_mask,
    require_masks,
    require_not_negative,
    require_shape,
)
from transformer_course.scaled_dot_product_attention import softmax


def padding_mask(tokens: Tensor, pad_id: int = PAD) -> Tensor:
    """Let everyone attend to the real tokens of a sentence, and no one to its padding.

    Source: Rush (2018), "The Annotated Transformer", section "Batches and Masking" (the paper takes it for granted).

    Args:
        tokens: ``(batch, length)``, integers.
        pad_id: the token that fills the short sentences.

    Returns:
        The mask ``(batch, 1, 1, length)``, bool; the same for every head and every query.

    >>> padding_mask(torch.tensor([[7, 5, PAD]]))
    tensor([[[[ True,  True, False]]]])
    """
    require_shape("tokens", tokens, ("batch", "length"))
    require_integers("tokens", tokens)
    return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)


def causal_mask(length: int, device: torch.device | str | None = None) -> Tensor:
    """Let each position attend to itself and to what came before it, and to nothing that comes later.

    Source: Vaswani et al. (2017), section 3.2.3, third item.

    Args:
        length: how many positions; 0 or more.
        device: where to put the mask; ``None`` means torch's default device.

    Returns:
        The mask ``(length, length)``, bool; row = query, column = key.

    >>> causal_mask(3)
    tensor([[ True, False, False],
            [ True,  True, False],
            [ True,  True,  True]])
    """
    require_not_negative("length", length)
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


def combine_masks(*masks: Tensor | None) -> Tensor | None:
    """Let a query attend to a key only if every mask lets it.

    Source: Vaswani et al. (2017), section 3.2.3 (a decoder needs both kinds).

    Args:
        masks: bool tensors whose shapes broadcast with one another; ``None`` stands for "everything is allowed".

    Returns:
        The mask in the shape to which all of them broadcast (of a single mask, itself), or ``None`` if there is nothing
        but ``None``.

    >>> combine_masks(causal_mask(2), None, torch.tensor([False, True]))
    tensor([[False, False],
            [False,  True]])
    """
    require_masks(masks)
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else combined & mask
    return combined


def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Turn each row of scores into weights, with nothing for what may not be attended to.

    The mask comes before softmax: weights that are set to zero afterwards have already taken their share of the total,
    so the hidden keys would still be felt.

    Source: Vaswani et al. (2017), section 3.2.3, third item.

    Args:
        scores: ``(..., query_length, key_length)`` or any other shape with rows in the last dimension; floating.
        mask: bool, broadcastable to the shape of scores; ``None`` hides nothing.

    Returns:
        The weights in the shape of scores. A row that may attend to nothing gets zeros.

    >>> masked_softmax(torch.tensor([1.0, 1.0, 9.0]), torch.tensor([True, True, False]))
    tensor([0.5000, 0.5000, 0.0000])
    """
    require_floating("scores", scores)
    if mask is not None:
        require_mask(mask, scores.shape)
        scores = scores.masked_fill(~mask, -math.inf)
    return softmax(scores)
