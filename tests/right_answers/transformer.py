"""Right answers to exercise 10 in unusual forms: loops, own masks, other orders of the same steps.

A function or class belongs to the task that its name begins with, up to two underscores in a row.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.common.validation import require_positive, require_positive_number, require_shape
from transformer_course.positional_encoding import TransformerEmbedding
from transformer_course.transformer_blocks import DecoderBlock, EncoderBlock, LayerNorm


class _Parts(nn.Module):
    """The layers, made in another order; without last norms where there is nothing to learn."""

    def __init__(self, source_vocab_size, target_vocab_size, d_model=512, num_heads=8, num_encoder_layers=6,
                 num_decoder_layers=6, d_ff=2048, dropout=0.1, norm_first=False, max_length=512, tie_weights=False,
                 pad_id=0):  # fmt: skip
        super().__init__()
        if min(num_encoder_layers, num_decoder_layers) < 0:
            raise ValueError("num_encoder_layers, num_decoder_layers: expected 0 or more")
        self.norm_first, self.padding, sizes = norm_first, pad_id, (d_model, num_heads, d_ff, dropout)
        self.output_layer = nn.Linear(d_model, target_vocab_size)
        self.decoder_blocks, self.encoder_blocks = nn.ModuleList(), nn.ModuleList()
        for _ in range(num_decoder_layers):
            self.decoder_blocks.append(DecoderBlock(*sizes, norm_first=norm_first))
        for _ in range(num_encoder_layers):
            self.encoder_blocks.append(EncoderBlock(*sizes, norm_first=norm_first))
        if norm_first:
            self.encoder_norm, self.decoder_norm = LayerNorm(d_model), LayerNorm(d_model)
        self.target_embedding = TransformerEmbedding(target_vocab_size, d_model, max_length, dropout, pad_id)
        if tie_weights:
            self.target_embedding.token.weight = self.output_layer.weight
        if tie_weights and source_vocab_size == target_vocab_size:
            self.source_embedding = self.target_embedding
        else:
            self.source_embedding = TransformerEmbedding(source_vocab_size, d_model, max_length, dropout, pad_id)


class Transformer__own_masks(_Parts):
    """Make a mask for each pair of sentence and query, with loops; target padding is not looked at."""

    def encode(self, source):
        """Read."""
        x, mask = (
            self.source_embedding(source),
            (source != self.padding)[:, None, None, :].repeat(1, 1, source.shape[1], 1),
        )
        for block in self.encoder_blocks:
            x = block(x, mask)
        return self.encoder_norm(x) if self.norm_first else x

    def decode(self, target, memory, source):
        """Write."""
        require_shape("target", target, (source.shape[0], "length"))
        require_shape("memory", memory, (*source.shape, "d_model"))
        length = target.shape[1]
        mask = torch.tensor([[key <= query for key in range(length)] for query in range(length)]).view(length, length)
        x = self.target_embedding(target)
        for block in self.decoder_blocks:
            x = block(x, memory, mask, torch.stack([row != self.padding for row in source])[:, None, None])
        return self.output_layer(self.decoder_norm(x) if self.norm_first else x)

    def forward(self, source, target):
        """Read, then write."""
        return self.decode(target=target, source=source, memory=self.encode(source))


class Transformer__one_sentence_at_a_time(Transformer__own_masks):
    """Cut the padding off where there is some, so that it needs no mask for it."""

    def encode(self, source):
        """Read one sentence after the other."""
        rows = []
        for row in source:
            real = row[row != self.padding] if (row != self.padding).any() else row
            said = super().encode(real[None])[0]
            rows.append(F.pad(said, (0, 0, 0, len(row) - len(real))))
        return torch.stack(rows)


def noam_learning_rate__two_branches(step, d_model, warmup_steps=4000):
    """Go up to the peak, and down from it."""
    for name, number in (("step", step), ("d_model", d_model), ("warmup_steps", warmup_steps)):
        require_positive(name, number)
    scale = 1 / math.sqrt(d_model)
    return scale * step / warmup_steps**1.5 if step <= warmup_steps else scale / math.sqrt(step)


def noam_learning_rate__logarithms(step, d_model, warmup_steps=4000):
    """Add logarithms."""
    for name, number in (("step", step), ("d_model", d_model), ("warmup_steps", warmup_steps)):
        require_positive(name, number)
    log = math.log(step)
    return math.exp(min(-log / 2, log - 1.5 * math.log(warmup_steps)) - math.log(d_model) / 2)


def train_step__cross_entropy(model, source, target, optimizer, smoothing=0.1, max_grad_norm=1.0):
    """Slice the target, use torch's loss, and leave the model in evaluation mode."""
    require_positive_number("max_grad_norm", max_grad_norm)
    model.zero_grad()
    logits = model.train()(source, target[:, :-1])
    loss = F.cross_entropy(logits.mT, target[:, 1:], ignore_index=0, label_smoothing=smoothing)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_grad_norm)
    optimizer.step()
    model.eval()
    return float(loss)


def train_step__clipped_by_hand(model, source, target, optimizer, smoothing=0.1, max_grad_norm=1.0):
    """Go through the labels with a loop, and shorten one long vector by hand."""
    require_positive_number("max_grad_norm", max_grad_norm)
    model.train()
    log_p, losses = model(source, target[:, :-1]).log_softmax(-1), []
    for row, column in (target[:, 1:] != 0).nonzero().tolist():
        p = log_p[row, column]
        losses.append(-(1 - smoothing) * p[target[row, column + 1]] - smoothing * p.mean())
    loss = torch.stack(losses).mean()
    weights = list(model.parameters())
    found = torch.autograd.grad(loss, weights)
    norm = torch.cat([each.flatten() for each in found]).norm()
    for weight, each in zip(weights, found, strict=True):
        weight.grad = each * max_grad_norm / norm if norm > max_grad_norm else each
    optimizer.step()
    return loss.item()


def share_translated__greedy_decode(model, source, target):
    """Use greedy_decode, with the words so far in the state."""
    from transformer_course.rnn_encoder_decoder import greedy_decode

    def step(tokens, state):
        written = torch.cat([state[0], tokens[:, None]], dim=1)
        return model.decode(written, state[1], source)[:, -1], (written, state[1])

    model.eval()
    written = greedy_decode(step, (target[:, :0], model.encode(source)), len(source), target.shape[1] - 1)
    padded = F.pad(written, (0, target.shape[1] - 1 - written.shape[1]))
    return (padded == target[:, 1:]).all(dim=1).float().mean().item()


def share_translated__prefixes(model, source, target):
    """Show the model right words, but never the next one: the first mistake ends a sentence in either way."""
    right = torch.ones(len(source), dtype=torch.bool)
    memory = model.train(False).encode(source)
    for length in range(1, target.shape[1]):
        following = model.decode(target[:, :length], memory, source)[:, -1].argmax(-1)
        right &= (following == target[:, length]) | (target[:, length] == 0)
    return right.sum().item() / len(right)


class FixedTransformer__whole_masks(nn.Module):
    """Expand the masks, and hide padding of the target too."""

    def __init__(self, vocab_size, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        self.output, self.embedding = nn.Linear(d_model, vocab_size), TransformerEmbedding(vocab_size, d_model)
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, d_ff) for _ in range(num_layers))
        self.encoder = nn.Sequential(*(EncoderBlock(d_model, num_heads, d_ff) for _ in range(num_layers)))

    def forward(self, source, target):
        """Read and write."""
        keys, length = (source != 0)[:, None, None], target.shape[1]
        memory, x = self.embedding(source), self.embedding(target)
        for block in self.encoder:
            memory = block(memory, keys)
        mask = (target != 0)[:, None, None] & ~torch.ones(length, length, dtype=torch.bool).triu(1)
        for block in self.decoder:
            x = block(x, memory, mask, keys.expand(-1, -1, length, -1))
        return self.output(x)


class FixedTransformer__own_positions(FixedTransformer__whole_masks):
    """Keep a plain table, and add positions beside it."""

    def __init__(self, vocab_size, d_model, num_heads, num_layers, d_ff):
        super().__init__(vocab_size, d_model, num_heads, num_layers, d_ff)
        from transformer_course.positional_encoding import sinusoidal_encoding

        self.embedding, d = nn.Embedding(vocab_size, d_model), d_model
        self.embedding.register_forward_hook(lambda _, i, x: x * d**0.5 + sinusoidal_encoding(i[0].shape[1], d))
