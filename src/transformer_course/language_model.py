"""Chapter 13: a language model, which is the encoder of chapter 09 under the causal mask of chapter 06.

It learns from any text, cut into pieces by ``next_token_batch``: each token is the label of those before it. To write,
``generate`` draws one token after the other (``sample_token``) from what ``filter_logits`` leaves. ``induction_score``
measures whether a head, at a token that it has seen before, looks at what followed it there.

Source: Radford et al. (2018), "Improving Language Understanding by Generative Pre-Training", section 3.1; Radford et
al. (2019), "Language Models are Unsupervised Multitask Learners", section 2.3, for the norms before the sublayers and
the last norm.

Dimension names: ``batch`` texts; ``length`` tokens that are seen at once; ``vocab_size`` tokens to choose from;
``d_model`` the width of the model.
"""

import torch
from torch import Tensor, nn

from transformer_course.common.modes import evaluating
from transformer_course.common.validation import (
    require_dimensions,
    require_floating,
    require_not_negative,
    require_positive,
    require_shape,
    require_tokens,
    require_within,
)
from transformer_course.transformer_blocks import EncoderBlock, LayerNorm


def next_token_batch(tokens: Tensor, starts: Tensor, length: int) -> tuple[Tensor, Tensor]:
    """Cut pieces out of a long text, with the token that follows at each position.

    Source: Radford et al. (2018), section 3.1, equation 1.

    Args:
        tokens: int64 ``(num_tokens,)``, the text.
        starts: int64 ``(batch,)``, where the pieces begin.
        length: tokens of a piece.

    Returns:
        The inputs and the labels, both ``(batch, length)``; the labels are the inputs one position later.

    Raises:
        ValueError: if a piece or its last label would lie outside the text.

    >>> next_token_batch(torch.tensor([7, 3, 5, 9]), torch.tensor([0, 1]), length=2)
    (tensor([[7, 3],
            [3, 5]]), tensor([[3, 5],
            [5, 9]]))
    """
    _check_pieces(tokens, starts, length)
    positions = starts.unsqueeze(1) + torch.arange(length, device=starts.device)  # (batch, length)
    return tokens[positions], tokens[positions + 1]


class LanguageModel(nn.Module):
    """Say at each position which token comes next, having seen those up to it: a small GPT.

    Nothing here is new but the choice of parts: token and position are embedded and added, pre-norm encoder blocks
    read them under a causal mask, and the transposed embedding of tokens says what comes next.

    Source: Radford et al. (2018), section 3.1, equation 2; Radford et al. (2019), section 2.3; Press & Wolf (2017),
    "Using the Output Embedding to Improve Language Models", for the shared embedding.

    Args:
        vocab_size: number of different tokens.
        d_model: width of the model.
        num_heads: a divisor of d_model.
        num_layers: number of blocks.
        d_ff: width inside the feed-forward networks.
        max_length: positions that there are embeddings for.
        dropout: probability of dropout in training, on the embedded tokens and in the blocks.
        activation: of the feed-forward networks, as in ``FeedForward``.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int = 128,
        num_heads: int = 4,
        num_layers: int = 2,
        d_ff: int = 512,
        max_length: int = 128,
        dropout: float = 0.0,
        activation: str = "gelu",
    ):
        super().__init__()
        for name, size in (("vocab_size", vocab_size), ("num_layers", num_layers), ("max_length", max_length)):
            require_positive(name, size)
        self.vocab_size, self.d_model, self.max_length = vocab_size, d_model, max_length
        self.blocks = nn.ModuleList(
            EncoderBlock(d_model, num_heads, d_ff, dropout, activation, norm_first=True) for _ in range(num_layers)
        )
        self.token = nn.Embedding(vocab_size, d_model)
        self.position = nn.Embedding(max_length, d_model)
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        # The embedding of tokens is the output layer as well: with entries this small all tokens begin about as likely.
        for embedding in (self.token, self.position):
            nn.init.normal_(embedding.weight, std=0.02)

    def embed(self, tokens: Tensor, start: int = 0) -> Tensor:
        """Add token and position: ids ``(batch, length)``, the first at position ``start``.

        ``generation/cached_generation.py`` calls this and ``logits`` too; there ``start`` is the length of the cache.
        """
        positions = torch.arange(start, start + tokens.shape[1], device=tokens.device)
        return self.dropout(self.token(tokens) + self.position(positions))  # (batch, length, d_model)

    def logits(self, x: Tensor) -> Tensor:
        """Compare the last block's output with every token: ``(batch, length, d_model)`` to logits."""
        return self.norm(x) @ self.token.weight.mT  # (batch, length, vocab_size)

    def forward(self, tokens: Tensor) -> Tensor:
        """Say at each position which token comes next.

        Args:
            tokens: token ids ``(batch, length)``.

        Returns:
            The logits ``(batch, length, vocab_size)``; those of a position follow from the tokens up to it.
        """
        require_tokens("tokens", tokens, ("batch", "length"))
        if tokens.shape[1] > self.max_length:
            raise ValueError(f"tokens: expected at most max_length = {self.max_length}, got {tokens.shape[1]}")
        x = self.embed(tokens)  # (batch, length, d_model)
        for block in self.blocks:
            x = block(x, is_causal=True)  # equal to block(x, causal_mask(length)), and faster
        return self.logits(x)


def filter_logits(logits: Tensor, top_k: int | None = None, top_p: float | None = None) -> Tensor:
    """Drop the tail: only the most probable tokens can still be drawn.

    Source: Fan et al. (2018), "Hierarchical Neural Story Generation", section 5.4, for ``top_k``; Holtzman et al.
    (2020), "The Curious Case of Neural Text Degeneration", section 3.1, for ``top_p``.

    Args:
        logits: ``(..., vocab_size)``, floating.
        top_k: how many tokens stay; None keeps all.
        top_p: the fewest tokens whose probabilities (after top_k) sum to at least this stay; None keeps all. In half
            precision the sum is rounded: give ``.float()``.

    Returns:
        The logits in the same shape, with ``-inf`` for what is dropped. At least one token stays; of equal ones at the
        border the lower id.

    >>> filter_logits(torch.tensor([0.5, 0.2, 0.3]).log(), top_p=0.7).softmax(-1)
    tensor([0.6250, 0.0000, 0.3750])
    """
    _check_filter(logits, top_k, top_p)
    if top_k is None and top_p is None:
        return logits
    ordered, order = logits.sort(dim=-1, descending=True, stable=True)  # stable: of equal ones the lower id first
    kept_in_order = torch.ones_like(ordered, dtype=torch.bool)
    if top_k is not None:
        kept_in_order[..., top_k:] = False
    if top_p is not None and top_p < 1:
        probabilities = ordered.masked_fill(~kept_in_order, -torch.inf).softmax(dim=-1)
        before = probabilities.cumsum(dim=-1) - probabilities  # what all more probable tokens have together
        kept_in_order &= before < top_p  # a token stays if those before it do not yet reach top_p
    kept_in_order[..., 0] = True
    kept = torch.zeros_like(kept_in_order).scatter(-1, order, kept_in_order)  # from the order of probability to ids
    return logits.masked_fill(~kept, -torch.inf)


def sample_token(
    logits: Tensor,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Draw the next token of each text.

    Args:
        logits: ``(batch, vocab_size)``.
        temperature: divides the logits before anything is dropped; 0 takes the most probable token, of equal ones the
            lowest id.
        top_k: as in ``filter_logits``.
        top_p: as in ``filter_logits``.
        generator: where to draw from; None means torch's global one.

    Returns:
        Token ids ``(batch,)``.

    >>> sample_token(torch.tensor([[0.1, 2.0, 2.0]]), temperature=0)
    tensor([1])
    """
    require_shape("logits", logits, ("batch", "vocab_size"))
    _check_filter(logits, top_k, top_p)
    require_within("temperature", temperature, 0)
    if temperature == 0:
        return logits.argmax(dim=-1)  # the first of equal ones
    probabilities = filter_logits(logits / temperature, top_k, top_p).softmax(dim=-1)
    return torch.multinomial(probabilities, 1, generator=generator).squeeze(1)  # (batch,)


@torch.no_grad()
def generate(
    model: nn.Module,
    prompt: Tensor,
    num_tokens: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Go on with a text: predict, draw, append, and again.

    Args:
        model: ``model(tokens (batch, length)) -> logits (batch, length, vocab_size)``, with an attribute
            ``max_length``: it is shown that many of the last tokens at most. It runs in evaluation mode; afterwards
            each module is in the mode in which it was.
        prompt: token ids ``(batch, prompt_length)``, at least one token for each text.
        num_tokens: how many are appended.
        temperature: as in ``sample_token``, like the following.
        top_k: as in ``sample_token``.
        top_p: as in ``sample_token``.
        generator: as in ``sample_token``.

    Returns:
        Token ids ``(batch, prompt_length + num_tokens)``, the prompt first.

    Raises:
        ValueError: if the prompt is empty.
    """
    require_tokens("prompt", prompt, ("batch", "prompt_length"), at_least=1)
    require_not_negative("num_tokens", num_tokens)
    tokens = prompt
    with evaluating(model):
        for _ in range(num_tokens):
            logits = model(tokens[:, -model.max_length :])[:, -1]  # (batch, vocab_size)
            drawn = sample_token(logits, temperature, top_k, top_p, generator)
            tokens = torch.cat([tokens, drawn.unsqueeze(1)], dim=1)
    return tokens


def induction_score(weights: Tensor, tokens: Tensor) -> float:
    """Measure how much weight a head puts on what followed the last time its token occurred.

    Source: Olsson et al. (2022), "In-context Learning and Induction Heads", where the weights on what followed all
    earlier occurrences count; here the last one does.

    Args:
        weights: ``(length, length)``, the weights of one head; rows are queries.
        tokens: int64 ``(length,)``, the text that was read.

    Returns:
        The mean, over the positions whose token has occurred before, of the weight on the position right after its last
        earlier occurrence; 0 where no token occurs twice.

    >>> weights = torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.25, 0.5]])
    >>> induction_score(weights, torch.tensor([5, 6, 5]))
    0.25
    """
    require_tokens("tokens", tokens, ("length",))
    require_floating("weights", weights)
    require_shape("weights", weights, (tokens.shape[0], tokens.shape[0]))
    position = torch.arange(tokens.shape[0], device=tokens.device)
    earlier = (tokens.unsqueeze(0) == tokens.unsqueeze(1)) & (position.unsqueeze(0) < position.unsqueeze(1))
    again = earlier.any(dim=1)
    if not again.any():
        return 0.0
    last = torch.where(earlier, position, -1).max(dim=1).values  # (length,)
    return weights[position[again], last[again] + 1].mean().item()


def _check_pieces(tokens: Tensor, starts: Tensor, length: int) -> None:
    require_tokens("tokens", tokens, ("num_tokens",))
    require_tokens("starts", starts, ("batch",))
    require_positive("length", length)
    last = tokens.shape[0] - length - 1
    if starts.numel() > 0 and not (int(starts.min()) >= 0 and int(starts.max()) <= last):
        raise ValueError(
            f"starts: expected positions from 0 to {last}, so that {length} tokens and a label fit into "
            f"{tokens.shape[0]}, got {int(starts.min())} to {int(starts.max())}"
        )


def _check_filter(logits: Tensor, top_k: int | None, top_p: float | None) -> None:
    require_floating("logits", logits)
    require_dimensions("logits", logits, at_least=1)
    if top_k is not None:
        require_positive("top_k", top_k)
    if top_p is not None:
        require_within("top_p", top_p, 0, 1)
