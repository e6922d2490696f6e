"""Right answers to exercise 13 in unusual forms: loops, other orders of the same steps, drawing by hand.

A function or class belongs to the task that its name begins with, up to two underscores in a row.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.common.validation import (
    require_dimensions,
    require_floating,
    require_long,
    require_positive,
    require_shape,
    require_within,
)
from transformer_course.transformer_blocks import EncoderBlock


def _require_batch(tokens, starts, length):
    require_long("tokens", tokens)
    require_shape("tokens", tokens, ("num_tokens",))
    require_positive("length", length)
    if starts.numel() > 0:
        require_within("starts", int(starts.min()), 0)
        require_within("starts", int(starts.max()), 0, len(tokens) - length - 1)


def next_token_batch__a_loop(tokens, starts, length):
    """Slice piece by piece, and stack; a list for a tuple."""
    _require_batch(tokens, starts, length)
    pieces = [tokens[start : start + length + 1] for start in starts.tolist()]
    both = torch.stack(pieces) if pieces else tokens.new_zeros(0, length + 1)
    return [both[:, :-1], both[:, 1:]]


def next_token_batch__windows(tokens, starts, length):
    """Take all windows of the text at once, and choose."""
    _require_batch(tokens, starts, length)
    chosen = tokens.unfold(0, length + 1, 1).index_select(0, starts)
    return chosen[..., :length].contiguous(), chosen[..., 1:].clone()


class LanguageModel__torch_norm_and_product(nn.Module):
    """Make the layers in another order, one position at a time; the output is `F.linear`."""

    def __init__(self, vocab_size, d_model=128, num_heads=4, num_layers=2, d_ff=512, max_length=128, dropout=0.0):
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.blocks = nn.ModuleList()
        for _ in range(num_layers):
            self.blocks.append(EncoderBlock(d_model, num_heads, d_ff, dropout, "gelu", True))
        self.position = nn.Embedding(max_length, d_model)
        self.token = nn.Embedding(vocab_size, d_model)
        self.probability, self.longest = dropout, max_length

    def forward(self, tokens):
        """Look positions up by slicing, and compare with einsum."""
        require_long("tokens", tokens)
        require_shape("tokens", tokens, ("batch", "length"))
        require_within("length of tokens", tokens.shape[1], 0, self.longest)
        n = tokens.shape[1]
        x = F.embedding(tokens, self.token.weight) + self.position.weight[None, :n]
        x = F.dropout(x, self.probability, self.training)
        mask = torch.tensor([[j <= i for j in range(n)] for i in range(n)]).view(1, 1, n, n)
        for block in self.blocks:
            x = block(x, mask)
        return torch.einsum("bnd,vd->bnv", self.norm(x), self.token.weight)


class LanguageModel__is_causal(nn.Module):
    """Ask the blocks to be causal, and share the matrix with a linear layer that is made in each call."""

    def __init__(self, vocab_size, d_model=128, num_heads=4, num_layers=2, d_ff=512, max_length=128, dropout=0.0):
        super().__init__()
        made = [EncoderBlock(d_model, num_heads, d_ff, dropout, "gelu", norm_first=True) for _ in range(num_layers)]
        self.token, self.position = nn.Embedding(vocab_size, d_model), nn.Embedding(max_length, d_model)
        self.blocks, self.norm, self.drop = nn.ModuleList(made), nn.LayerNorm(d_model), nn.Dropout(dropout)

    def forward(self, tokens):
        """Chain the blocks."""
        require_long("tokens", tokens)
        require_shape("tokens", tokens, ("batch", "length"))
        require_within("length of tokens", tokens.shape[1], 0, self.position.num_embeddings)
        places = torch.arange(tokens.shape[1]).expand_as(tokens)
        x = self.drop(self.position(places) + self.token(tokens))
        for block in self.blocks:
            x = block(x, is_causal=True)
        return F.linear(self.norm(x), self.token.weight)


def _require_filter(logits, top_k, top_p):
    require_floating("logits", logits)
    require_dimensions("logits", logits, at_least=1)
    if top_k is not None:
        require_positive("top_k", top_k)
    if top_p is not None:
        require_within("top_p", top_p, 0, 1)


def filter_logits__a_loop(logits, top_k=None, top_p=None):
    """Go through each row in plain Python."""
    _require_filter(logits, top_k, top_p)
    result = torch.full_like(logits, -math.inf).view(-1, logits.shape[-1])
    for row, numbers in zip(result, logits.reshape(-1, logits.shape[-1]).tolist(), strict=True):
        order = sorted(enumerate(numbers), key=lambda pair: pair[1], reverse=True)[:top_k]
        total = sum(math.exp(number) for _, number in order)
        reached = 0.0
        for place, number in order:
            row[place] = number
            reached += math.exp(number) / total
            if top_p is not None and reached >= top_p - 1e-12:
                break
    return result.view(logits.shape)


def filter_logits__ranks(logits, top_k=None, top_p=None):
    """Compare every token with every other: its rank, and what stands before it."""
    _require_filter(logits, top_k, top_p)
    size = logits.shape[-1]
    one, other = logits.unsqueeze(-1), logits.unsqueeze(-2)
    earlier = torch.ones(size, size, dtype=torch.bool).tril(-1)
    before = (other > one) | ((other == one) & earlier)  # (..., token, those before it)
    kept = before.sum(-1) < (size if top_k is None else top_k)
    if top_p is not None:
        left = logits.masked_fill(~kept, -math.inf).softmax(-1)
        kept = kept & (((before * left.unsqueeze(-2)).sum(-1) < top_p) | (before.sum(-1) == 0))
    return torch.where(kept, logits, -math.inf)


def _require_sample(logits, temperature, top_k):
    require_floating("logits", logits)
    require_shape("logits", logits, ("batch", "vocab_size"))
    require_within("temperature", temperature, 0)
    if top_k is not None:
        require_positive("top_k", top_k)


def sample_token__noise(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    """Add Gumbel noise, and take the largest."""
    _require_sample(logits, temperature, top_k)
    if temperature == 0:
        return torch.tensor([row.index(max(row)) for row in logits.tolist()])
    kept = filter_logits__ranks(logits / temperature, top_k, top_p)
    uniform = torch.rand(logits.shape, generator=generator, dtype=torch.float64)
    return (kept - (-uniform.log()).log()).argmax(-1)


def sample_token__up_to_a_number(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    """Draw a number from 0 to 1, and count up the probabilities until they reach it."""
    _require_sample(logits, temperature, top_k)
    if temperature == 0:
        return (logits == logits.max(-1, keepdim=True).values).int().argmax(-1)
    sums = filter_logits__ranks(logits.double() / temperature, top_k, top_p).softmax(-1).cumsum(-1)
    wanted = torch.rand(len(logits), 1, generator=generator, dtype=torch.float64) * sums[:, -1:]
    return (sums <= wanted).sum(-1)


def _require_prompt(prompt, num_tokens):
    require_long("prompt", prompt)
    require_shape("prompt", prompt, ("batch", "prompt_length"))
    require_positive("length of the prompt", prompt.shape[1])
    require_within("num_tokens", num_tokens, 0)


def generate__into_a_table(model, prompt, num_tokens, temperature=1.0, top_k=None, top_p=None, generator=None):
    """Make room for the whole text first, and fill it; modes are put back by name."""
    _require_prompt(prompt, num_tokens)
    begun, modes = prompt.shape[1], {name: module.training for name, module in model.named_modules()}
    text = torch.cat([prompt, torch.zeros(len(prompt), num_tokens, dtype=torch.long)], 1)
    try:
        with torch.inference_mode(False), torch.no_grad():
            model.eval()
            for end in range(begun, begun + num_tokens):
                said = model(text[:, max(0, end - model.max_length) : end].clone())
                text[:, end] = sample_token__noise(said.select(1, -1), temperature, top_k, top_p, generator)
    finally:
        for name, module in model.named_modules():
            module.train(modes[name]) if not list(module.children()) else setattr(module, "training", modes[name])
    return text


def generate__columns(model, prompt, num_tokens, temperature=1.0, top_k=None, top_p=None, generator=None):
    """Keep a list of columns, and stack them at the end."""
    _require_prompt(prompt, num_tokens)
    columns, parts = list(prompt.unbind(1)), list(model.modules())
    before = [part.training for part in parts]
    try:
        for part in parts:
            part.training = False
        while len(columns) < prompt.shape[1] + num_tokens:
            with torch.no_grad():
                logits = model(torch.stack(columns[-model.max_length :], 1))
            columns.append(sample_token__up_to_a_number(logits[:, -1, :], temperature, top_k, top_p, generator))
    finally:
        for part, mode in zip(parts, before, strict=True):
            part.training = mode
    return torch.stack(columns, dim=1)


def _require_map(weights, tokens):
    require_floating("weights", weights)
    require_shape("tokens", tokens, ("length",))
    require_shape("weights", weights, (len(tokens), len(tokens)))


def induction_score__table(weights, tokens):
    """Compare all pairs of positions at once."""
    _require_map(weights, tokens)
    same = (tokens[:, None] == tokens) & torch.ones(len(tokens), len(tokens), dtype=torch.bool).tril(-1)
    rows = same.any(1).nonzero().flatten()
    if len(rows) == 0:
        return 0
    last = (same * torch.arange(1, len(tokens) + 1)).max(1).values  # the place after it
    return float(weights[rows, last[rows]].sum() / len(rows))


def induction_score__backwards(weights, tokens):
    """Look back from each position until the token is found."""
    _require_map(weights, tokens)
    found = []
    for t in range(len(tokens)):
        for j in reversed(range(t)):
            if tokens[j] == tokens[t]:
                found.append(float(weights[t, j + 1]))
                break
    return sum(found) / max(len(found), 1)


def fixed_loss__sums(model, tokens, length):
    """Add sums, and divide once."""
    total, number = 0.0, 0
    for inputs, labels in zip(tokens[:-1].split(length), tokens[1:].split(length), strict=True):
        total = total + F.cross_entropy(model(inputs[None]).squeeze(0), labels, reduction="sum")
        number += len(labels)
    return total / number


def fixed_loss__weighted(model, tokens, length):
    """Weight the mean of each window with its number of predictions."""
    result = tokens.new_zeros((), dtype=torch.float64)
    for start in range(0, len(tokens) - 1, length):
        labels = tokens[start + 1 : start + 1 + length]
        logits = model(tokens[start : start + len(labels)].unsqueeze(0))[0].double()
        result = result + F.nll_loss(logits.log_softmax(-1), labels) * len(labels) / (len(tokens) - 1)
    return result


def mixed_log_probability__factor_out(first, second, share):
    """Take the larger one out of the logarithm."""
    top = torch.maximum(first, second)
    return top + (share * (first - top).exp() + (1 - share) * (second - top).exp()).log()


def mixed_log_probability__logsumexp(first, second, share):
    """Stack both."""
    both = torch.stack([first + math.log(share), second + math.log1p(-share)])
    return both.logsumexp(0)
