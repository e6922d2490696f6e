"""Chapter 08: positional encoding, which tells attention where a token stands.

Without it attention reads a set: if two tokens change places, their outputs change places, and nothing else happens.
There are three ways to let the position count, in the order of this file. Add a vector to each token
(``sinusoidal_encoding``; ``TransformerEmbedding`` adds it, and ``shift_matrix`` shows that moving on by an offset is
the same rotation from every position). Rotate queries and keys, so that their dot products depend on the distance alone
(``rotary_encoding``). Or subtract something from each score that grows with the distance (``alibi_bias``). The first
two work on pairs of columns, each of which turns with its own frequency (``pair_frequencies``).

Source: Vaswani et al. (2017), "Attention Is All You Need", sections 3.4 and 3.5; Su et al. (2021), "RoFormer"; Press et
al. (2022), "Train Short, Test Long".

Dimension names: ``batch``, ``length``, ``d_model`` the width of the model, ``d_k`` the width of one head, ``pairs`` of
columns: pair i is columns 2i and 2i + 1.
"""

import math

import torch
from torch import Tensor, nn

from transformer_course.common.tokens import PAD
from transformer_course.common.validation import (
    may_look_inside,
    require_dimensions,
    require_even,
    require_floating,
    require_not_negative,
    require_positions,
    require_positive,
    require_within,
)


def pair_frequencies(d_model: int, base: float = 10_000.0, device: torch.device | None = None) -> Tensor:
    """Give the radians per position by which each column pair rotates: ``base ** (-2i / d_model)``, from fast to slow.

    Source: Vaswani et al. (2017), section 3.5; Su et al. (2021), equation 15.

    Args:
        d_model: how many columns; when it is odd, the last column counts as a pair.
        base: sets the slowest pair; where d_model is large, its full turn takes nearly ``2 * pi * base`` positions.
        device: where the result is made.

    Returns:
        The frequencies ``(pairs,)`` in float64 (float32 on Apple's GPUs, which lack it).
    """
    dtype = torch.float32 if device is not None and device.type == "mps" else torch.float64
    pairs = torch.arange(0, d_model, 2, dtype=dtype, device=device)  # 2i
    return torch.exp(-math.log(base) * pairs / d_model)


def sinusoidal_encoding(length: int, d_model: int) -> Tensor:
    """Give every position a fixed vector of sines and cosines, from fast ones to slow ones.

    Source: Vaswani et al. (2017), section 3.5.

    Args:
        length: how many positions, counted from 0; 0 or more.
        d_model: how many columns; when it is odd, the last pair has its sine only.

    Returns:
        The encoding ``(length, d_model)`` in torch's default dtype; column 2i holds sin(position * frequency i),
        column 2i + 1 its cosine.

    >>> sinusoidal_encoding(2, 4)
    tensor([[0.0000, 1.0000, 0.0000, 1.0000],
            [0.8415, 0.5403, 0.0100, 0.9999]])
    """
    require_not_negative("length", length)
    require_positive("d_model", d_model)
    # In float64 up to the end: at position 10,000 the rounding of a float32 angle shifts the sine by up to 0.0005.
    positions = torch.arange(length, dtype=torch.float64)
    angles = positions[:, None] * pair_frequencies(d_model)  # (length, pairs)
    encoding = torch.empty(length, d_model, dtype=torch.float64)
    encoding[:, 0::2] = angles.sin()
    encoding[:, 1::2] = angles[:, : d_model // 2].cos()
    return encoding.to(torch.get_default_dtype())


def shift_matrix(offset: int, d_model: int) -> Tensor:
    """Find the one matrix that moves every position's encoding by offset: a rotation in each column pair.

    Source: Vaswani et al. (2017), section 3.5 ("PE_{pos+k} can be represented as a linear function of PE_pos"); the
    entries are the addition theorems of sine and cosine.

    Args:
        offset: how many positions to move by; negative moves back.
        d_model: width of the encoding, even.

    Returns:
        M ``(d_model, d_model)`` in torch's default dtype, with ``PE[p + offset] = M @ PE[p]`` for every p.

    >>> (shift_matrix(3, 8) @ sinusoidal_encoding(9, 8)[5] - sinusoidal_encoding(9, 8)[8]).abs().max() < 1e-6
    tensor(True)
    """
    if isinstance(offset, bool) or not isinstance(offset, int):
        raise ValueError(f"offset: expected an integer, got {offset!r}")
    require_even("d_model", d_model)  # each sine has its cosine
    angles = offset * pair_frequencies(d_model)  # (pairs,)
    # sin(a + b) = sin(a) cos(b) + cos(a) sin(b)
    # cos(a + b) = cos(a) cos(b) - sin(a) sin(b)
    sines, cosines = angles.sin(), angles.cos()
    matrix = torch.zeros(d_model, d_model, dtype=torch.float64)
    even = torch.arange(0, d_model, 2)
    odd = even + 1
    matrix[even, even], matrix[even, odd] = cosines, sines
    matrix[odd, even], matrix[odd, odd] = -sines, cosines
    return matrix.to(torch.get_default_dtype())


class TransformerEmbedding(nn.Module):
    """Turn token ids into vectors that say which token it is and where it stands.

    The embeddings start with variance ``1 / d_model`` so that, times ``sqrt(d_model)``, they have variance 1; the
    mean square of the encoding is 1/2 if d_model is even, since sin² + cos² = 1 in each pair. The row of the padding
    token starts at zero and gets no gradient here, but may get one from an output layer that shares the matrix.

    The encoding is a buffer, so it follows ``.to()``; it is left out of ``state_dict()``, because it can be computed
    again and a checkpoint should also load into a model with another ``max_length``.

    Source: Vaswani et al. (2017), sections 3.4 (the factor), 3.5 (the sum) and 5.4 (dropout on the sum); the initial
    variance is that of the paper's own code, tensor2tensor.

    Args:
        vocab_size: how many different tokens.
        d_model: width of the result.
        max_length: how many positions have an encoding.
        dropout: probability with which an entry of the sum is set to zero in training.
        pad_id: the token whose embedding starts at zero.
    """

    def __init__(self, vocab_size: int, d_model: int, max_length: int = 512, dropout: float = 0.0, pad_id: int = PAD):
        super().__init__()
        require_positive("vocab_size", vocab_size)
        require_positive("d_model", d_model)
        require_positive("max_length", max_length)
        require_within("dropout", dropout, 0, 1)
        if not 0 <= pad_id < vocab_size:
            raise ValueError(f"pad_id: expected a token from 0 to vocab_size - 1 = {vocab_size - 1}, got {pad_id}")
        self.d_model = d_model
        self.max_length = max_length
        self.token = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.dropout = nn.Dropout(dropout)
        encoding = sinusoidal_encoding(max_length, d_model)
        self.register_buffer("encoding", encoding, persistent=False)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the embeddings anew; the row of the padding token is zero."""
        nn.init.normal_(self.token.weight, std=self.d_model**-0.5)
        with torch.no_grad():
            self.token.weight[self.token.padding_idx] = 0.0

    def forward(self, tokens: Tensor, start: int = 0) -> Tensor:
        """Look up the tokens, scale them, and add the encodings of their positions.

        Args:
            tokens: ``(batch, length)``, integers below vocab_size.
            start: position of the first token; more than 0 when a decoder goes on from cached positions.

        Returns:
            The vectors ``(batch, length, d_model)``.

        Raises:
            ValueError: if a position is beyond max_length, or (looked at on the CPU only) a token is no id of the
                vocabulary.
        """
        self._check_tokens(tokens)
        require_positions("tokens", tokens, start, self.max_length)
        embedded = self.token(tokens) * math.sqrt(self.d_model)  # (batch, length, d_model)
        return self.dropout(embedded + self.encoding[start : start + tokens.shape[1]])

    def _check_tokens(self, tokens: Tensor) -> None:
        if tokens.dtype not in (torch.int64, torch.int32):
            raise ValueError(f"tokens: expected dtype torch.int64 or torch.int32, got {tokens.dtype}")
        if not may_look_inside(tokens) or tokens.numel() == 0:
            return
        lowest, highest = (int(value) for value in tokens.aminmax())
        if lowest < 0 or highest >= self.token.num_embeddings:
            raise ValueError(
                f"tokens: expected ids from 0 to vocab_size - 1 = {self.token.num_embeddings - 1}, "
                f"got {lowest} to {highest}"
            )


def rotary_encoding(x: Tensor, start: int = 0) -> Tensor:
    """Rotate each column pair of a query or key by an angle that grows with its position.

    The dot product of a rotated query and a rotated key depends on the positions through their difference alone.

    Source: Su et al. (2021), section 3.2.2, equation 15, with the pairs in neighbouring columns.

    Args:
        x: ``(..., length, d_k)``, queries or keys, floating, d_k even.
        start: position of the first row.

    Returns:
        The rotated rows, in the shape and dtype of x. Position t is rotated counter-clockwise by t times the frequency
        of each pair.

    >>> rotary_encoding(torch.tensor([[1.0, 0.0], [1.0, 0.0]]))
    tensor([[1.0000, 0.0000],
            [0.5403, 0.8415]])
    """
    require_floating("x", x)
    require_dimensions("x", x, at_least=2)
    require_not_negative("start", start)
    length, d_k = x.shape[-2:]
    require_even("d_k of x", d_k)  # each column has its partner
    positions = torch.arange(start, start + length, device=x.device)
    return turn_pairs(x, positions[:, None] * pair_frequencies(d_k, device=x.device))


def turn_pairs(x: Tensor, angles: Tensor) -> Tensor:
    """Rotate the column pairs of each row by given angles, counter-clockwise.

    Source: Su et al. (2021), section 3.4.2, equation 34, with the pairs in neighbouring columns. (The pairs (sin, cos)
    of ``shift_matrix`` turn clockwise; a dot product is the same either way.)

    Args:
        x: ``(..., length, d_k)``; a pair is columns 2i and 2i + 1.
        angles: ``(length, pairs)`` in radians. They are best computed in float64: a large angle in float32 has lost the
            digits that its sine needs.

    Returns:
        The rotated rows, in the shape and dtype of x.
    """
    cosines, sines = angles.cos().to(x), angles.sin().to(x)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., length, pairs)
    rotated = torch.empty_like(x)  # (..., length, d_k)
    rotated[..., 0::2] = first * cosines - second * sines
    rotated[..., 1::2] = first * sines + second * cosines
    return rotated


def alibi_bias(num_heads: int, length: int) -> Tensor:
    """Make a penalty for each score that grows linearly with the distance, with another slope in each head.

    Source: Press et al. (2022), section 3; slopes ``2 ** (-8 i / num_heads)`` for the heads i = 1, ..., num_heads. (The
    authors' program takes others where num_heads is no power of two.)

    Args:
        num_heads: how many heads, 1 or more.
        length: how many positions, 0 or more.

    Returns:
        What to add to the scores before softmax, ``(num_heads, length, length)``, at most 0; the output is
        ``softmax(attention_scores(query, key) + bias) @ value``. Distances count in both directions; the paper's models
        are causal, and mask the upper triangle anyway.

    >>> alibi_bias(1, 3)[0, 2]
    tensor([-0.0078, -0.0039, -0.0000])
    """
    require_positive("num_heads", num_heads)
    require_not_negative("length", length)
    slopes = 2.0 ** (-8 * torch.arange(1, num_heads + 1) / num_heads)
    positions = torch.arange(length)
    distances = (positions[:, None] - positions).abs()  # (length, length)
    return -slopes[:, None, None] * distances
