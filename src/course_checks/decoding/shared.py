"""What several tasks of exercise 11 share: sentences, and searches that go through them."""

import copy
from itertools import product

import torch

from course_checks.cases import Draw
from course_checks.decoding import models
from course_checks.modules import give_weights
from transformer_course.common.tokens import BOS, EOS, PAD

UNIT = "decoding"
READY_MADE = ("multi_head_attention",)


def attention(d_model, num_heads, bias=True, dtype=torch.float64):
    """Make an attention with known weights."""
    made = models.Attention(d_model, num_heads, bias)
    give_weights(made, dtype=dtype)
    return made


def every_sentence(words, max_length):
    """List every sentence: with EOS, or cut at max_length."""
    ended = [[*each, EOS] for length in range(max_length) for each in product(words, repeat=length)]
    return ended + [list(each) for each in product(words, repeat=max_length)]


def following(model, source, sentence):
    """Ask a model for the log probabilities of what comes after each beginning of one sentence."""
    model = copy.deepcopy(model).eval()
    with torch.no_grad():
        return model.decode(torch.tensor([[BOS, *sentence]]), model.encode(source), source)[0].log_softmax(-1)


def score(model, source, sentence):
    """Add up the log probabilities of one sentence."""
    return sum(row[word].item() for row, word in zip(following(model, source, sentence), sentence, strict=False))


def filled(rows, pad_id=PAD):
    """Put sentences below each other, with padding behind the short ones."""
    longest = max(map(len, rows), default=0)
    return torch.tensor([[*row] + [pad_id] * (longest - len(row)) for row in rows]).long().reshape(len(rows), longest)


def write_greedily(step, state, batch_size, max_length):
    """Take the most probable word at each step, for all sentences at once."""
    tokens, columns = torch.full((batch_size,), BOS), []
    ended = torch.zeros(batch_size, dtype=torch.bool)
    while len(columns) < max_length and not ended.all():
        logits, state = step(tokens, state)
        tokens = logits.argmax(-1).masked_fill(ended, PAD)
        ended = ended | (tokens == EOS)
        columns.append(tokens)
    return torch.stack(columns, 1) if columns else torch.zeros(batch_size, 0, dtype=torch.long)


def search(step, state, beam_width, max_length, alpha):
    """Search with a beam, and return pairs of words and score, the best first."""
    living, totals, found = [[]], torch.zeros(1).double(), []
    for _ in range(max_length):
        logits, state = step(torch.tensor([words[-1] if words else BOS for words in living]), state)
        candidates = (totals[:, None] + logits.double().log_softmax(-1)).flatten()
        best = candidates.topk(min(beam_width, len(candidates)))
        extended = [([*living[i // logits.shape[1]], i % logits.shape[1]], i) for i in best.indices.tolist()]
        alive = torch.tensor([words[-1] != EOS for words, _ in extended])
        found += [(words, total) for (words, _), total in zip(extended, best.values.tolist(), strict=True)
                  if words[-1] == EOS]  # fmt: skip
        living, totals = [words for words, _ in extended if words[-1] != EOS], best.values[alive]
        parents = best.indices[alive] // logits.shape[1]
        state = {name: part[parents] for name, part in state.items()}
        if not living:
            break
    found += list(zip(living, totals.tolist(), strict=True))
    scored = [(words, total / ((5 + len(words)) / 6) ** alpha) for words, total in found]
    return sorted(scored, key=lambda pair: -pair[1])


def sources(count=3, length=6):
    """Draw source sentences of different lengths, with padding behind the short ones."""
    draw = Draw(f"{count} sources")
    rows = draw.integers(4, 10, count, length)
    for number, row in enumerate(rows):
        end = length - 1 - (2 * number) % (length - 1)
        row[end], row[end + 1 :] = EOS, PAD
    return rows
