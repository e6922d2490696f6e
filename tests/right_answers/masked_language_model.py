"""Right answers to exercise 14 in unusual forms: loops, einsum, one-hot vectors, other orders of the same steps.

A function or class belongs to the task that its name begins with, up to two underscores in a row.
"""

import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.common import validation as given
from transformer_course.common.tokens import BOS, EOS, PAD, UNK
from transformer_course.masking import padding_mask
from transformer_course.transformer_blocks import EncoderBlock, LayerNorm

SPECIAL = (PAD, BOS, EOS, UNK)


def _require(tokens, mask_id, vocab_size, probability):
    given.require_shape("tokens", tokens, ("batch", "length"))
    given.require_integers("tokens", tokens)
    given.require_share("probability", probability)
    given.require_index("mask_id", mask_id, vocab_size)


def mask_tokens__four_fates(tokens, mask_id, vocab_size, probability=0.15, special_ids=SPECIAL, generator=None):
    """Draw one number for each token, and cut its range into four."""
    _require(tokens, mask_id, vocab_size, probability)
    u = torch.rand(tokens.shape, generator=generator)
    for each in (*special_ids, mask_id):
        u = u.masked_fill(tokens == each, 2.0)
    labels = tokens.clone().long()
    labels[u >= probability] = -100
    weights = torch.ones(vocab_size)
    weights[[each for each in (*special_ids, mask_id) if each < vocab_size]] = 0
    inputs = tokens.clone().long()
    inputs[u < 0.9 * probability] = mask_id
    replaced = u < 0.1 * probability
    if replaced.any():
        inputs[replaced] = torch.multinomial(weights, int(replaced.sum()), replacement=True, generator=generator)
    return [inputs, labels]


def mask_tokens__bernoulli(tokens, mask_id, vocab_size, probability=0.15, special_ids=SPECIAL, generator=None):
    """Draw each choice with bernoulli, 10 % as a half of the 20 % that are not hidden."""
    _require(tokens, mask_id, vocab_size, probability)
    forbidden = sorted({*special_ids, mask_id})
    spared = sum((tokens == each).int() for each in forbidden) > 0
    toss = lambda p: torch.bernoulli(torch.full(tokens.shape, float(p)), generator=generator).bool()  # noqa: E731
    chosen = toss(probability) & ~spared
    hidden, random = toss(0.8), toss(0.5)
    words = torch.tensor(sorted(set(range(vocab_size)) - set(forbidden)))
    drawn = words[(torch.rand(tokens.shape, generator=generator) * len(words)).long()]
    inputs = tokens.long().clone()
    inputs = inputs + (mask_id - inputs) * (chosen & hidden) + (drawn - inputs) * (chosen & ~hidden & random)
    return inputs, tokens.long() * chosen - 100 * (~chosen).long()


class MaskedLanguageModel__one_sentence_at_a_time(nn.Module):
    """Cut the padding off each sentence, so that no mask is needed, where padding stands at the end."""

    def __init__(self, vocab_size, d_model=128, num_heads=4, num_layers=2, d_ff=512, max_length=128, dropout=0.0, pad_id=PAD):  # fmt: skip # noqa: E501
        super().__init__()
        given.require_not_negative("num_layers", num_layers)
        self.pad, self.longest, self.p = pad_id, max_length, dropout
        self.norm = nn.LayerNorm(d_model)
        self.blocks = nn.ModuleList()
        for _ in range(num_layers):
            self.blocks.append(EncoderBlock(d_model, num_heads, d_ff, dropout, "gelu", True))
        self.position, self.token = nn.Embedding(max_length, d_model), nn.Embedding(vocab_size, d_model)

    def encode(self, tokens):
        given.require_shape("tokens", tokens, ("batch", "length"))
        if tokens.shape[1] > self.longest:
            raise ValueError(f"tokens: expected at most max_length = {self.longest}, got {tokens.shape[1]}")
        found = self.token.weight.new_zeros(*tokens.shape, self.token.embedding_dim)
        for row, sentence in enumerate(tokens):
            real = (sentence != self.pad).nonzero()[:, 0]
            x = self.token(sentence[real]) + self.position(real)
            x = F.dropout(x, self.p, self.training)[None]
            for block in self.blocks:
                x = block(x)
            found = found.index_put((torch.tensor(row), real), self.norm(x)[0])
        return found

    def forward(self, tokens):
        return torch.einsum("bld,vd->blv", self.encode(tokens), self.token.weight)


class MaskedLanguageModel__one_hot(nn.Module):
    """Multiply one-hot vectors with the tables, and let functional linear make the logits."""

    def __init__(self, vocab_size, d_model=128, num_heads=4, num_layers=2, d_ff=512, max_length=128, dropout=0.0, pad_id=PAD):  # fmt: skip # noqa: E501
        super().__init__()
        given.require_not_negative("num_layers", num_layers)
        self.token, self.position = nn.Embedding(vocab_size, d_model), nn.Embedding(max_length, d_model)
        self.stack = [
            EncoderBlock(d_model, num_heads, d_ff, dropout, norm_first=True, activation="gelu")
            for _ in range(num_layers)
        ]
        self.blocks, self.norm = nn.ModuleList(self.stack), LayerNorm(d_model)
        self.drop, self.pad_id = nn.Dropout(p=dropout), pad_id

    def encode(self, tokens):
        given.require_shape("tokens", tokens, ("batch", "length"))
        size, length = len(self.position.weight), tokens.shape[1]
        if length > size:
            raise ValueError(f"tokens: expected at most max_length = {size} tokens, got {length}")
        words = F.one_hot(tokens, len(self.token.weight)).to(self.token.weight.dtype) @ self.token.weight
        x = self.drop(words + self.position.weight.narrow(0, 0, length))
        mask = padding_mask(tokens, self.pad_id).expand(-1, 1, length, length)
        for block in self.stack:
            x = block(x, mask=mask)
        return self.norm(x)

    def forward(self, tokens):
        return F.linear(self.encode(tokens), self.token.weight)


def _require_pool(hidden, mask):
    given.require_shape("hidden", hidden, ("batch", "length", "d"))
    given.require_floating("hidden", hidden)
    given.require_shape("mask", mask, tuple(hidden.shape[:2]))
    given.require_mask(mask, tuple(hidden.shape[:2]))


def mean_pool__einsum(hidden, mask):
    """Share out a weight of 1 among the real words, and multiply."""
    _require_pool(hidden, mask)
    real = mask.to(hidden.dtype)
    weights = real / real.sum(1, keepdim=True).clamp(min=1)
    return torch.einsum("bl,bld->bd", weights, torch.where(mask[..., None], hidden, 0.0))


def mean_pool__sentences(hidden, mask):
    """Go through the sentences."""
    _require_pool(hidden, mask)
    rows = []
    for vectors, real in zip(hidden, mask, strict=True):
        kept = vectors[real]
        rows.append(kept.mean(dim=0) if len(kept) else vectors.new_zeros(vectors.shape[-1]))
    return torch.stack(rows)


class SentenceClassifier__head_first(nn.Module):
    """Let the head read each word, and average its answers over the real words: the same, since both are linear."""

    def __init__(self, encoder, d_model, num_classes):
        super().__init__()
        given.require_positive("d_model", d_model)
        given.require_positive("num_classes", num_classes)
        self.head, self.encoder = nn.Linear(d_model, num_classes), encoder

    def forward(self, tokens):
        real = (tokens != getattr(self.encoder, "pad_id", 0)).unsqueeze(-1)
        each = self.head(self.encoder.encode(tokens)).masked_fill(~real, 0.0)
        return each.sum(1) / real.sum(1).clamp(min=1) + ~real.any(1) * self.head.bias


class SentenceClassifier__loop(nn.Module):
    """Judge one sentence after the other."""

    def __init__(self, encoder, d_model, num_classes):
        super().__init__()
        given.require_positive("d_model", d_model)
        given.require_positive("num_classes", num_classes)
        self.encoder = encoder
        self.head = nn.Linear(in_features=d_model, out_features=num_classes)
        self.pad_id = encoder.pad_id if hasattr(encoder, "pad_id") else PAD

    def forward(self, tokens):
        hidden = self.encoder.encode(tokens)
        sums = [x[row != self.pad_id].sum(0) for x, row in zip(hidden, tokens, strict=True)]
        means = [total / max(1, int((row != self.pad_id).sum())) for total, row in zip(sums, tokens, strict=True)]
        return self.head(torch.stack(means))


def _require_tokens(tokens):
    given.require_shape("tokens", tokens, ("batch", "length"))
    given.require_integers("tokens", tokens)


def pseudo_log_likelihood__cross_entropy(model, tokens, mask_id):
    """Go through all words of all sentences, one call for each, and add up cross entropies."""
    _require_tokens(tokens)
    mode, pad_id = model.training, getattr(model, "pad_id", PAD)
    model.eval()
    losses = torch.zeros(tokens.shape, dtype=torch.float64)
    with torch.inference_mode():
        for row, place in (tokens != pad_id).nonzero().tolist():
            question = tokens[row : row + 1].clone()
            question[0, place] = mask_id
            losses[row, place] = F.cross_entropy(model(question)[0, place], tokens[row, place])
    model.train(mode)
    return -losses.sum(-1)


def pseudo_log_likelihood__one_call(model, tokens, mask_id):
    """Make a square of copies, with the diagonal hidden."""
    _require_tokens(tokens)
    mode, (batch, length) = model.training, tokens.shape
    real = tokens.ne(getattr(model, "pad_id", PAD))
    diagonal = torch.eye(length, dtype=torch.bool) & real.unsqueeze(-1)
    square = tokens.unsqueeze(1).expand(batch, length, length).masked_fill(diagonal, mask_id)
    with torch.no_grad():
        logits = model.eval()(square.reshape(-1, length)).view(batch, length, length, -1)
    model.train(mode)
    own = logits.diagonal(dim1=1, dim2=2).movedim(-1, 1)  # (batch, length, vocab_size)
    found = own.gather(2, tokens[..., None])[..., 0] - own.logsumexp(-1)
    return (found * real).sum(1)


def fixed_scores__square(model, tokens, mask_id):
    """Make a square of copies, with the diagonal hidden."""
    batch, length = tokens.shape
    real = tokens != PAD
    square = tokens[:, None].repeat(1, length, 1)
    square[:, torch.arange(length), torch.arange(length)] = torch.where(real, mask_id, tokens)
    with torch.no_grad():
        logits = model(square.flatten(0, 1)).unflatten(0, (batch, length))
    losses = F.cross_entropy(logits.diagonal(dim1=1, dim2=2), tokens, reduction="none")
    return -(losses * real).sum(dim=1)


def fixed_scores__real_words_alone(model, tokens, mask_id):
    """Make a copy for each real word, and none for padding."""
    rows, places = (tokens != PAD).nonzero(as_tuple=True)
    copies = tokens[rows]
    copies[torch.arange(len(rows)), places] = mask_id
    with torch.no_grad():
        said = model(copies)[torch.arange(len(rows)), places].log_softmax(-1)
    found = said[torch.arange(len(rows)), tokens[rows, places]]
    return torch.zeros(len(tokens), dtype=found.dtype).index_add(0, rows, found)


def fill_gaps__sorted(model, tokens, mask_id):
    """Go through one sentence after the other, and through its gaps by certainty."""
    mode, rows = model.training, []
    model.eval()
    for row in tokens:
        row = row.clone()[None]
        while (places := (row[0] == mask_id).nonzero()[:, 0]).numel():
            with torch.no_grad():
                said = model(row)[0, places].softmax(-1)
            said[:, mask_id] = 0
            number = int(said.argmax())
            row[0, places[number // said.shape[1]]] = number % said.shape[1]
        rows.append(row[0])
    model.train(mode)
    return torch.stack(rows)


def fill_gaps__one_place_for_each(model, tokens, mask_id):
    """Let all sentences take a step together, as long as one of them has a gap."""
    mode = model.training
    model.train(False)
    for _ in range(tokens.shape[1]):
        gaps = tokens == mask_id
        with torch.no_grad():
            logits = model(tokens)
        probabilities = logits.softmax(-1) * gaps[..., None]
        probabilities = probabilities * (torch.arange(logits.shape[-1]) != mask_id)
        best, place = probabilities.amax(-1).max(-1)
        word = probabilities[torch.arange(len(tokens)), place].argmax(-1)
        now = tokens.clone()
        now[torch.arange(len(tokens)), place] = torch.where(best > 0, word, now[torch.arange(len(tokens)), place])
        tokens = now
    model.train(mode)
    return tokens
