"""The checks of exercise 11. Each takes what the learner wrote and names the mistake that its results point to."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.checks.answers import Answer
from transformer_course.checks.causes import kind
from transformer_course.checks.decoding_bleu import (
    check_corpus_bleu,
    check_exhaustive_search,
    check_nucleus,
    compare_bleu,
    compare_search,
)
from transformer_course.checks.decoding_mistakes import UNIT, cache_mistakes, cached_output_mistakes
from transformer_course.checks.decoding_models import SOURCE, loud, tiny
from transformer_course.checks.decoding_translate import check_translate, compare_translation, require_good_manners
from transformer_course.checks.oracles_decoding import right_cache, right_causal, right_nucleus
from transformer_course.checks.predictions import require_predictions
from transformer_course.checks.reporting import Mistake, draw, same

QUESTIONS = ("log probability, wider beam", "length, wider beam", "length, larger alpha")
WORDS = ("rises", "stays", "falls")
STEP = "let the module attend to all positions at once, with a causal mask, and compare its last row with yours"

__all__ = [
    "SOURCE",
    "answer",
    "attention_with",
    "cached_gradients",
    "check_cached_attention",
    "check_corpus_bleu",
    "check_exhaustive_search",
    "check_mended_steps",
    "check_nucleus",
    "check_predictions",
    "check_translate",
    "compare_bleu",
    "compare_cached",
    "compare_search",
    "compare_steps",
    "compare_translation",
    "draw",
    "follow_cached",
    "loud",
    "require_good_manners",
    "right_cache",
    "right_causal",
    "right_nucleus",
    "tiny",
]


def answer(function: Callable, name: str) -> Answer:
    """Wrap the learner's function for the checks of this unit."""
    return Answer(function, name, UNIT)


def attention_with(attention_class: type, d_model: int, num_heads: int, seed: int, **options: bool) -> nn.Module:
    """Make an attention with known weights and biases, in float64."""
    attention = attention_class(d_model, num_heads, **options).double()
    with torch.no_grad():
        for number, parameter in enumerate(attention.parameters()):
            parameter.copy_(draw(*parameter.shape, seed=seed + number, dtype=torch.float64) / 2)
    return attention


def require_cached(
    subject: Answer, situation: str, result: object, like: tuple[Tensor, Tensor, Tensor]
) -> list[Tensor]:
    """Require ``(output, (key, value))`` with the shapes and dtypes of the examples."""
    whole = type(result) is tuple and len(result) == 2
    if not whole or type(result[1]) is not tuple or len(result[1]) != 2:
        inner = f", the second of them {kind(result[1])}" if whole else ""
        subject.fail(
            situation,
            f"it returned {kind(result)}{inner}",
            "a pair: the output, and the new cache, which is itself a pair of keys and values",
            "the return statement: a cache that is left out, or three results in a row",
            "end the function with `return output, (key, value)`",
        )
    output, (key, value) = result
    for name, part, right in (("keys", key, like[1]), ("values", value, like[2])):
        if type(part) is not Tensor or part.shape == right.shape:
            continue
        known = {
            (
                *right.shape[:2],
                right.shape[2] - 1,
                right.shape[3],
            ): "the old cache is returned, without the new position",
            (*right.shape[:2], 1, right.shape[3]): "the new position alone is returned, without the old cache",
            (right.shape[0], right.shape[2], right.shape[1], right.shape[3]): "heads and positions are exchanged",
            (
                right.shape[0],
                right.shape[2],
                right.shape[1] * right.shape[3],
            ): "the cache is kept before it is cut into heads",
        }
        subject.fail(
            situation,
            f"the {name} of the new cache have shape {tuple(part.shape)}",
            f"{tuple(right.shape)}: (batch, heads, length + 1, d_k)",
            known.get(tuple(part.shape), "a product, a split or a `torch.cat` over the wrong dimension"),
            "write the shape at the end of each line of your code that changes it",
        )
    names = ("the output", "the keys of the new cache", "the values of the new cache")
    parts = zip((output, key, value), like, names, strict=True)
    return [subject.require_tensor(situation, part, right, name) for part, right, name in parts]


def compare_cached(subject: Answer, situation: str, attention: nn.Module, x: Tensor, kept: int) -> None:
    """Hand over the cache of the first ``kept`` positions and the next one, and compare output and new cache."""
    whole = x[:, : kept + 1]
    keys, values = right_cache(attention, whole)
    right = right_causal(attention, whole)[:, -1:], keys, values
    cache = (keys[:, :, :kept].clone(), values[:, :, :kept].clone()) if kept else None
    copies = [part.clone() for part in cache or ()]
    parts = require_cached(subject, situation, subject(situation, attention, x[:, kept : kept + 1], cache), right)
    if any(not torch.equal(now, before) for now, before in zip(cache or (), copies, strict=True)):
        subject.fail(
            situation,
            "the cache that came in was changed",
            "a cache that is the same after the call as before it: in beam search several hypotheses share it",
            "an operation that works in place",
            "`torch.cat` makes a new tensor",
        )
    old = cache or (keys[:, :, :0], values[:, :, :0])
    for name, part, wanted, mistakes in zip(
        ("keys", "values"), parts[1:], right[1:], cache_mistakes(attention, whole, old), strict=True
    ):
        requirement = f"the {name} of all positions so far, the new one last, each head in its own columns"
        subject.compare(situation, part, wanted, requirement, mistakes, STEP)
    requirement = "the last row of causal attention over all positions so far"
    mistakes = cached_output_mistakes(attention, whole)
    subject.compare(situation, parts[0], right[0], requirement, mistakes, STEP)


def follow_cached(subject: Answer, situation: str, attention: nn.Module, x: Tensor) -> None:
    """Let the function write its own cache, one position after the other, and compare every output."""
    right, cache = right_causal(attention, x), None
    for position in range(x.shape[1]):
        keys, values = right_cache(attention, x[:, : position + 1])
        like = right[:, position : position + 1], keys, values
        where = f"{situation}, position {position}"
        result = subject(where, attention, x[:, position : position + 1], cache)
        output, *cache = require_cached(subject, where, result, like)
        cache = tuple(cache)
        subject.compare(where, output, like[0], "the same row of causal attention over all positions", (), STEP)


def check_cached_attention(cached_attention: Callable, attention_class: type) -> None:
    """Check the first position, one that finds a cache, a whole sentence, and the gradient."""
    subject = answer(cached_attention, "cached_attention")
    attention = attention_with(attention_class, 12, 3, seed=1)
    x = draw(2, 6, 12, seed=9).double()
    compare_cached(subject, "the first position, no cache", attention, x, 0)
    subject.passed("the first position attends to itself")
    compare_cached(subject, "batch 2, 3 heads, a cache of 5 positions", attention, x, 5)
    subject.passed("a new position attends to itself and to the cache, and comes last in the new one")
    follow_cached(subject, "6 positions, each with the cache of the one before", attention, x)
    subject.passed("position by position, the rows of causal attention come out")
    cached_gradients(subject, "the gradient with respect to the new position and the cache", attention, x)
    subject.passed("the gradient reaches the new position and the cache")


def cached_gradients(subject: Answer, situation: str, attention: nn.Module, x: Tensor) -> None:
    """Require the gradient of the output with respect to the new position, the keys and the values."""
    keys, values = (part[:, :, :-1].detach() for part in right_cache(attention, x))

    def oracle(new: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        query, *rest = (
            F.linear(new, w.weight, w.bias) for w in (attention.w_query, attention.w_key, attention.w_value)
        )
        cut = [each.reshape(len(new), 1, attention.num_heads, -1).transpose(1, 2) for each in (query, *rest)]
        joined = torch.cat([keys, cut[1]], 2), torch.cat([values, cut[2]], 2)
        mixed = F.scaled_dot_product_attention(cut[0], *joined).transpose(1, 2).flatten(2)
        return F.linear(mixed, attention.w_output.weight, attention.w_output.bias)

    def function(new: Tensor, keys: Tensor, values: Tensor) -> object:
        return subject.function(attention, new, (keys, values))

    Answer(function, subject.name, UNIT).gradients(
        situation, oracle, x[:, -1:], keys, values, select=lambda result: result[0]
    )


def check_predictions(predictions: Mapping[str, str]) -> None:
    """Check that there is a prediction for each question; not whether it is right."""
    require_predictions(predictions, QUESTIONS, WORDS, "task 5")


def compare_steps(
    subject: Answer, situation: str, embedding: nn.Module, attention: nn.Module, output_layer: nn.Module, tokens: Tensor
) -> None:
    """Compare logits that were computed one position at a time with those of all positions at once."""

    def logits(restart: bool = False, first_only: bool = False, start: int = 0) -> Tensor:
        x = embedding(tokens, start=start)
        if restart:
            x = torch.cat([embedding(each) for each in tokens.split(1, dim=1)], 1)
        if first_only:  # a single query under a causal mask that begins at the first key sees only that one
            value = F.linear(x[:, :1], attention.w_value.weight, attention.w_value.bias)
            mixed = F.linear(value, attention.w_output.weight, attention.w_output.bias).expand_as(x)
        else:
            mixed = right_causal(attention, x)
        return output_layer(mixed)

    look = "compare the logits of the first two positions with those that all positions at once give"
    position = "every position is embedded as if it were the first: the encoding of positions begins anew in each step"
    alignment = (
        "every position attends to the first key alone: look up how `is_causal` places its mask if there is 1 query"
    )
    with torch.no_grad():
        right = logits()
        mistakes = [
            Mistake(logits(restart=True), "one bug is still there", position, look),
            Mistake(
                logits(first_only=True),
                "a bug is still there",
                f"{alignment}. Or (it shows in the same way): both bugs are still there, and this one hides the other",
                look,
            ),
            Mistake(
                logits(start=1),
                "every position is right but for its number",
                "positions are counted from 1; the first one has number 0",
                look,
            ),
            Mistake(
                lambda result: same(result[:, :1], right[:, :1]),
                "only the first position is right",
                "the cache is not read, or the positions are not counted from 0 upward. Or (it shows in the same way): "
                "a position sees something else than itself and all earlier ones",
                look,
            ),
        ]
        result = subject.tensor(situation, embedding, attention, output_layer, tokens, like=right)
        result = result.detach()
    subject.compare(situation, result, right, "the logits that all positions at once give", mistakes, look)


def check_mended_steps(mended_steps: Callable, embedding_class: type, attention_class: type) -> None:
    """Check the logits of a sentence, position by position."""
    subject = answer(mended_steps, "mended_steps")
    embedding = embedding_class(9, 12).double()
    attention = attention_with(attention_class, 12, 3, seed=11)
    output_layer = nn.Linear(12, 9).double()
    tokens = torch.tensor([[1, 5, 8, 4, 6], [1, 4, 4, 7, 3]])
    compare_steps(subject, "2 sentences of 5 words", embedding, attention, output_layer, tokens)
    subject.passed("one position at a time gives what all positions at once give")
