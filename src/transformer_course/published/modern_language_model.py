"""A language model of today, made of ``ModernBlock``s: what Llama, SmolLM2 and Qwen are, and writing with kept keys.

Source: Touvron et al. (2023), "LLaMA: Open and Efficient Foundation Language Models", section 2.2; Shazeer (2019),
"Fast Transformer Decoding", section 3, for what is kept.

Dimension names: ``batch`` texts; ``length`` tokens; ``d_model`` the width; ``groups`` of keys; ``d_k`` width of a key.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from transformer_course.common.validation import require_positive, require_tokens
from transformer_course.efficient_attention import grouped_query_attention
from transformer_course.language_model import sample_token
from transformer_course.masking import causal_mask
from transformer_course.modern_transformer import ModernBlock, RMSNorm, swiglu
from transformer_course.multi_head_attention import merge_heads

Cache = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class Sizes:
    """What a configuration says of a model.

    Args:
        vocab_size: number of different tokens.
        d_model: width of the model.
        num_heads: heads of queries.
        num_groups: sets of keys and values.
        num_layers: number of blocks.
        d_ff: width inside the feed-forward networks.
        base: of the rotation.
        eps: of the norms.
        max_length: tokens of the longest text that it was trained for.
        tied: whether the output layer is the table of tokens.
        qk_norm: whether queries and keys are normalised.
        biases: whether the projections of queries, keys and values have biases.
    """

    vocab_size: int
    d_model: int
    num_heads: int
    num_groups: int
    num_layers: int
    d_ff: int
    base: float
    eps: float
    max_length: int
    tied: bool = True
    qk_norm: bool = False
    biases: bool = False

    def block(self) -> ModernBlock:
        """Make one block."""
        sizes = (self.d_model, self.num_heads, self.num_groups, self.d_ff)
        block = ModernBlock(*sizes, self.qk_norm, self.base, self.eps)
        if self.biases:
            for linear in (block.w_query, block.w_key, block.w_value):
                linear.bias = nn.Parameter(torch.zeros(linear.out_features))
        return block


class ModernLanguageModel(nn.Module):
    """Say which token comes next: a table of tokens, modern blocks, a norm, and the table once more.

    Source: Touvron et al. (2023), section 2.2.

    Args:
        sizes: of the model.
    """

    def __init__(self, sizes: Sizes):
        super().__init__()
        require_positive("vocab_size", sizes.vocab_size)
        require_positive("max_length", sizes.max_length)
        require_positive("num_layers", sizes.num_layers)
        self.sizes, self.max_length = sizes, sizes.max_length
        self.token = nn.Embedding(sizes.vocab_size, sizes.d_model)
        self.blocks = nn.ModuleList(sizes.block() for _ in range(sizes.num_layers))
        self.norm = RMSNorm(sizes.d_model, sizes.eps)
        self.output = nn.Linear(sizes.d_model, sizes.vocab_size, bias=False)
        if sizes.tied:
            self.output.weight = self.token.weight

    def forward(self, tokens: Tensor) -> Tensor:
        """Read texts at once.

        Args:
            tokens: ids ``(batch, length)``.

        Returns:
            The logits ``(batch, length, vocab_size)``.

        Raises:
            ValueError: if tokens are no ids in this shape.
        """
        _require_ids(tokens, self.sizes.vocab_size)
        mask = causal_mask(tokens.shape[1]).to(tokens.device)
        x = self.token(tokens)  # (batch, length, d_model)
        for block in self.blocks:
            x = block(x, mask)
        return self.output(self.norm(x))

    def read(self, tokens: Tensor, caches: list[Cache] | None = None) -> tuple[Tensor, list[Cache]]:
        """Read some more tokens, after those whose keys and values are kept.

        Args:
            tokens: ids ``(batch, length)``, at least one.
            caches: of each block, from the call before; None at the beginning. They are not changed.

        Returns:
            The logits of the next token ``(batch, vocab_size)``, and the longer caches.

        Raises:
            ValueError: if tokens are no ids in this shape, or there are none.
        """
        _require_ids(tokens, self.sizes.vocab_size)
        if tokens.shape[1] == 0:
            raise ValueError("tokens: expected at least one, got none")
        x, longer = self.token(tokens), []
        for block, cache in zip(self.blocks, caches or [None] * len(self.blocks), strict=True):
            x, cache = modern_block_step(block, x, cache)
            longer.append(cache)
        return self.output(self.norm(x[:, -1])), longer


def _require_ids(tokens: Tensor, vocab_size: int) -> None:
    """Raise ``ValueError`` unless tokens are ids ``(batch, length)`` of this vocabulary."""
    require_tokens("tokens", tokens, ("batch", "length"))
    if tokens.numel() and not 0 <= int(tokens.min()) <= int(tokens.max()) < vocab_size:
        raise ValueError(f"tokens: expected ids from 0 to {vocab_size - 1}, got {int(tokens.min())} to {tokens.max()}")


def modern_block_step(block: ModernBlock, x: Tensor, cache: Cache | None) -> tuple[Tensor, Cache]:
    """Send new words through a block that keeps keys and values; keys have turned before they are kept.

    Args:
        block: a modern block.
        x: ``(batch, new, d_model)``, the words that come after those in the cache.
        cache: keys and values of the words before, each ``(batch, groups, length, d_k)``; None if there are none.

    Returns:
        The block's output ``(batch, new, d_model)``, and the longer cache.
    """
    length = 0 if cache is None else cache[0].shape[2]
    places = torch.arange(length, length + x.shape[1])
    query, key, value = block.project(block.norm_1(x), places)
    if cache is not None:
        key, value = torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)
    mask = causal_mask(length + x.shape[1])[length:].to(x.device) if x.shape[1] > 1 else None  # a last word sees all
    heads = grouped_query_attention(query, key, value, mask)  # (batch, heads, new, d_k)
    x = x + block.w_output(merge_heads(heads))
    x = x + swiglu(block.norm_2(x), block.w_gate.weight, block.w_up.weight, block.w_down.weight)
    return x, (key, value)


class Writer:
    """Write with a model, and keep what has been read: only what is new goes through the model.

    Args:
        model: in eval mode.
    """

    def __init__(self, model: ModernLanguageModel):
        self.model = model
        self.tokens: list[int] = []  # whose keys and values are kept
        self.caches: list[Cache] | None = None

    def read(self, tokens: list[int]) -> Tensor:
        """Have a text read: what it shares with the one before, from its beginning, is kept, the rest is read.

        Args:
            tokens: ids of the whole text.

        Returns:
            The logits of the next token ``(vocab_size,)``.

        Raises:
            ValueError: if there are none, or more than the model was trained for.
        """
        if not 0 < len(tokens) <= self.model.max_length:
            raise ValueError(f"tokens: expected 1 to max_length = {self.model.max_length}, got {len(tokens)}")
        pairs = zip(self.tokens, tokens[:-1], strict=False)  # the last one is read again: its logits are asked for
        shared = next((i for i, (old, new) in enumerate(pairs) if old != new), min(len(self.tokens), len(tokens) - 1))
        kept = None
        if self.caches is not None and shared:
            kept = [(key[:, :, :shared], value[:, :, :shared]) for key, value in self.caches]
        with torch.inference_mode():
            logits, caches = self.model.read(torch.tensor([tokens[shared:]]), kept)
        self.tokens, self.caches = list(tokens), caches
        return logits[0]

    def write(
        self,
        tokens: list[int],
        num_tokens: int,
        end_ids: Iterable[int] = (),
        temperature: float = 1.0,
        top_p: float | None = None,
        generator: torch.Generator | None = None,
    ) -> Iterator[int]:
        """Go on with a text, a token at a time.

        Args:
            tokens: ids of the text.
            num_tokens: how many are written at most.
            end_ids: tokens that end the text; they are not handed out.
            temperature: as in ``sample_token``, like the following.
            top_p: as in ``sample_token``.
            generator: as in ``sample_token``.

        Yields:
            The ids that are written.

        Raises:
            ValueError: if there is no room for a token more, or no text.
        """
        tokens = list(tokens)
        if not 0 < len(tokens) < self.model.max_length:
            raise ValueError(f"tokens: expected 1 to max_length - 1 = {self.model.max_length - 1}, got {len(tokens)}")
        ends = frozenset(end_ids)
        for _ in range(min(num_tokens, self.model.max_length - len(tokens))):
            drawn = int(sample_token(self.read(tokens)[None], temperature, None, top_p, generator))
            if drawn in ends:
                return
            yield drawn
            tokens.append(drawn)
