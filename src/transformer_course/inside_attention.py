"""Chapter 12: looking inside attention: what its maps show, and what the model loses without a head.

Maps say how widely a query looks (``attention_entropy``), which heads do the same (``head_similarity``), what comes
through all layers (``attention_rollout``), and whether a head aligns words (``head_alignment_error``). Only the model
says what a head is good for: ``head_importance`` takes heads away, one at a time. What random maps would score is in
``interpret/null_model.py``.

Source: Abnar & Zuidema (2020), "Quantifying Attention Flow in Transformers"; Clark et al. (2019), "What Does BERT Look
At?"; Michel et al. (2019), "Are Sixteen Heads Really Better than One?".

Dimension names: ``layers``, ``heads``, ``query_length`` m, ``key_length`` n, ``d_k`` the width of a head. The maps of
one sentence have shape ``(layers, heads, m, n)``. The blocks return no weights; ``interpret/recording.py`` makes their
attention compute them:

>>> from transformer_course.interpret.recording import AttentionRecorder
>>> from transformer_course.transformer_blocks import EncoderBlock
>>> block = EncoderBlock(d_model=6, num_heads=2, d_ff=8)
>>> with AttentionRecorder(block) as recorder:
...     output = block(torch.ones(1, 4, 6))
>>> [(name, tuple(weights.shape)) for name, weights in recorder.maps]
[('self_attention', (1, 2, 4, 4))]
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from transformer_course.common.validation import require_maps, require_shape, require_weights
from transformer_course.rnn_attention import alignment_error_rate


def attention_entropy(weights: Tensor) -> Tensor:
    """Say how widely each query spreads its attention: the entropy of its row.

    ``exp`` of it is the effective number of keys.

    Source: Clark et al. (2019), section 3.3.

    Args:
        weights: ``(..., query_length, key_length)``, floating, not negative; each row sums to 1, or is all zero.

    Returns:
        The entropy ``(..., query_length)`` in nats, from 0 (one key, or a row of zeros) to ln(key_length); 0 log 0
        counts as 0. The gradient with respect to a weight of 0 is 0.

    >>> attention_entropy(torch.tensor([[0.5, 0.5, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]))
    tensor([0.6931, 0.0000])
    """
    require_weights("weights", weights)
    # log(0) is -inf, and 0 * -inf is NaN: a weight of 0 is given the logarithm of 1.
    logarithms = weights.where(weights > 0, 1.0).log()
    return (weights * -logarithms).sum(dim=-1)


def head_similarity(weights: Tensor) -> Tensor:
    """Compare the heads of each layer pair by pair: the cosine of their maps, each read as one long vector.

    Weights are never negative, so even random maps are far from a cosine of 0; ``interpret/null_model.py`` says
    how far.

    Source: the cosine in the place of the divergence of Clark et al. (2019), section 6.

    Args:
        weights: ``(layers, heads, m, n)``, floating.

    Returns:
        The cosines ``(layers, heads, heads)``; 1 = the same map up to a factor. A map of zeros has cosine 0 with all.
    """
    require_maps("weights", weights)
    flattened = weights.flatten(start_dim=2)  # (layers, heads, m * n)
    lengths = torch.linalg.vector_norm(flattened, dim=-1, keepdim=True)  # (layers, heads, 1)
    directions = flattened / lengths.masked_fill(lengths == 0, 1.0)
    return directions @ directions.transpose(-2, -1)  # (layers, heads, heads)


def attention_rollout(weights: Tensor) -> Tensor:
    """Follow attention down through all layers: how much of each input reaches each output.

    Half of what a block passes on comes from its attention and half, by assumption, from the residual connection.

    Source: Abnar & Zuidema (2020), section 3, equation 1.

    Args:
        weights: ``(layers, heads, n, n)``, floating, self attention, first layer first.

    Returns:
        The rollout ``(n, n)``; row = position in the last layer, column = input; each row sums to 1. A position that
        attends to nothing keeps only what it was.
    """
    require_maps("weights", weights, square=True)
    identity = torch.eye(weights.shape[-1], dtype=weights.dtype, device=weights.device)
    mixed = 0.5 * weights.mean(dim=1) + 0.5 * identity  # (layers, n, n)
    mixed = mixed / mixed.sum(dim=-1, keepdim=True)
    rollout = identity
    for layer in mixed:
        rollout = layer @ rollout  # (n, n): the later layer reads what the earlier ones have mixed
    return rollout


def head_importance(heads: Sequence[tuple[nn.Module, int]], evaluate: Callable[[], float]) -> list[float]:
    """Measure what a model loses without each head: silence one at a time and evaluate again.

    A head is silenced by zeroing the d_k columns of ``w_output.weight`` that read it; the bias stays. While the score
    is taken, a copy with these zeros stands in the weight's place: the weight itself is not touched.

    Source: Michel et al. (2019), section 3.2.

    Args:
        heads: pairs of a ``MultiHeadAttention`` inside the model (or what has its ``w_output``, ``num_heads`` and
            ``d_k``) and the index of one of its heads, from 0. A module that a model uses in several places loses the
            head in all of them.
        evaluate: runs the model and returns a score, more is better. It has to give the same score for the same
            weights: evaluation mode, fixed data, fixed seed.

    Returns:
        For each entry of heads the drop of the score, in the score's unit; negative = better off without the head.

    Raises:
        ValueError: if an entry is no pair of a ``MultiHeadAttention`` and one of its heads.
    """
    for position, head in enumerate(heads):
        _require_head(f"heads[{position}]", head)
    if not heads:
        return []
    complete = _as_float(evaluate())
    drops = []
    for attention, index in heads:
        with _silenced(attention, index):
            drops.append(complete - _as_float(evaluate()))
    return drops


def head_alignment_error(
    maps: Sequence[Tensor],
    sure: Sequence[set[tuple[int, int]]],
    possible: Sequence[set[tuple[int, int]]] | None = None,
) -> Tensor:
    """Score each head as a word aligner: its alignment error rate over all sentences.

    Source: Och & Ney (2003), "A Systematic Comparison of Various Statistical Alignment Models", the part on
    evaluation, with the counts summed over the corpus before the division.

    Args:
        maps: for each sentence pair ``(layers, heads, target_length, source_length)``, cut to the real words.
        sure: for each sentence pair its ``(target, source)`` links that an aligner has to find.
        possible: for each sentence pair the links that are no mistake; ``None`` means the sure ones.

    Returns:
        The error rates ``(layers, heads)``, 0 = perfect.

    Raises:
        ValueError: if the lists are empty or differ in length, or the maps differ in layers or heads.
    """
    if not maps:
        raise ValueError("maps: expected at least 1 sentence pair, got none")
    require_maps("maps", maps[0])
    possible = sure if possible is None else possible
    for name, links in (("sure", sure), ("possible", possible)):
        if len(links) != len(maps):
            raise ValueError(f"{name}: expected one set for each of the {len(maps)} maps, got {len(links)}")
    errors = torch.zeros(maps[0].shape[:2], dtype=torch.float64)
    total = 0
    for weights, sure_links, possible_links in zip(maps, sure, possible, strict=True):
        require_shape("maps", weights, (*errors.shape, "target_length", "source_length"))
        # The rate is 1 - hits / (|A| + |S|): |A| is the number of target words, |S| that of sure links. Times this
        # denominator it is a number of errors, which may be summed over sentences.
        denominator = weights.shape[2] + len(sure_links)
        total += denominator
        for layer, heads in enumerate(weights):
            for head, map_of_head in enumerate(heads):
                errors[layer, head] += denominator * alignment_error_rate(map_of_head, sure_links, possible_links)
    return (errors / max(total, 1)).to(maps[0])  # without words and links: 0 errors of none


@contextmanager
def _silenced(attention: nn.Module, index: int) -> Iterator[None]:
    original = attention.w_output.weight
    silenced = original.detach().clone()
    silenced[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0
    attention.w_output.weight = nn.Parameter(silenced, requires_grad=original.requires_grad)
    try:
        yield
    finally:
        attention.w_output.weight = original


def _as_float(score: float | Tensor) -> float:
    return score.item() if isinstance(score, Tensor) else float(score)


def _require_head(name: str, head: tuple[nn.Module, int]) -> None:
    if not isinstance(head, tuple | list) or len(head) != 2:
        raise ValueError(f"{name}: expected a pair (attention, index), got {type(head).__name__}")
    attention, index = head
    if not all(hasattr(attention, attribute) for attribute in ("w_output", "num_heads", "d_k")):
        raise ValueError(f"{name}: expected a MultiHeadAttention and an index, got {type(attention).__name__}")
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < attention.num_heads:
        raise ValueError(f"{name}: expected an index from 0 to {attention.num_heads - 1}, got {index!r}")
