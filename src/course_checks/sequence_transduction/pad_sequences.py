"""Task `pad_sequences` of exercise 01."""

import torch
from torch.nn.utils import rnn

from course_checks.cases import Case, refusal
from course_checks.sequence_transduction.shared import UNIT
from course_checks.task import Task

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


# fmt: off
_COLUMN, _LONG = "word i of a sequence belongs to column i", "`dtype=torch.long`"
_LONGEST = "max((len(sequence) for sequence in sequences), default=0)"
task.edit("row, : len(sequence)", {
    "row, longest - len(sequence) :": ("the padding stands in front of the words", _COLUMN)})
task.edit("longest), pad_id,", {
    "longest), 0,": ("`pad_id` is not used: the rest of the rows is filled with 0", _FILL)})
task.edit("enumerate(sequences):", {
    "enumerate(sequences):\n    padded[row] = sequence[-1] if sequence else pad_id": (
        "the last word of a sequence is repeated to the end of its row", _FILL),
    "enumerate(sorted(sequences, key=len, reverse=True)):": (
        "the sequences are sorted by length", "row i belongs to sequence i")})
task.edit(_LONGEST, {f"{_LONGEST} + 1": (
    "there is one column of padding too many", "the longest sequence needs no padding")})
for _width, *_words in (
    (f"max({_LONGEST} - 1, 0)", "the last word of the longest sequence is cut off", _WIDTH),
    (_LONGEST.replace("max", "min"), "the sequences are cut to the shortest one",
     "no word may get lost: take the longest"),
    ("len(sequences[0]) if sequences else 0", "the rectangle is as wide as the first sequence, not as the longest of "
     "them", _WIDTH),
    ("len(sequences)", "the rectangle is as wide as there are sequences, not as the longest of them", _WIDTH),
):
    task.edit_places({_LONGEST: _width, "list(sequence)": "list(sequence)[:longest]"}, *_words)
_ROW = "padded[row, : len(sequence)] = torch.tensor(list(sequence), dtype=torch.long)"
for _written in ("\n    ".join(["for column, word in enumerate(sequence):", "padded[row, column] = word"]), _ROW,
                 _ROW.replace("list(sequence)", "list(sequence)[:longest]")):  # a line that raises, twice, or cuts
    task.edit_places({_LONGEST: "len(max(sequences, default=[]))", _ROW: _written},
        "`max(sequences)` compares the lists word by word, not by length: the largest of the lengths is meant", _WIDTH)
task.edit("list(sequence)", {"list(sequence)[::-1]": ("the order of the words is reversed", _COLUMN)})
task.edit("return padded", {
    "return padded.T": ("the batch stands in the second dimension", "the batch comes first in this course"),
    "return padded.float()": ("the result holds floats", f"token ids are integers: {_LONG}"),
    "return padded.int()": ("the result is of dtype torch.int32", f"token ids are 64-bit integers: {_LONG}"),
    "return padded.tolist()": ("it is still a list of lists", "the result is one tensor"),
    "return padded.masked_fill(padded == 0, pad_id)": ("every 0 becomes `pad_id`, words too", _FILL),
    "return torch.tensor(sequences)": ("the rows that become a tensor are not of one length: nothing is filled up, or "
        "`max` compares the sequences themselves, not their lengths", _WIDTH),
    "return padded if sequences else torch.tensor([], dtype=torch.long)": (
        "without sequences, an empty list became a tensor of one dimension", "make the rectangle first")})
task.edit(", default=0)", {")": ("`max` of no lengths has no answer", "Python's `max` has an argument `default`")})
# fmt: on


def same_default(answer, sequences):
    """Observe the result without a pad_id, after a call with one."""
    answer(sequences, 7)
    return answer(sequences)


MIXED = [[5, 6], [7, 8, 9, 4], [3]]
EXPECTED = "row i holds sequence i from the left, and `pad_id` after it; as many columns as the longest has words"
task.require("words on the left, padding on the right", EXPECTED,
             [Case("three sequences of 2, 4 and 1 words", (MIXED,)),
              Case("the first is the longest", ([[3, 4, 5], [8]], 0)),
              Case("words that are equal to padding", ([[0, 4, 0], [5], [0]], 0))],
             [Case("the last is the longest", ([[8], [9, 1, 4], [3, 4, 5, 6]], 5)), Case("one sequence", ([[4, 2]],)),
              Case("all equally long", ([[4, 5, 6], [7, 8, 9]], 1)), Case("large ids", ([[2**40, 3], [4]], 0)),
              Case("20 sequences", ([list(range(4, 5 + number)) for number in range(20)],))])  # fmt: skip
task.require("`pad_id` fills the rest", EXPECTED,
             [Case("pad_id = 9", (MIXED, 9)), Case("pad_id = -100", (MIXED, -100)),
              Case("pad_id = 9, and 0 is a word", ([[0, 4], [5, 0, 6]], 9)),
              Case("no pad_id, after a call with one", ([[5], [6, 7]],), same_default)],
             [Case("pad_id = 6", ([[1, 2, 3], [0], [5, 6]], 6))])  # fmt: skip
task.limits("empty sequences, none at all, and wrong input",
            [Case("one of the sequences is empty", ([[5, 6], []],)), Case("empty sequences only", ([[], [], []],)),
             Case("no sequence at all", ([],)), Case("no sequence, pad_id = 6", ([], 6)),
             refusal("a token that is no integer", ([[4, 5], [6, 1.5]],), "sequences"),
             refusal("a token that is a string", ([[4], ["cat"]],), "sequences")],
            EXPECTED + "; shape (0, 0) without sequences")  # fmt: skip
