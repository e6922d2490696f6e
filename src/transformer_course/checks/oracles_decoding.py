"""What is right about writing sentences, by trying them all, and by sacrebleu: the oracle of exercise 11."""

import copy
import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import torch
from sacrebleu.metrics import BLEU
from torch import Tensor, nn

from transformer_course.checks.oracles_heads import project, right_multi_head, right_split
from transformer_course.common.tokens import BOS, EOS, PAD


def right_causal(attention: nn.Module, x: Tensor) -> Tensor:
    """Attend from all positions at once, none of them to later ones: ``(batch, length, d_model)``."""
    causal = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
    return right_multi_head(dict(attention.named_parameters()), attention.num_heads, x, x, x, causal)[0]


def right_cache(attention: nn.Module, x: Tensor) -> tuple[Tensor, Tensor]:
    """Project and cut all positions at once: keys and values, each ``(batch, heads, length, d_k)``."""
    weights = dict(attention.named_parameters())
    return tuple(right_split(project(weights, name, x), attention.num_heads) for name in ("w_key", "w_value"))


def all_sentences(words: Sequence[int], max_length: int) -> list[list[int]]:
    """List every sentence: with EOS, or cut at max_length."""
    ended = [[*each, EOS] for length in range(max_length) for each in product(words, repeat=length)]
    return ended + [list(each) for each in product(words, repeat=max_length)]


def log_probabilities(
    model: nn.Module,
    source: Tensor,
    sentences: Sequence[Sequence[int]],
    raw: bool = False,
    begin: Sequence[int] = (BOS,),
) -> Tensor:
    """Ask a model for the log probabilities of sentences ``(sentences,)``; source ``(1, length)``. Raw: its logits."""
    model = copy.deepcopy(model).eval()
    longest = max(map(len, sentences))
    target = torch.tensor([[*begin, *each] + [PAD] * (longest - len(each)) for each in sentences])
    many = source.expand(len(sentences), -1)
    with torch.no_grad():
        logits = model.decode(target[:, :-1], model.encode(many), many)[
            :, len(begin) - 1 :
        ]  # (sentences, longest, vocab_size)
    logits = logits.double() if raw else logits.double().log_softmax(-1)
    following = logits.gather(2, target[:, len(begin) :].unsqueeze(2)).squeeze(2)
    lengths = torch.tensor([len(each) for each in sentences]).unsqueeze(1)
    return following.masked_fill(torch.arange(longest) >= lengths, 0.0).sum(1)


def right_search(
    model: nn.Module,
    source: Tensor,
    words: Sequence[int],
    max_length: int,
    alphas: Sequence[float] = (0.0,),
    begin: Sequence[int] = (BOS,),
) -> list[tuple[list[int], float]]:
    """Score every sentence, and return the best one for each alpha: the source is one row, ``(1, source_length)``."""
    sentences = all_sentences(words, max_length)
    lengths = torch.tensor([len(each) for each in sentences]).double()
    total, found = log_probabilities(model, source, sentences, begin=begin), []
    for alpha in alphas:
        scores = total / ((5 + lengths) / 6) ** alpha
        best = int(scores.argmax())
        found.append((sentences[best], float(scores[best])))
    return found


def right_greedy_sentence(
    model: nn.Module, source: Tensor, max_length: int, remembers: bool = True, begin: Sequence[int] = (BOS,)
) -> list[int]:
    """Write the most probable word, again and again, for one sentence alone; without memory from the last word only."""
    model, sentence = copy.deepcopy(model).eval(), []
    with torch.no_grad():
        while len(sentence) < max_length and EOS not in sentence:
            words = [*begin, *sentence] if remembers else [*begin, *sentence][-1:]
            logits = model.decode(torch.tensor([words]), model.encode(source), source)
            sentence.append(int(logits[0, -1].argmax()))
    return sentence


def filled(rows: Sequence[Sequence[int]]) -> Tensor:
    """Put sentences below each other, with padding behind the short ones."""
    longest = max(map(len, rows), default=0)
    full = [[*row] + [PAD] * (longest - len(row)) for row in rows]
    return torch.tensor(full, dtype=torch.long).reshape(len(rows), longest)


def right_bleu(hypotheses: Sequence[Sequence[Any]], references: Sequence[Sequence[Any]], max_order: int = 4) -> float:
    """Ask sacrebleu."""
    if not any(hypotheses):
        return 0.0
    metric = BLEU(tokenize="none", smooth_method="none", max_ngram_order=max_order, force=True)
    joined = [[" ".join(map(str, text)) for text in texts] for texts in (hypotheses, references)]
    return metric.corpus_score(joined[0], [joined[1]]).score


def ngrams(tokens: Sequence[Any], n: int) -> Counter:
    """Count the runs of n tokens."""
    return Counter(tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


def bleu_with(
    hypotheses: Sequence[Sequence[Any]],
    references: Sequence[Sequence[Any]],
    max_order: int = 4,
    match: Callable[[Counter, Counter], int] = lambda found, wanted: (found & wanted).total(),
    size: Callable[[Counter, Counter], int] = lambda found, wanted: found.total(),
    mean: Callable[[list[float]], float] = lambda shares: math.prod(shares) ** (1 / len(shares)),
    brevity: Callable[[int, int], float] = lambda c, r: math.exp(min(0.0, 1 - r / c)),
    smooth: float = 0.0,
    grams: Callable[[Sequence[Any], int], Counter] = ngrams,
) -> float:
    """Compute BLEU with one of its parts exchanged, for the wrong answers that we know; NaN where that is undefined."""
    pairs = list(zip(hypotheses, references, strict=True))
    shares = []
    try:
        for n in range(1, max_order + 1):
            counted = [(grams(one, n), grams(other, n)) for one, other in pairs]
            right, written = (sum(part(*each) for each in counted) for part in (match, size))
            shares.append((right + smooth) / (written + smooth) if written + smooth else 0.0)
        return 100 * mean(shares) * brevity(*(sum(map(len, texts)) for texts in (hypotheses, references)))
    except (ZeroDivisionError, ValueError, OverflowError):
        return math.nan


def right_nucleus(logits: Tensor, p: float, temperature: float = 1.0) -> Tensor:
    """Keep the fewest words that together have at least probability p, row by row in plain Python."""
    rows = []
    for row in torch.softmax(logits.double() / temperature, -1).reshape(-1, logits.shape[-1]).tolist():
        order, kept, total = sorted(range(len(row)), key=lambda word: -row[word]), [], 0.0
        for word in order:
            if total >= p:
                break
            kept.append(word)
            total += row[word]
        rows.append([row[word] / total if word in kept else 0.0 for word in range(len(row))])
    return torch.tensor(rows, dtype=logits.dtype).reshape(logits.shape)
