"""Task `padding_mask` of exercise 06."""

import torch

from course_checks.cases import Case, drawn, refusal
from course_checks.masking.shared import READY_MADE, TRUE, UNIT
from course_checks.task import Task
from transformer_course.common.tokens import PAD

task = Task("padding_mask", UNIT, READY_MADE)

_EACH = "look at each token by itself: is it the one that means nothing?"
_AT_END = "the mask is right only where all padding stands at the end"
_SAME = "leave a 1 where the mask is the same for all"
_ONES = "insert dimensions of size 1 with `[:, None, None, :]` or `unsqueeze`"


@task.oracle
def right(tokens, pad_id=PAD):
    """Ask for each token, one after the other."""
    rows = [[[[token != pad_id for token in row]]] for row in tokens.tolist()]
    return torch.tensor(rows, dtype=torch.bool).reshape(len(tokens), 1, 1, tokens.shape[1])


# fmt: off
task.edit("(tokens != pad_id)", {
    "(tokens == pad_id)": ("the mask is the wrong way round (inverted), as in libraries where True means `hide`", TRUE,
        "True stands exactly where the padding is"),
    "(tokens != 0)": ("the argument `pad_id` is not used: token 0 is hidden, whatever it says",
        "which line uses `pad_id`?"),
    "(tokens > pad_id)": ("`>` in the place of `!=`", _EACH, "tokens with a number below `pad_id` are hidden, too"),
    **dict.fromkeys(("((tokens != pad_id) & (tokens > 3))", "((tokens != pad_id) & (tokens != 1) & (tokens != 2))"), (
        "special tokens such as BOS, EOS and UNK are hidden together with the padding", _EACH)),
    "(torch.arange(tokens.shape[1]) < (tokens != pad_id).sum(1, keepdim=True))": (
        "the real tokens are counted, and as many positions in front are allowed", _EACH, _AT_END),
    "((tokens == pad_id).cumsum(1) == 0)": ("everything from the first padding on is hidden", _EACH, _AT_END),
    "(torch.arange(tokens.shape[1]) < (tokens == pad_id).int().argmax(1, keepdim=True))": ("the place of the first "
        "padding is taken for the length, and it is 0 where there is none", "try a sentence without padding"),
    "(tokens != pad_id).any(0).expand_as(tokens)": ("one mask for the whole batch, what is real in any of its "
        "sentences", _EACH, "all sentences have the same mask"),
})
task.edit("[:, None, None, :]", {
    "": ("the dimensions for heads and queries are missing, so that the mask would broadcast over the wrong dimensions",
        _ONES, "the mask has shape (batch, length)"),
    "[:, None, :]": ("the dimension of the heads is missing, so that the batch would meet the heads", _ONES,
        "the mask has shape (batch, 1, length)"),
    "[:, None, :, None]": ("the tokens stand in the dimension of the queries: padding could not ask, but would still "
        "be attended to", "the keys are the last dimension", "the mask has shape (batch, 1, length, 1)"),
    "[None, None]": ("the batch stands in the dimension of the queries", _ONES, "the first dimension is 1"),
    "[:, None, None, :].expand(-1, 1, tokens.shape[1], -1)": ("the dimension of the queries is written out, but the "
        "queries may be those of another sentence", _SAME, "the mask has shape (batch, 1, length, length)"),
    "[:, None, None, :] & (tokens != pad_id)[:, None, :, None]": ("padding is hidden as a query as well as a key, so "
        "that its rows are empty", _SAME, "the mask has shape (batch, 1, length, length)"),
})
# fmt: on


def given(*rows, pad_id=()):
    """Take these sentences."""
    return lambda draw: (torch.tensor(rows), *pad_id)


EXPECTED = "True for every token that is not `pad_id`, False for the others, in shape (batch, 1, 1, length)"
task.require("True for real tokens, False for padding, in shape (batch, 1, 1, length)", EXPECTED,
             [Case("3 sentences padded to length 5", given([7, 5, 9, 0, 0], [4, 0, 0, 0, 0], [6, 8, 4, 3, 0])),
              Case("BOS, EOS and UNK are real tokens", given([1, 7, 2, 0], [1, 3, 8, 2]))],
             [Case("one sentence", given([6, 5, 4, 0, 0, 0])), Case("no padding", given([4, 5, 6], [7, 8, 9])),
              Case("as many sentences as positions", given([4, 0, 0], [4, 5, 0], [2, 6, 7]))],
             "print mask[0, 0, 0] beside tokens[0]")  # fmt: skip
task.require("padding is what equals `pad_id`", EXPECTED,
             [Case("2 sentences, pad_id = 4", given([7, 0, 5, 3, 4, 4], [6, 2, 8, 0, 3, 4], pad_id=[4])),
              Case("2 sentences, pad_id = -1", given([7, 0, 5, -1], [6, -1, -1, -1], pad_id=[-1]))],
             [Case("another pad_id", given([0, 1, 2, 1], [3, 0, 1, 1], pad_id=[1]))])  # fmt: skip
task.require("padding in front and in the middle", EXPECTED,
             [Case("padding in front and in the middle", given([0, 0, 0, 7, 5], [3, 0, 4, 0, 8])),
              Case("4 sentences of length 6, padding anywhere, pad_id = 2", drawn("5: 4 6", 2))],
             [Case("padding anywhere", drawn("5: 3 8")),
              Case("padding anywhere, another pad_id", drawn("5: 5 4", 3))])  # fmt: skip
task.limits("nothing but padding, one position, 32-bit integers, and wrong input",
            [Case("a sentence of nothing but padding", given([0, 0, 0], [4, 0, 5])),
             Case("one position", given([5], [0])),
             Case("tokens of 32 bits", lambda draw: (torch.tensor([[3, 0], [4, 5]], dtype=torch.int32),)),
             refusal("a single sentence without a batch", given(4, 5, 0), "tokens"),
             refusal("floating-point tokens", given([4.0, 0.0]), "tokens"),
             refusal("boolean tokens", given([True, False]), "tokens")])  # fmt: skip
