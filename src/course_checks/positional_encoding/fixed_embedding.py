"""Task `fixed_embedding` of exercise 08: two bugs to find."""

import math

import torch
from torch.nn import functional as F

from course_checks.cases import Case
from course_checks.positional_encoding.shared import UNIT
from course_checks.task import Task

task = Task("fixed_embedding", UNIT)
_LENGTHS = "compare the lengths of the two vectors that are added for one word"
_EQUAL = "give it two equal sentences: which vectors should be the same, and which should differ?"


@task.oracle
def right(tokens, table, encoding):
    """Look up with torch, and add the place of each word."""
    return F.embedding(tokens, table) * math.sqrt(table.shape[1]) + encoding[torch.arange(tokens.shape[1])]


_SMALL, _LARGE = "the token's part is too small", "the token's part is too large"
# fmt: off
WORDS = {
    "divided": ("the token's part is divided by sqrt(d_model)", _LENGTHS, _SMALL),
    "no factor": ("the factor sqrt(d_model) is left out", _LENGTHS, _SMALL),
    "vocabulary": ("the factor is the root of the size of the vocabulary, not of d_model",
                   "which of the table's two sizes is the width of a vector?", _LARGE),
    "d_model": ("the factor is d_model, not its root", _LENGTHS, _LARGE),
    "sum": ("the sum is multiplied by sqrt(d_model); only the token's part is", _LENGTHS, "the encoding is too large"),
    "batch": ("the encoding is cut and added along the batch, not along the length", _EQUAL,
              "all tokens of a sentence have the same encoding"),
    "sentences": ("as many rows of the encoding are taken as there are sentences, not as there are words",
                  "which of the two sizes of `tokens` counts the words?"),
    "column": ("the rows of the encoding get a dimension too many (`unsqueeze(1)`, `[:, None]`), so that they are "
               "added along the batch",
               "write down the two shapes that are added: (length, d_model) broadcasts by itself"),
    "from 1": ("the positions are counted from 1", "the first token stands at position 0",
               "every token has the encoding of the place behind it"),
    "none": ("no encoding is added", _EQUAL, "the same token has the same vector everywhere"),
    "times": ("`*` in the place of `+`", _LENGTHS, "the token's part is multiplied by the encoding"),
    "last": ("the last rows of the encoding are taken, not the first", "the first token stands at position 0"),
}
task.edit("embedded * math.sqrt(table.shape[-1])", {
    "embedded / math.sqrt(table.shape[-1])": WORDS["divided"],
    "embedded": WORDS["no factor"],
    "embedded * math.sqrt(table.shape[0])": WORDS["vocabulary"],
    "embedded * table.shape[-1]": WORDS["d_model"],
    "embedded + (math.sqrt(table.shape[-1]) - 1) * (embedded + encoding[: tokens.shape[1]])": WORDS["sum"],
})
task.edit("encoding[: tokens.shape[1]]", {
    "encoding[: tokens.shape[0], None]": WORDS["batch"],
    "encoding[: tokens.shape[0]]": WORDS["sentences"],
    "encoding[: tokens.shape[1], None]": WORDS["column"],
    "encoding[1 : tokens.shape[1] + 1]": WORDS["from 1"],
    "encoding[-tokens.shape[1] :]": WORDS["last"],
})
task.edit("embedded + positions", {"embedded": WORDS["none"], "embedded * positions": WORDS["times"]})
# fmt: on


def inputs(batch, length, max_length, d_model, vocab_size=11):
    """Draw token ids, a table and an encoding."""
    return lambda draw: (
        draw.integers(0, vocab_size, batch, length),
        draw(vocab_size, d_model, dtype=torch.float64),
        draw(max_length, d_model, dtype=torch.float64),
    )


task.require(
    "every token has its own row, scaled, and the encoding of its place",
    "the token's row times sqrt(d_model), plus the encoding of its place in the sentence",
    [Case("batch 2, length 5, d_model = 8", inputs(2, 5, 9, 8))],
    [Case("more sentences than positions", inputs(8, 3, 5, 6)), Case("one sentence", inputs(1, 4, 7, 5)),
     Case("as many sentences as words", inputs(4, 4, 6, 4)), Case("one word", inputs(3, 1, 6, 8))],
)  # fmt: skip
