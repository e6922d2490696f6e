"""Attention that sees less, or keeps less, and what it can then not do: chapter 17.

The task is that of chapter 13, letters that are written twice: the second half can be predicted by looking ``period``
letters back. The models differ in their attention alone.

Dimension names: ``batch`` texts; ``period`` tokens of the half that is repeated; ``length = 2 * period``; ``heads``.
"""

import time
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from experiments.induction.copying import LONGEST, VOCAB_SIZE, repeated_tokens
from transformer_course.common.subnormals import without_subnormals
from transformer_course.efficient_attention import linear_attention, sliding_window_mask
from transformer_course.multi_head_attention import MultiHeadAttention, fused_attention, merge_heads, split_heads
from transformer_course.positional_encoding import rotary_encoding
from transformer_course.transformer_blocks import FeedForward, LayerNorm

KINDS = ("full", "window", "linear")


@dataclass(frozen=True)
class Attending:
    """How a model attends.

    Args:
        kind: "full", "window" or "linear"; always to what came before only.
        window: how many tokens are seen, where the kind is "window".
        num_heads: a divisor of the width.
        rotary: whether queries and keys are turned by their positions.
        previous: whether each position is told the token before it, so that one layer is enough to find a match.
    """

    kind: str
    window: int = 16
    num_heads: int = 4
    rotary: bool = True
    previous: bool = False


class SomeAttention(nn.Module):
    """Causal attention of several heads: to all, to the last few, or to what a sum has kept."""

    def __init__(self, d_model: int, how: Attending):
        super().__init__()
        if how.kind not in KINDS:
            raise ValueError(f"kind: expected one of {', '.join(KINDS)}, got {how.kind!r}")
        self.how, self.layers = how, MultiHeadAttention(d_model, how.num_heads)

    def forward(self, x: Tensor) -> Tensor:
        """Attend: ``(batch, length, d_model)`` to the same shape."""
        query, key, value = (
            split_heads(project(x), self.how.num_heads)  # (batch, heads, length, d_k)
            for project in (self.layers.w_query, self.layers.w_key, self.layers.w_value)
        )
        if self.how.rotary:
            query, key = rotary_encoding(query), rotary_encoding(key)
        if self.how.kind == "linear":
            heads = linear_attention(query, key, value, causal=True)
        elif self.how.kind == "window":
            heads = fused_attention(query, key, value, sliding_window_mask(x.shape[1], self.how.window))
        else:
            heads = fused_attention(query, key, value, is_causal=True)
        return self.layers.w_output(merge_heads(heads))


class RangeModel(nn.Module):
    """A language model whose layers attend in one of the ways above.

    Args:
        how: they attend.
        vocab_size: number of different tokens.
        d_model: width of the model.
        num_layers: of attention.
        d_ff: width inside the feed-forward networks; 0 leaves them out.
    """

    def __init__(
        self, how: Attending, vocab_size: int = VOCAB_SIZE, d_model: int = 64, num_layers: int = 2, d_ff: int = 0
    ):
        super().__init__()
        self.d_model = d_model
        self.token = nn.Embedding(vocab_size, d_model)
        self.before = nn.Embedding(vocab_size, d_model) if how.previous else None
        sublayers = []
        for _ in range(num_layers):
            sublayers.append(SomeAttention(d_model, how))
            if d_ff:
                sublayers.append(FeedForward(d_model, d_ff, activation="gelu"))
        self.sublayers = nn.ModuleList(sublayers)
        self.norms = nn.ModuleList(LayerNorm(d_model) for _ in range(len(sublayers) + 1))
        self.output = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        """Give logits ``(batch, length, vocab_size)`` of token ids ``(batch, length)``."""
        x = self.token(tokens)  # (batch, length, d_model)
        if self.before is not None:
            x = x + F.pad(self.before(tokens[:, :-1]), (0, 0, 1, 0))  # nothing stands before the first token
        for norm, sublayer in zip(self.norms, self.sublayers, strict=False):
            x = x + sublayer(norm(x))
        return self.output(self.norms[-1](x))


@torch.no_grad()
def copied(model: nn.Module, period: int, number: int = 64) -> float:
    """Say which share of the second half is predicted right, its first token left out, on new texts."""
    tokens = repeated_tokens(number, period, torch.Generator().manual_seed(1_000_000 + period))
    model.eval()
    right = model(tokens[:, :-1]).argmax(dim=-1) == tokens[:, 1:]
    return right[:, period:].float().mean().item()


def train(
    how: Attending, seed: int, cpu_seconds: float, every: int = 50, batch: int = 32, learning_rate: float = 2e-3
) -> tuple[nn.Module, list[dict[str, float]]]:
    """Train on texts that are written twice until the seconds are over, as ``induction.train`` does.

    Args:
        how: the model attends.
        seed: of weights and texts.
        cpu_seconds: of this process, all in one thread.
        every: updates between two measurements, which do not count.
        batch: texts of an update; all have the same period, drawn from 8 to 32.
        learning_rate: of Adam; it rises over 50 updates and stays.

    Returns:
        The model, and what was measured: update, seconds, and the mean loss of the last updates.
    """
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = RangeModel(how)
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate, betas=(0.9, 0.98))
    measured, losses, update, start = [], [], 0, time.process_time()
    model.train()
    with without_subnormals():
        while (seconds := time.process_time() - start) < cpu_seconds:
            if update % every == 0 and losses:
                recent = losses[-every:]
                measured.append({"update": update, "seconds": round(seconds, 2), "loss": sum(recent) / len(recent)})
            for group in optimizer.param_groups:
                group["lr"] = learning_rate * min(1.0, (update + 1) / 50)
            period = int(torch.randint(8, LONGEST + 1, (), generator=generator))
            tokens = repeated_tokens(batch, period, generator)
            logits = model(tokens[:, :-1])
            loss = F.cross_entropy(logits.mT, tokens[:, 1:])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            with torch.no_grad():
                second = F.cross_entropy(logits[:, period:].mT, tokens[:, period + 1 :])
            losses.append(second.item())
            update += 1
    return model.eval(), measured
