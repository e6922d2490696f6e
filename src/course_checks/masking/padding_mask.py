"""Task `padding_mask` of exercise 06."""

import torch

from course_checks.cases import Case, refusal
from course_checks.masking.shared import READY_MADE, TRUE, UNIT
from course_checks.task import Task
from course_checks.words import Wrong
from transformer_course.common.tokens import PAD

task = Task("padding_mask", UNIT, READY_MADE)

_EACH = "look at each token by itself: is it the one that means nothing?"
_AT_END, _SAME = "the mask is right only where all padding stands at the end", "all sentences have the same mask"
_ONES = "insert dimensions of size 1 with `[:, None, None, :]` or `unsqueeze`"


@task.oracle
def right(tokens, pad_id=PAD):
    """Ask for each token, one after the other."""
    rows = [[[[token != pad_id for token in row]]] for row in tokens.tolist()]
    return torch.tensor(rows, dtype=torch.bool).reshape(len(tokens), 1, 1, tokens.shape[1])


@task.pipeline(
    real={
        "inverted": Wrong("the mask is the wrong way round (inverted), as in libraries where True means `hide`",
                          "True stands exactly where the padding is", TRUE),
        "not 0": Wrong("the argument `pad_id` is not used: token 0 is hidden, whatever it says", "",
                       "which line uses `pad_id`?"),
        "above": Wrong("`>` in the place of `!=`", "tokens with a number below `pad_id` are hidden, too", _EACH),
        "special": Wrong("special tokens such as BOS, EOS and UNK are hidden together with the padding", "", _EACH),
        "counted": Wrong("the real tokens are counted, and as many positions in front are allowed", _AT_END, _EACH),
        "up to the first": Wrong("everything from the first padding on is hidden", _AT_END, _EACH),
        "any": Wrong("one mask for the whole batch: what is real in any of its sentences", _SAME, _EACH),
        "all": Wrong("one mask for the whole batch: what is real in all of its sentences", _SAME, _EACH),
    },
    shape={
        "batch, length": Wrong("the dimensions for heads and queries are missing, so that the mask would broadcast "
                               "over the wrong dimensions", "the mask has shape (batch, length)", _ONES),
        "batch, 1, length": Wrong("the dimension of the heads is missing, so that the batch would meet the heads",
                                  "the mask has shape (batch, 1, length)", _ONES),
        "queries": Wrong("the tokens stand in the dimension of the queries: padding could not ask, but would still be "
                         "attended to", "the mask has shape (batch, 1, length, 1)", "the keys are the last dimension"),
        "1, 1, batch": Wrong("the batch stands in the dimension of the queries", "the first dimension is 1", _ONES),
        "square": Wrong("the dimension of the queries is written out, but the queries may be those of another "
                        "sentence", "the mask has shape (batch, 1, length, length)",
                        "leave a 1 where the mask is the same for all"),
    },
)  # fmt: skip
def padding_mask(tokens, pad_id=PAD, *, real="not pad_id", shape="batch, 1, 1, length"):
    """Make the mask with one choice for each step."""
    found = tokens != pad_id
    found = {
        "inverted": lambda: ~found,
        "not 0": lambda: tokens != 0,
        "above": lambda: tokens > pad_id,
        "special": lambda: found & (tokens > 3),
        "counted": lambda: torch.arange(tokens.shape[1]) < found.sum(1, keepdim=True),
        "up to the first": lambda: (~found).cumsum(1) == 0,
        "any": lambda: found.any(0).expand_as(found),
        "all": lambda: found.all(0).expand_as(found),
    }.get(real, lambda: found)()
    return {
        "batch, length": lambda: found,
        "batch, 1, length": lambda: found[:, None],
        "queries": lambda: found[:, None, :, None],
        "1, 1, batch": lambda: found[None, None],
        "square": lambda: found[:, None, None].expand(-1, 1, found.shape[1], -1),
    }.get(shape, lambda: found[:, None, None])()


def at_the_end(batch, length, pad_id=None):
    """Draw sentences whose padding stands at the end; None leaves ``pad_id`` to its default."""

    def make(draw):
        tokens, lengths = draw.integers(1, 9, batch, length), draw.integers(1, length, batch, 1)
        tokens[tokens == pad_id] = 9
        tokens[torch.arange(length) >= lengths] = PAD if pad_id is None else pad_id
        return (tokens,) if pad_id is None else (tokens, pad_id)

    return make


def anywhere(batch, length, *pad_id):
    """Draw sentences whose padding stands in all places."""
    return lambda draw: (draw.integers(0, 5, batch, length), *pad_id)


def given(*rows):
    """Take these sentences."""
    return lambda draw: (torch.tensor(rows),)


EXPECTED = "True for every token that is not `pad_id`, False for the others, in shape (batch, 1, 1, length)"
task.require(
    "True for real tokens, False for padding, in shape (batch, 1, 1, length)",
    EXPECTED,
    [Case("3 sentences padded to length 5", at_the_end(3, 5)),
     Case("BOS, EOS and UNK are real tokens", given([1, 7, 2, 0], [1, 3, 8, 2]))],
    [Case("one sentence", at_the_end(1, 6)), Case("as many sentences as positions", at_the_end(4, 4)),
     Case("many sentences", at_the_end(9, 7))],
    "print mask[0, 0, 0] beside tokens[0]",
)  # fmt: skip
task.require(
    "padding is what equals `pad_id`",
    EXPECTED,
    [Case("2 sentences, pad_id = 4", at_the_end(2, 6, 4)), Case("3 sentences, pad_id = -1", at_the_end(3, 5, -1))],
    [Case("another pad_id", at_the_end(4, 6, 2)), Case("a large pad_id", at_the_end(3, 4, 50))],
)
task.require(
    "padding in front and in the middle",
    EXPECTED,
    [Case("padding in front and in the middle", given([0, 0, 0, 7, 5], [3, 0, 4, 0, 8])),
     Case("4 sentences of length 6, padding anywhere, pad_id = 2", anywhere(4, 6, 2))],
    [Case("padding anywhere", anywhere(3, 8)), Case("padding anywhere, another pad_id", anywhere(5, 4, 3))],
)  # fmt: skip
task.limits(
    "nothing but padding, one position, none at all, 32-bit integers, and wrong input",
    [
        Case("a sentence of nothing but padding", given([0, 0, 0], [4, 0, 5])),
        Case("one position", given([5], [0])),
        Case("no position at all", lambda draw: (torch.zeros(3, 0, dtype=torch.long),)),
        Case("tokens of 32 bits", lambda draw: (torch.tensor([[3, 0], [4, 5]], dtype=torch.int32),)),
        refusal("a single sentence without a batch", given(4, 5, 0), "tokens"),
        refusal("floating-point tokens", given([4.0, 0.0]), "tokens"),
        refusal("boolean tokens", given([True, False]), "tokens"),
    ],
)
