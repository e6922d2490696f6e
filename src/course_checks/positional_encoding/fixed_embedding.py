"""Task `fixed_embedding` of exercise 08: two bugs to find."""

import math

import torch
from torch.nn import functional as F

from course_checks.cases import Case
from course_checks.positional_encoding.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("fixed_embedding", UNIT)
_LENGTHS = "compare the lengths of the two vectors that are added for one word"
_EQUAL = "give it two equal sentences: which vectors should be the same, and which should differ?"


@task.oracle
def right(tokens, table, encoding):
    """Look up with torch, and add the place of each word."""
    return F.embedding(tokens, table) * math.sqrt(table.shape[1]) + encoding[torch.arange(tokens.shape[1])]


FACTOR = {
    "divided": Wrong("the token's part is divided by sqrt(d_model)", "the token's part is too small", _LENGTHS),
    "none": Wrong("the factor sqrt(d_model) is left out", "the token's part is too small", _LENGTHS),
    "vocabulary": Wrong("the factor is the root of the size of the vocabulary, not of d_model", "the token's part is "
                        "too large", "which of the table's two sizes is the width of a vector?"),
    "d_model": Wrong("the factor is d_model, not its root", "the token's part is too large", _LENGTHS),
    "sum": Wrong("the sum is multiplied by sqrt(d_model); only the token's part is", "the encoding is too large",
                 _LENGTHS),
}  # fmt: skip
PLACE = {
    "batch": Wrong("the encoding is cut and added along the batch, not along the length",
                   "all tokens of a sentence have the same encoding", _EQUAL),
    "sentences": Wrong("as many rows of the encoding are taken as there are sentences, not as there are words", "",
                       "which of the two sizes of `tokens` counts the words?"),
    "column": Wrong("the rows of the encoding get a dimension too many (`unsqueeze(1)`, `[:, None]`), so that they are "
                    "added along the batch", "", "write down the two shapes that are added: (length, d_model) "
                    "broadcasts by itself"),
    "from 1": Wrong("the positions are counted from 1", "every token has the encoding of the place behind it",
                    "the first token stands at position 0"),
    "none": Wrong("no encoding is added", "the same token has the same vector everywhere", _EQUAL),
    "times": Wrong("`*` in the place of `+`", "the token's part is multiplied by the encoding", _LENGTHS),
    "last": Wrong("the last rows of the encoding are taken, not the first", "", "the first token stands at position 0"),
}  # fmt: skip


@task.pipeline(factor=FACTOR, place=PLACE)
def fixed_embedding(tokens, table, encoding, *, factor="root", place="length"):
    """Fix with one choice for each line."""
    return embedded(table[tokens], encoding, 0, factor, place, len(table))


def embedded(looked_up, encoding, start, factor="root", place="length", vocab_size=1):
    """Add token and place with one choice for each."""
    (batch, length), root = looked_up.shape[:2], math.sqrt(looked_up.shape[-1])
    scaled = looked_up * {"divided": 1 / root, "none": 1, "d_model": root**2, "sum": 1,
                          "vocabulary": math.sqrt(vocab_size)}.get(factor, root)  # fmt: skip
    places = encoding[start : start + length]
    places = encoding[start + 1 : start + 1 + length] if place == "from 1" else places
    places = encoding[len(encoding) - length :] if place == "last" else places
    places = encoding[start : start + batch] if place == "sentences" else places
    places = places[:, None] if place == "column" else encoding[:batch][:, None] if place == "batch" else places
    result = scaled if place == "none" else scaled * places if place == "times" else scaled + places
    return result * root if factor == "sum" else result


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
