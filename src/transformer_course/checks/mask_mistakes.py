"""The mistakes with masks that we know, and what each of them returns."""

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.reporting import Mistake


def require_bool(subject: Answer, situation: str, result: object, like: Tensor) -> Tensor:
    """Require a boolean tensor of the shape of ``like``, and return it."""
    if type(result) is Tensor and result.dtype != torch.bool:
        subject.fail(
            situation,
            f"the mask holds numbers of dtype {result.dtype}",
            "a boolean mask: True where it may be attended to",
            "a mask of 0 and 1, or of 0 and -inf, as other libraries use them",
            "a comparison (`==`, `!=`, `<=`) gives booleans; `torch.ones` and `torch.zeros` take `dtype=torch.bool`",
        )
    return subject.require_tensor(situation, result, like)


def padding_shapes(subject: Answer, situation: str, result: object, batch: int, length: int) -> None:
    """Say of a padding mask of the wrong shape what that shape would mean."""
    meanings = {
        (batch, length): "it has no dimensions for heads and queries, so it broadcasts over the wrong ones",
        (batch, 1, length): "it has three dimensions: against (batch, heads, query_length, key_length) the batch would "
        "meet the heads",
        (
            batch,
            1,
            length,
            1,
        ): "the tokens stand in the dimension of the queries: padding could not ask, but would still be attended to",
        (1, 1, batch, length): "the batch stands in the dimension of the queries",
        (
            batch,
            1,
            length,
            length,
        ): "the dimension of the queries is written out, but in cross-attention the queries are "
        "those of another sentence",
    }
    shape = tuple(result.shape) if isinstance(result, Tensor) else (batch, 1, 1, length)
    if shape in meanings and shape != (batch, 1, 1, length):
        subject.fail(
            situation,
            f"the mask has shape {shape}",
            f"shape (batch, 1, 1, length), here {(batch, 1, 1, length)}: the same for every head and every query",
            meanings[shape],
            "insert dimensions of size 1 with `[:, None, None, :]` or `unsqueeze`",
        )


def padding_mistakes(tokens: Tensor, pad_id: int) -> list[Mistake]:
    """List what a wrong padding mask looks like for tokens ``(batch, length)``."""

    def spread(mask: Tensor) -> Tensor:
        return mask[:, None, None, :]

    padding = tokens == pad_id
    lengths = (~padding).sum(-1, keepdim=True)
    positions = torch.arange(tokens.shape[-1])
    by_place = "the mask is made from lengths or from the first padding token, so it expects all padding at the end"
    found = [
        Mistake(
            spread(padding),
            "True stands exactly where the padding is",
            "the mask is the wrong way round (inverted), as in libraries where True means `hide`",
            "True means `may be attended to`: real tokens are True",
        ),
        Mistake(
            spread(tokens != 0),
            "the mask hides token 0, whatever `pad_id` says",
            "the argument `pad_id` is not used",
            "compare with `pad_id`",
        ),
        Mistake(
            spread(tokens > pad_id),
            "tokens with a number below `pad_id` are hidden, too",
            "`>` in the place of `!=`",
            "only one token is padding: the one that equals `pad_id`",
        ),
        Mistake(
            spread(tokens < pad_id),
            "tokens with a number above `pad_id` are hidden, too",
            "`<` in the place of `!=`",
            "only one token is padding: the one that equals `pad_id`",
        ),
        Mistake(
            spread(positions < lengths),
            "the mask is right only for padding at the end",
            by_place,
            "look at each token by itself",
        ),
        Mistake(
            spread(padding.cumsum(-1) == 0),
            "everything after the first padding token is hidden",
            by_place,
            "look at each token by itself",
        ),
        Mistake(
            spread((~padding).any(0, keepdim=True).expand_as(tokens)),
            "all sentences have the same mask",
            "the mask is made for the batch as a whole",
            "each sentence has padding of its own",
        ),
    ]
    return found


def causal_mistakes(length: int) -> list[Mistake]:
    """List what a wrong causal mask looks like; length is at least 3."""
    everything = torch.ones(length, length, dtype=torch.bool)
    rows = "row i says what position i may attend to: which columns are at or before i?"
    return [
        Mistake(
            everything.tril(-1),
            "no position may attend to itself, and the first one to nothing at all",
            "off by one: the diagonal is hidden",
            rows,
        ),
        Mistake(
            everything.tril(1),
            "every position sees the next one, which is the token it should predict",
            "off by one: one diagonal too many",
            rows,
        ),
        Mistake(
            everything.triu(),
            "every position sees itself and what comes later, and nothing of the past",
            "upper triangle in the place of the lower one (`triu`), or rows and columns exchanged",
            rows,
        ),
        Mistake(
            everything.triu(1),
            "True stands exactly where the future is",
            "the mask is the wrong way round (inverted), as in libraries where True means `hide`",
            "True means `may be attended to`",
        ),
        Mistake(everything, "everything is allowed", "the triangle is missing", rows),
        Mistake(
            torch.eye(length, dtype=torch.bool),
            "every position sees itself and nothing else",
            "the diagonal in the place of the triangle",
            rows,
        ),
    ]


def combined_mistakes(masks: list[Tensor]) -> list[Mistake]:
    """List what a wrong combination of at least two masks looks like."""
    shape = torch.broadcast_shapes(*(mask.shape for mask in masks))
    wide = [mask.expand(shape) for mask in masks]
    stack = torch.stack(wide)
    joint = "a query may attend to a key only if every mask lets it"
    return [
        Mistake(
            stack.any(0),
            "what one of the masks allows is allowed",
            "the masks are combined with `or` (`|`, or a sum) in the place of `and`",
            joint,
        ),
        Mistake(stack.all(0).logical_not(), "the result is inverted", "`not` is applied at the end", joint),
        Mistake(
            stack.sum(0) == 1,
            "what exactly one of the masks allows is allowed",
            "`^` (exclusive or) in the place of `&`",
            joint,
        ),
        *(
            Mistake(each, f"the result is mask number {place} alone", "not all masks are used", joint)
            for place, each in enumerate(wide, start=1)
        ),
        Mistake(stack[:2].all(0), "the third mask has no effect", "only two masks are combined", "loop over all masks"),
        Mistake(
            (~stack).all(0),
            "True stands where every mask says False",
            "the masks are taken for the wrong way round (True = hide)",
            joint,
        ),
    ]
