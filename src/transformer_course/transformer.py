"""Chapter 10: the Transformer, and one step of its training.

``Transformer`` puts the earlier chapters together: embeddings with positions (08), blocks (09), masks (06).
``train_step`` shows the model one batch: at each position it has read the right answer so far and is asked for the
next token (01). ``noam_learning_rate`` is the schedule of the paper, for an optimiser with learning rate 1:
``LambdaLR(optimizer, lambda step: noam_learning_rate(step + 1, d_model))``.

Source: Vaswani et al. (2017), "Attention Is All You Need", sections 3 and 5.

Dimension names: ``batch``, ``source_length``, ``target_length``, ``d_model`` the width of the model.
"""

from torch import Tensor, nn
from torch.optim import Optimizer

from transformer_course.common.tokens import PAD
from transformer_course.common.validation import (
    may_look_inside,
    require_not_negative,
    require_positive,
    require_positive_number,
    require_shape,
)
from transformer_course.masking import padding_mask
from transformer_course.positional_encoding import TransformerEmbedding
from transformer_course.sequence_transduction import label_smoothing_loss, teacher_forcing_pair
from transformer_course.transformer_blocks import DecoderBlock, EncoderBlock, LayerNorm


class Transformer(nn.Module):
    """Read a sentence with a stack of encoder blocks, write another with a stack of decoder blocks.

    The decoder hides the padding of the source. That of the target comes after the last real token, so the causal mask
    hides it from every real token already (chapter 06).

    Source: Vaswani et al. (2017), section 3, figure 1; section 3.4 and Press & Wolf (2017), "Using the Output Embedding
    to Improve Language Models", for ``tie_weights``.

    Args:
        source_vocab_size: number of different source tokens.
        target_vocab_size: number of different target tokens.
        d_model: width of the model.
        num_heads: a divisor of d_model.
        num_encoder_layers: blocks that read.
        num_decoder_layers: blocks that write.
        d_ff: width inside the feed-forward networks.
        dropout: probability of dropout in training.
        norm_first: pre-norm, with one more norm at the end of each stack; else post-norm.
        max_length: longest sentence, in tokens.
        tie_weights: use one matrix as target embedding and output layer, and as source embedding too if the two
            vocabularies are equal in size: they are then taken for the same one. It starts as an embedding does.
        pad_id: the token that fills the short sentences.
        activation: of the feed-forward networks, as in ``FeedForward``.
    """

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
        d_model: int = 512,
        num_heads: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        d_ff: int = 2048,
        dropout: float = 0.1,
        norm_first: bool = False,
        max_length: int = 512,
        tie_weights: bool = False,
        pad_id: int = PAD,
        activation: str = "relu",
    ):
        super().__init__()
        _check_sizes(source_vocab_size, target_vocab_size, num_encoder_layers, num_decoder_layers)
        self.d_model, self.max_length, self.pad_id = d_model, max_length, pad_id
        self.source_embedding = TransformerEmbedding(source_vocab_size, d_model, max_length, dropout, pad_id)
        self.target_embedding = TransformerEmbedding(target_vocab_size, d_model, max_length, dropout, pad_id)
        settings = (d_model, num_heads, d_ff, dropout, activation, norm_first)
        self.encoder_blocks = nn.ModuleList(EncoderBlock(*settings) for _ in range(num_encoder_layers))
        self.decoder_blocks = nn.ModuleList(DecoderBlock(*settings) for _ in range(num_decoder_layers))
        # In the paper's order, post-norm, every block already ends with a norm.
        self.encoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()
        self.decoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()
        self.output_layer = nn.Linear(d_model, target_vocab_size)
        nn.init.xavier_uniform_(self.output_layer.weight)
        nn.init.zeros_(self.output_layer.bias)
        if tie_weights:
            self.output_layer.weight = self.target_embedding.token.weight
            if source_vocab_size == target_vocab_size:
                self.source_embedding.token.weight = self.target_embedding.token.weight

    def encode(self, source: Tensor) -> Tensor:
        """Read: token ids ``(batch, source_length)`` to the memory ``(batch, source_length, d_model)``.

        Raises:
            ValueError: if a sentence is longer than max_length.
        """
        self._check_tokens("source", source)
        mask = padding_mask_or_none(source, self.pad_id)
        x = self.source_embedding(source)  # (batch, source_length, d_model)
        for block in self.encoder_blocks:
            x = block(x, mask)
        return self.encoder_norm(x)

    def decode(self, target: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        """Say at each position of the target which token would come next.

        Args:
            target: token ids ``(batch, target_length)``, BOS first.
            memory: ``(batch, source_length, d_model)``, from ``encode(source)``.
            source: token ids ``(batch, source_length)``, only to hide its padding.

        Returns:
            The logits ``(batch, target_length, target_vocab_size)``.

        Raises:
            ValueError: if a sentence is longer than max_length.
        """
        self._check_tokens("source", source)
        self._check_tokens("target", target, batch=source.shape[0])
        require_shape("memory", memory, (*source.shape, self.d_model))
        memory_mask = padding_mask_or_none(source, self.pad_id)
        x = self.target_embedding(target)  # (batch, target_length, d_model)
        for block in self.decoder_blocks:
            x = block(x, memory, None, memory_mask, is_causal=True)
        return self.output_layer(self.decoder_norm(x))  # (batch, target_length, target_vocab_size)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Read the source and say at each position of the target which token would come next.

        Args:
            source: token ids ``(batch, source_length)``.
            target: token ids ``(batch, target_length)``, BOS first.

        Returns:
            The logits ``(batch, target_length, target_vocab_size)``.

        Raises:
            ValueError: if a sentence is longer than max_length.
        """
        return self.decode(target, self.encode(source), source)

    def _check_tokens(self, name: str, tokens: Tensor, batch: int | str = "batch") -> None:
        require_shape(name, tokens, (batch, "length"))
        if tokens.shape[1] > self.max_length:
            raise ValueError(f"{name}: expected at most max_length = {self.max_length} tokens, got {tokens.shape[1]}")


def padding_mask_or_none(tokens: Tensor, pad_id: int = PAD) -> Tensor | None:
    """Make the padding mask, or None where there is no padding to be seen: attention is faster without a mask.

    Only the CPU's tokens are looked at, for a GPU would have to finish its work first; there is always a mask there.

    Args:
        tokens: ``(batch, length)``, integers.
        pad_id: the token that fills the short sentences.

    Returns:
        The mask ``(batch, 1, 1, length)``, bool, True = may be attended to; or None.
    """
    mask = padding_mask(tokens, pad_id)
    return None if may_look_inside(mask) and mask.all() else mask


def noam_learning_rate(step: int, d_model: int, warmup_steps: int = 4000) -> float:
    """Let the learning rate rise in a line during the warm-up, then fall as one over the root of the step.

    Source: Vaswani et al. (2017), section 5.3, equation 3.

    Args:
        step: number of the update, counted from 1.
        d_model: width of the model.
        warmup_steps: the step with the highest rate.

    Returns:
        The learning rate.

    >>> f"{noam_learning_rate(4000, d_model=512):.3e}"
    '6.988e-04'
    """
    require_positive("step", step)
    require_positive("d_model", d_model)
    require_positive("warmup_steps", warmup_steps)
    return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)


def train_step(
    model: nn.Module,
    source: Tensor,
    target: Tensor,
    optimizer: Optimizer,
    smoothing: float = 0.1,
    max_grad_norm: float = 1.0,
) -> float:
    """Show the model one batch of translations and change its weights once.

    Source: Vaswani et al. (2017), sections 5.3 and 5.4; Pascanu et al. (2013), "On the difficulty of training
    recurrent neural networks", section 3.2, for the clipping.

    Args:
        model: ``model(source, target_input) -> logits (batch, target_length - 1, target_vocab_size)``; its attribute
            ``pad_id``, if there is one, says what padding is. The model is left in train mode.
        source: token ids ``(batch, source_length)``.
        target: token ids ``(batch, target_length)``, the course's BOS first.
        optimizer: holds the model's parameters.
        smoothing: share of probability that the labels spread over the whole vocabulary.
        max_grad_norm: gradients longer than this, taken together, are shortened to it.

    Returns:
        The loss before the update, with smoothing, in nats per target token.
    """
    require_positive_number("max_grad_norm", max_grad_norm)
    model.train()
    target_input, labels = teacher_forcing_pair(target)
    optimizer.zero_grad()
    logits = model(source, target_input)  # (batch, target_length - 1, target_vocab_size)
    loss = label_smoothing_loss(logits, labels, smoothing, getattr(model, "pad_id", PAD))
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
    optimizer.step()
    return loss.item()


def _check_sizes(source_vocab_size: int, target_vocab_size: int, num_encoder: int, num_decoder: int) -> None:
    require_positive("source_vocab_size", source_vocab_size)
    require_positive("target_vocab_size", target_vocab_size)
    require_not_negative("num_encoder_layers", num_encoder)
    require_not_negative("num_decoder_layers", num_decoder)
