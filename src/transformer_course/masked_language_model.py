"""Chapter 14: a masked language model, which reads in both directions and fills gaps.

Source: Devlin et al. (2019), "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
section 3; Salazar et al. (2020), "Masked Language Model Scoring", section 2.

``mask_tokens`` makes a question of any sentence, without labels from people; ``MaskedLanguageModel`` learns to answer.
What it has learned serves twice: ``SentenceClassifier`` puts a linear layer on the mean of its vectors (``mean_pool``),
and ``pseudo_log_likelihood`` asks how well each word of a sentence fits the others.

Dimension names: ``batch``, ``length``, ``d_model`` the width of the model, ``vocab_size``.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from transformer_course.common.modes import evaluating
from transformer_course.common.tokens import BOS, EOS, PAD, UNK
from transformer_course.common.validation import (
    require_floating,
    require_index,
    require_integers,
    require_mask,
    require_not_negative,
    require_not_padding,
    require_positive,
    require_shape,
    require_share,
    require_within,
)
from transformer_course.masking import padding_mask
from transformer_course.transformer_blocks import EncoderBlock, LayerNorm

SPECIAL_IDS = (PAD, BOS, EOS, UNK)
NOT_ASKED = -100
"""The label of a position that is not in the loss: the default ``ignore_index`` of torch's cross entropy."""


def mask_tokens(
    tokens: Tensor,
    mask_id: int,
    vocab_size: int,
    probability: float = 0.15,
    special_ids: Sequence[int] = SPECIAL_IDS,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """Make a question of a sentence: choose some of its words, hide most of these, and ask for all of them.

    Of the chosen tokens 80 % become ``mask_id``, 10 % a token drawn at random (perhaps the same), and 10 % stay as they
    are.

    Source: Devlin et al. (2019), section 3.1, task 1, and appendix A.1.

    Args:
        tokens: ``(batch, length)``, integers.
        mask_id: the token that says "hidden"; it is never chosen and never drawn.
        vocab_size: random tokens are below it.
        probability: with which each token is chosen that is not special.
        special_ids: tokens that are never chosen and never drawn.
        generator: makes the choice repeatable.

    Returns:
        The inputs and the labels, both int64 ``(batch, length)``; a label is the original token where it was chosen,
        and -100 elsewhere. In a short batch it may be that none is chosen, and the mean of the losses is then NaN.

    Raises:
        ValueError: if all of the vocabulary is special.

    >>> inputs, labels = mask_tokens(torch.tensor([[5, 6, PAD]]), mask_id=4, vocab_size=9, probability=1.0)
    >>> labels
    tensor([[   5,    6, -100]])
    """
    require_share("probability", probability)
    chosen = torch.rand(tokens.shape, generator=generator, device=tokens.device) < probability
    chosen &= ~torch.isin(tokens, torch.tensor([*special_ids, mask_id], device=tokens.device))
    return corrupt(tokens, chosen, mask_id, vocab_size, (0.8, 0.1), special_ids, generator)


def corrupt(
    tokens: Tensor,
    chosen: Tensor,
    mask_id: int,
    vocab_size: int,
    shares: tuple[float, float],
    special_ids: Sequence[int] = SPECIAL_IDS,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """Hide the chosen tokens, replace them, or leave them, with these shares.

    Whatever is chosen is changed, special tokens too: ``mask_tokens`` does not choose them.

    Args:
        tokens: ``(batch, length)``, integers.
        chosen: ``(batch, length)``, bool.
        mask_id: the token that says "hidden".
        vocab_size: random tokens are below it.
        shares: what share of the chosen tokens becomes ``mask_id``, and what share a random token; the rest stays.
        special_ids: tokens that are never drawn.
        generator: makes the choice repeatable.

    Returns:
        The inputs and the labels, as from :func:`mask_tokens`.

    Raises:
        ValueError: if all of the vocabulary is special.
    """
    require_shape("tokens", tokens, ("batch", "length"))
    require_integers("tokens", tokens)
    require_shape("chosen", chosen, tuple(tokens.shape))
    require_mask(chosen, tuple(tokens.shape), "chosen")
    require_share("shares[0] + shares[1]", sum(shares))
    require_within("shares", min(shares), 0)
    require_index("mask_id", mask_id, vocab_size)
    ordinary = torch.arange(vocab_size, device=tokens.device)
    ordinary = ordinary[~torch.isin(ordinary, torch.tensor([*special_ids, mask_id], device=tokens.device))]
    if len(ordinary) == 0:
        raise ValueError(f"special_ids: expected to leave an ordinary token below vocab_size = {vocab_size}, got none")
    draw = torch.rand(tokens.shape, generator=generator, device=tokens.device)
    drawn = ordinary[torch.randint(len(ordinary), tokens.shape, generator=generator, device=tokens.device)]
    masked, replaced = draw < shares[0], (draw >= shares[0]) & (draw < sum(shares))
    inputs = torch.where(chosen & masked, mask_id, torch.where(chosen & replaced, drawn, tokens.long()))
    return inputs, torch.where(chosen, tokens.long(), NOT_ASKED)


class MaskedLanguageModel(nn.Module):
    """Read a sentence in both directions, and say for each position which word stands there.

    Word and position are added, pre-norm blocks of chapter 09 read the sentence under its padding mask, and the
    embedding matrix of the words serves once more to compare what comes out with each word.

    Source: Devlin et al. (2019), section 3; pre-norm as in Xiong et al. (2020), "On Layer Normalization in the
    Transformer Architecture". There are no segment embeddings, and the output layer is the embedding matrix alone,
    without BERT's layer before it and bias after it.

    Args:
        vocab_size: number of different tokens.
        d_model: width of the model.
        num_heads: a divisor of d_model.
        num_layers: number of blocks; 0 or more.
        d_ff: width inside the feed-forward networks, whose activation is GELU.
        max_length: longest sentence, in tokens.
        dropout: probability of dropout in training.
        pad_id: the token that fills the short sentences.
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
        pad_id: int = PAD,
    ):
        super().__init__()
        require_positive("vocab_size", vocab_size)
        require_positive("d_model", d_model)
        require_positive("max_length", max_length)
        require_not_negative("num_layers", num_layers)
        self.d_model, self.max_length, self.pad_id = d_model, max_length, pad_id
        self.token = nn.Embedding(vocab_size, d_model)
        self.position = nn.Embedding(max_length, d_model)
        self.dropout = nn.Dropout(dropout)
        self.blocks = nn.ModuleList(
            EncoderBlock(d_model, num_heads, d_ff, dropout, activation="gelu", norm_first=True)
            for _ in range(num_layers)
        )
        self.norm = LayerNorm(d_model)
        for embedding in (self.token, self.position):
            nn.init.normal_(embedding.weight, std=d_model**-0.5)  # so that logits begin about as large as 1

    def encode(self, tokens: Tensor) -> Tensor:
        """Read: token ids ``(batch, length)`` to one vector for each word ``(batch, length, d_model)``."""
        require_shape("tokens", tokens, ("batch", "length"))
        if tokens.shape[1] > self.max_length:
            raise ValueError(f"tokens: expected at most max_length = {self.max_length} tokens, got {tokens.shape[1]}")
        mask = padding_mask(tokens, self.pad_id)  # (batch, 1, 1, length)
        x = self.token(tokens) + self.position.weight[: tokens.shape[1]]  # (batch, length, d_model)
        x = self.dropout(x)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x)

    def forward(self, tokens: Tensor) -> Tensor:
        """Say for each position which word stands there: logits ``(batch, length, vocab_size)``."""
        return self.encode(tokens) @ self.token.weight.T  # (batch, length, vocab_size)


def mean_pool(hidden: Tensor, mask: Tensor) -> Tensor:
    """Make one vector of a sentence: the mean over its real words.

    Source: Reimers & Gurevych (2019), "Sentence-BERT", section 3, strategy MEAN.

    Args:
        hidden: ``(batch, length, d)``, floating.
        mask: ``(batch, length)``, bool; True for a real word. Whatever stands at the other positions has no effect.

    Returns:
        The means ``(batch, d)``; zeros for a row without a real word.

    >>> mean_pool(torch.tensor([[[1.0, 2.0], [3.0, 4.0], [9.0, 9.0]]]), torch.tensor([[True, True, False]]))
    tensor([[2., 3.]])
    """
    require_shape("hidden", hidden, ("batch", "length", "d"))
    require_floating("hidden", hidden)
    require_shape("mask", mask, tuple(hidden.shape[:2]))
    require_mask(mask, tuple(hidden.shape[:2]))
    total = hidden.masked_fill(~mask.unsqueeze(-1), 0).sum(dim=1)  # (batch, d)
    return total / mask.sum(dim=1, keepdim=True).clamp(min=1)


class SentenceClassifier(nn.Module):
    """Give a sentence one of a few labels: read it, take the mean of its words, and one linear layer.

    Source: Devlin et al. (2019), section 3, figure 1 right, with the mean in the place of the vector of [CLS].

    Args:
        encoder: a module with ``encode(tokens) -> (batch, length, d_model)``, such as a ``MaskedLanguageModel``; its
            attribute ``pad_id``, if there is one, says what padding is.
        d_model: the width of what it returns.
        num_classes: number of labels.
    """

    def __init__(self, encoder: nn.Module, d_model: int, num_classes: int):
        super().__init__()
        require_positive("d_model", d_model)
        require_positive("num_classes", num_classes)
        self.encoder = encoder
        self.head = nn.Linear(d_model, num_classes)

    def forward(self, tokens: Tensor) -> Tensor:
        """Judge sentences: token ids ``(batch, length)`` to logits ``(batch, num_classes)``."""
        real = tokens != getattr(self.encoder, "pad_id", PAD)  # (batch, length)
        return self.head(mean_pool(self.encoder.encode(tokens), real))  # (batch, num_classes)


def pseudo_log_likelihood(model: nn.Module, tokens: Tensor, mask_id: int) -> Tensor:
    """Add up how well a model guesses each word of a sentence from all the others.

    Every token but padding counts as a word. So give sentences without BOS and EOS: ``mask_tokens`` never asks for
    these, and what a model says of them has not been learned.

    Source: Salazar et al. (2020), section 2, equation 1.

    Args:
        model: ``model(tokens) -> logits (batch, length, vocab_size)``; its attribute ``pad_id``, if there is one, says
            what padding is. It is run in evaluation mode and without a gradient; each module comes back in its mode.
        tokens: ``(batch, length)``, integers.
        mask_id: the token that says "hidden".

    Returns:
        The sums of log probabilities, in nats, ``(batch,)``; 0 for a row without a real word.
    """
    require_shape("tokens", tokens, ("batch", "length"))
    require_integers("tokens", tokens)
    require_not_padding("mask_id", mask_id, getattr(model, "pad_id", PAD))
    real = tokens != getattr(model, "pad_id", PAD)  # (batch, length)
    guessed = []
    with torch.no_grad(), evaluating(model):
        for position in range(tokens.shape[1]):
            masked = tokens.clone()
            # Padding stays padding: a `mask_id` there would be seen by the other words.
            masked[:, position] = torch.where(real[:, position], mask_id, tokens[:, position])
            log_probabilities = model(masked)[:, position].log_softmax(dim=-1)  # (batch, vocab_size)
            guessed.append(log_probabilities.gather(1, tokens[:, position, None].long())[:, 0])
    if not guessed:
        return torch.zeros(tokens.shape[0], device=tokens.device)
    return torch.stack(guessed, dim=1).where(real, 0).sum(dim=1)
