"""Task `pad_sequences` of exercise 01."""

import torch
from torch.nn.utils import rnn

from course_checks.cases import Case, refusal
from course_checks.sequence_transduction.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("pad_sequences", UNIT, ("pad_sequence", "padded_tensor", "nested"))
_FILL = "fill the whole rectangle with `pad_id` before the words go in"
_WIDTH = "print the lengths of the sequences and the shape of your result"


@task.oracle
def right(sequences, pad_id=0):
    """Let torch pad them."""
    if not sequences:
        return torch.zeros(0, 0, dtype=torch.long)
    rows = [torch.tensor(each, dtype=torch.long) for each in sequences]
    return rnn.pad_sequence(rows, batch_first=True, padding_value=pad_id)


@task.pipeline(
    side={"left": Wrong("the padding stands in front of the words", "", "word i of a sequence belongs to column i")},
    fill={
        "0": Wrong("`pad_id` is not used: the rest of the rows is filled with 0", "", _FILL),
        "last": Wrong("the last word of a sequence is repeated to the end of its row", "", _FILL),
    },
    width={
        "more": Wrong("there is one column of padding too many", "", "the longest sequence needs no padding"),
        "less": Wrong("the last word of the longest sequence is cut off", "", _WIDTH),
        "shortest": Wrong("the sequences are cut to the shortest one", "", "no word may get lost: take the longest"),
        "batch": Wrong("the rectangle is as wide as there are sequences, not as the longest of them", "", _WIDTH),
    },
    rows={
        "sorted": Wrong("the sequences are sorted by length", "", "row i belongs to sequence i"),
        "columns": Wrong("the batch stands in the second dimension", "", "the batch comes first in this course"),
        "reversed": Wrong("the order of the words is reversed", "", "word i of a sequence belongs to column i"),
    },
    kind={
        "floats": Wrong("the result holds floats", "", "token ids are integers: `dtype=torch.long`"),
        "int32": Wrong("the result is of dtype torch.int32", "", "token ids are 64-bit integers: `dtype=torch.long`"),
        "lists": Wrong("it is still a list of lists", "", "the result is one tensor"),
    },
)  # fmt: skip
def pad_sequences(sequences, pad_id=0, *, side="right", fill="pad_id", width="longest", rows="in order", kind="long"):
    """Fill the rectangle with one choice for each step."""
    lengths = [len(each) for each in sequences] or [0]
    count = {"more": max(lengths) + 1, "less": max(max(lengths) - 1, 0), "shortest": min(lengths),
             "batch": len(sequences)}.get(width, max(lengths))  # fmt: skip
    table = []
    for each in sorted(sequences, key=len, reverse=True) if rows == "sorted" else sequences:
        words = list(reversed(each)) if rows == "reversed" else list(each)
        rest = {"0": 0, "last": words[-1] if words else pad_id}.get(fill, pad_id)
        padding = [rest] * max(count - len(words), 0)
        table.append((padding + words if side == "left" else words + padding)[:count])
    if kind == "lists":
        return table
    result = torch.tensor(table, dtype={"floats": torch.float32, "int32": torch.int32}.get(kind, torch.long))
    result = result.reshape(len(sequences), count)
    return result.T if rows == "columns" else result


@task.mistake("without sequences, an empty list became a tensor of one dimension", "", "make the rectangle first")
def one_dimension(sequences, pad_id=0):
    """Make a tensor of the list of rows."""
    return pad_sequences(sequences, pad_id) if sequences else torch.tensor([], dtype=torch.long)


@task.mistake("`max` of no lengths has no answer", "", "Python's `max` has an argument `default`")
def no_default(sequences, pad_id=0):
    """Take the maximum of nothing."""
    return pad_sequences(sequences, pad_id) if sequences else max(len(each) for each in sequences)


def same_default(answer, sequences):
    """Observe the result without a pad_id, after a call with one."""
    answer(sequences, 7)
    return answer(sequences)


MIXED = [[5, 6], [7, 8, 9, 4], [3]]
EXPECTED = "row i holds sequence i from the left, and `pad_id` after it; as many columns as the longest has words"
task.require(
    "words on the left, padding on the right",
    EXPECTED,
    [Case("three sequences of 2, 4 and 1 words", (MIXED,)), Case("the first is the longest", ([[3, 4, 5], [8]], 0)),
     Case("words that are equal to padding", ([[0, 4, 0], [5], [0]], 0))],
    [Case("the last is the longest", ([[8], [9, 1, 4], [3, 4, 5, 6]], 5)), Case("one sequence", ([[4, 2]],)),
     Case("all equally long", ([[4, 5, 6], [7, 8, 9]], 1)), Case("large ids", ([[2**40, 3], [4]], 0)),
     Case("20 sequences", ([list(range(4, 5 + number)) for number in range(20)],))],
)  # fmt: skip
task.require(
    "`pad_id` fills the rest",
    EXPECTED,
    [Case("pad_id = 9", (MIXED, 9)), Case("pad_id = -100", (MIXED, -100)),
     Case("no pad_id, after a call with one", ([[5], [6, 7]],), same_default)],
    [Case("pad_id = 6", ([[1, 2, 3], [0], [5, 6]], 6))],
)  # fmt: skip
task.limits(
    "empty sequences, none at all, and wrong input",
    [Case("one of the sequences is empty", ([[5, 6], []],)), Case("empty sequences only", ([[], [], []],)),
     Case("no sequence at all", ([],)), Case("no sequence, pad_id = 6", ([], 6)),
     refusal("a token that is no integer", ([[4, 5], [6, 1.5]],), "sequences"),
     refusal("a token that is a string", ([[4], ["cat"]],), "sequences")],
    EXPECTED + "; shape (0, 0) without sequences",
)  # fmt: skip
