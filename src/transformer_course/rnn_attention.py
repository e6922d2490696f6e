"""Chapter 03: attention between recurrent networks, a look back at every source word for every target word.

For each word that it writes, the decoder compares its state with every word of the source (``dot_score`` or
``additive_score``), turns the scores into weights and takes the weighted mean (``attend``), and reads this mean
together with the word before (``decoder_step``). The words of the source are read in both directions first
(``bidirectional_encode``). Whether the weights point where people would point is what ``alignment_error_rate`` asks.

Source: Bahdanau et al. (2015), "Neural Machine Translation by Jointly Learning to Align and Translate"; Luong et al.
(2015), "Effective Approaches to Attention-based Neural Machine Translation".

Dimension names: ``batch`` sentences, ``length`` positions of the padded source sentence, ``d`` the width of what is
read, compared or averaged (``d_q`` and ``d_k`` where queries and keys differ), ``d_word`` the width of an embedded
target word, ``d_hidden`` that of the recurrent state at hand, ``d_a`` that of the hidden layer in the additive score.
"""

import math
from collections.abc import Callable, Set

import torch
from torch import Tensor

from transformer_course.common.validation import (
    require_floating,
    require_lengths,
    require_map,
    require_mask,
    require_shape,
    require_shapes,
)
from transformer_course.rnn_encoder_decoder import Cell, encode

Score = Callable[[Tensor, Tensor], Tensor]  # (query, keys) -> (batch, length)


def bidirectional_encode(
    embedded: Tensor, lengths: Tensor, forward_cell: Cell, backward_cell: Cell, hidden: Tensor
) -> Tensor:
    """Read each sentence from the left and from the right, so that each word knows the words on both sides.

    Source: Schuster & Paliwal (1997), "Bidirectional Recurrent Neural Networks"; Bahdanau et al. (2015), section 3.2.

    Args:
        embedded: ``(batch, length, d)``, padded on the right.
        lengths: int64 ``(batch,)``, the number of real words in each sentence, from 0 to length.
        forward_cell: ``cell(x, hidden) -> hidden`` that reads from the first word to the last.
        backward_cell: the same, from the last real word to the first.
        hidden: ``(batch, d_hidden)``, the state of both cells before the first word that they read.

    Returns:
        The two states at each word, side by side, ``(batch, length, 2 * d_hidden)``; 0 past the end of a sentence.
    """
    from_left, _ = encode(embedded, lengths, forward_cell, hidden)  # (batch, length, d_hidden)
    backwards = reverse_sequences(embedded, lengths)
    from_right, _ = encode(backwards, lengths, backward_cell, hidden)  # (batch, length, d_hidden)
    return torch.cat([from_left, reverse_sequences(from_right, lengths)], dim=-1)  # (batch, length, 2 * d_hidden)


def reverse_sequences(x: Tensor, lengths: Tensor) -> Tensor:
    """Turn the real words of each sentence round and leave the padding after them where it is.

    Args:
        x: ``(batch, length, d)``, padded on the right.
        lengths: int64 ``(batch,)``, the number of real words in each sentence, from 0 to length.

    Returns:
        ``(batch, length, d)``. Reversing twice gives x again.
    """
    require_shapes(x=(x, "batch length d"), lengths=(lengths, "batch"))
    require_lengths(lengths, x.shape[1])
    position = torch.arange(x.shape[1], device=x.device)  # (length,)
    end = lengths.unsqueeze(1)  # (batch, 1)
    index = torch.where(position < end, end - 1 - position, position)  # (batch, length)
    return x.gather(1, index.unsqueeze(-1).expand_as(x))


def dot_score(query: Tensor, keys: Tensor) -> Tensor:
    """Compare the decoder's state with each source word: their dot product.

    Source: Luong et al. (2015), section 3.1, the score named "dot".

    Args:
        query: ``(batch, d)``.
        keys: ``(batch, length, d)``.

    Returns:
        The scores ``(batch, length)``.
    """
    require_shapes(query=(query, "batch d"), keys=(keys, "batch length d"))
    return (keys @ query.unsqueeze(-1)).squeeze(-1)  # (batch, length)


def additive_score(query: Tensor, keys: Tensor, w_query: Tensor, w_key: Tensor, v: Tensor) -> Tensor:
    """Compare the decoder's state with each source word: a small network with one hidden layer.

    Source: Bahdanau et al. (2015), appendix A.1.2.

    Args:
        query: ``(batch, d_q)``.
        keys: ``(batch, length, d_k)``.
        w_query: ``(d_a, d_q)``.
        w_key: ``(d_a, d_k)``.
        v: ``(d_a,)``.

    Returns:
        ``v . tanh(w_query q + w_key k)``, the scores ``(batch, length)``.
    """
    weights = {"w_query": (w_query, "d_a d_q"), "w_key": (w_key, "d_a d_k"), "v": (v, "d_a")}
    require_shapes(query=(query, "batch d_q"), keys=(keys, "batch length d_k"), **weights)
    from_query = (query @ w_query.T).unsqueeze(1)  # (batch, 1, d_a)
    from_keys = keys @ w_key.T  # (batch, length, d_a)
    return torch.tanh(from_query + from_keys) @ v  # (batch, length)


def attend(scores: Tensor, values: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Turn the scores of one target word into weights and average the source words with them.

    Source: Bahdanau et al. (2015), section 3.1, equations 5 and 6.

    Args:
        scores: ``(batch, length)``, floating.
        values: ``(batch, length, d)``, finite also where the mask hides (0 times inf is NaN).
        mask: bool ``(batch, length)``; True = may be attended to; None hides nothing.

    Returns:
        The context ``(batch, d)`` and the weights ``(batch, length)``. Where nothing may be attended to, both are 0.
    """
    require_floating("scores", scores)
    require_shapes(scores=(scores, "batch length"), values=(values, "batch length d"))
    if mask is not None:
        require_mask(mask, tuple(scores.shape))
        scores = scores.masked_fill(~mask, -math.inf)
    # A softmax over nothing would be 0 / 0: such a row is computed with scores of 0, and its weights set to 0.
    nothing = (scores == -math.inf).all(dim=-1, keepdim=True)  # (batch, 1)
    weights = scores.masked_fill(nothing, 0.0).softmax(dim=-1).masked_fill(nothing, 0.0)
    context = (weights.unsqueeze(1) @ values).squeeze(1)  # (batch, d)
    return context, weights


def decoder_step(
    word: Tensor, hidden: Tensor, keys: Tensor, mask: Tensor | None, score: Score, cell: Cell
) -> tuple[Tensor, Tensor]:
    """Move the decoder on by one word: its state looks back at the source, and what it finds is read with the word.

    The next word is scored from the new state, as in ``decode`` of chapter 02. Bahdanau scores it from the word before
    and the context as well, which the chapter writes out.

    Source: Bahdanau et al. (2015), section 3.1, the state s_i after equation 4, and appendix A.2.2.

    Args:
        word: ``(batch, d_word)``, the embedded word before.
        hidden: ``(batch, d_hidden)``, the state before.
        keys: ``(batch, length, d)``, the source, which is compared as well as averaged.
        mask: bool ``(batch, length)``; True = may be attended to; None hides nothing.
        score: ``score(hidden, keys) -> (batch, length)``: ``dot_score``, if the decoder's d_hidden is d (twice that of
            a bidirectional encoder), or ``additive_score`` with its weights. It gets the state before, as in Bahdanau's
            model; Luong's takes the new one.
        cell: ``cell(x, hidden) -> hidden`` with x ``(batch, d_word + d)``.

    Returns:
        The state after the word ``(batch, d_hidden)``, and the weights ``(batch, length)``.
    """
    context, weights = attend(score(hidden, keys), keys, mask)  # (batch, d), (batch, length)
    after = cell(torch.cat([word, context], dim=-1), hidden)
    require_shape("hidden returned by cell", after, tuple(hidden.shape))
    return after, weights  # (batch, d_hidden), (batch, length)


def alignment_error_rate(
    weights: Tensor, sure: Set[tuple[int, int]], possible: Set[tuple[int, int]] | None = None
) -> float:
    """Compare where a model looks with the word alignment that people made.

    Source: Och & Ney (2003), "A Systematic Comparison of Various Statistical Alignment Models", the part on evaluation.

    Args:
        weights: ``(target_length, source_length)``; each target word is aligned to the source word with the highest
            weight, the first one on a tie.
        sure: pairs (target, source), counted from 0, that an alignment must have. A pair of a target word that was
            never written lies outside the map, and counts as missed.
        possible: pairs that it may have; those in ``sure`` always count as possible.

    Returns:
        ``1 - (|A and S| + |A and P|) / (|A| + |S|)`` for the alignment A. It is 0 at best, 1 if A shares no link with
        either; 0 where there is neither a target word nor a sure link.

    Raises:
        ValueError: if there are target words but no source word.
    """
    require_map("weights", weights)
    sure = set(sure)
    best = weights.argmax(dim=-1).tolist() if len(weights) else []
    links = set(enumerate(best))
    if not links and not sure:
        return 0.0
    allowed = sure | set(possible or ())
    return 1 - (len(links & sure) + len(links & allowed)) / (len(links) + len(sure))
