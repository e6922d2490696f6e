"""What several tasks of exercise 11 share: an attention, sentences, and what a model says of them."""

import contextlib
import copy
from itertools import product

import torch

from course_checks.cases import Case, Draw
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


def filled(rows):
    """Put sentences below each other, with padding behind the short ones."""
    longest = max(map(len, rows), default=0)
    return torch.tensor([[*row] + [PAD] * (longest - len(row)) for row in rows]).long().reshape(len(rows), longest)


def sources(count=3, length=6):
    """Draw source sentences of different lengths, with padding behind the short ones."""
    draw = Draw(f"{count} sources")
    rows = draw.integers(4, 10, count, length)
    for number, row in enumerate(rows):
        end = length - 1 - (2 * number) % (length - 1)
        row[end], row[end + 1 :] = EOS, PAD
    return rows


def asked(answer, beam_width, breaks=False, training=True):
    """Translate with a model in train mode, of which a part is in eval mode, or in eval mode; return it, and a word."""
    model = Case("a toy model", lambda draw: (models.translator(draw, breaks=breaks),)).arguments()[0].train(training)
    model.reading.eval()
    before = [module.training for module in model.modules()]
    with contextlib.suppress(*([RuntimeError] if breaks else [])):
        answer(model, sources(), 4, beam_width)
    now = [module.training for module in model.modules()]
    which = "all in eval mode" if not any(now) else "all in train mode" if all(now) else "in other modes"
    return model, "as it was" if now == before else which
