"""Task `teacher_forcing_pair` of exercise 01."""

import torch

from course_checks.cases import Case, refusal
from course_checks.sequence_transduction.shared import UNIT
from course_checks.task import Task

task = Task("teacher_forcing_pair", UNIT)
_BELOW = "write down input and labels of a sentence of two words, one below the other"
_ONE = "take away a column, the same for all rows, and look at no value"


@task.oracle
def right(target):
    """Take away the last column, and the first one."""
    length = target.shape[1]
    return target.narrow(1, 0, length - 1), target.narrow(1, 1, length - 1)


# fmt: off
task.edit("target[:, :-1], target[:, 1:]", {
    "target[:, 1:], target[:, :-1]": ("the two results are exchanged", "return the input first, then the labels",
        "the decoder reads the words that it shall say, and says those that it read"),
    "target[:, 1:], target[:, 1:]": ("the decoder's input is shifted too", "the first word that the decoder reads is "
        "BOS", "the decoder reads the very words that it shall say"),
    "target[:, :-1], target[:, :-1]": ("the labels are not shifted, or in the wrong direction", _BELOW,
        "the labels are the decoder's input itself: a model that copies would be perfect"),
    "target, target": ("nothing is taken away", _BELOW, "both results are as long as the target"),
    "target, target[:, 1:]": ("nothing is taken away from the input", _BELOW, "the input is as long as the target"),
    "target[:, :-1], target": ("nothing is taken away from the labels", _BELOW, "the labels are as long as the target"),
    "target[:, :-1], target.roll(1, dims=1)[:, :-1]": ("the labels are shifted the wrong way: each is the word before "
        "the one that is read", _BELOW, "the labels lag behind"),
    **dict.fromkeys(("target, target.roll(-1, dims=1)", "target, F.pad(target[:, 1:], (0, 1))"), (
        "nothing is taken away: the labels are shifted, and filled up to the old width (with padding, or with BOS when "
        "they are rolled)", _BELOW, "both results are as long as the target")),
    "target[:, :-2], target[:, 2:]": ("the shift is by two", _BELOW, "two columns are gone"),
    "target[:, :-2], target[:, 1:-1]": (
        "two columns are taken away from each, not one: the last label is lost", _BELOW),
    "target[:-1], target[1:]": ("a row is taken away in the place of a column",
        "`target[:, ...]`: the first dimension is the batch", "a sentence is gone"),
    "F.pad(target, (1, 0), value=BOS), target": ("BOS is put in front; the target begins with it already", _ONE),
    "F.pad(target[:, 2:], (1, 0), value=BOS), target[:, 1:]": ("BOS is put in front of a target that was shifted "
        "twice", _ONE, "after BOS, the input goes on with the third word"),
    "target[:, 1:-1], target[:, 1:-1]": ("first and last column are cut from both", _BELOW),
    "F.pad(target[:, :-1], (0, 1)), F.pad(target[:, 1:], (0, 1))": (
        "a column of padding is put in the place of the one that is taken away", _ONE),
})
task.edit("return decoder_input, labels", {
    "return decoder_input.masked_fill(decoder_input == EOS, PAD), labels": ("EOS is taken out of the decoder's input, "
        "row by row; it may stay, since what is said after it is padding in the labels", _ONE,
        "EOS is missing from the decoder's input"),
    "return target[target != EOS].view(len(target), -1), labels": ("EOS is cut out of the rows (`target[target != "
        "EOS]`): what stands behind it moves to the left, and a row without EOS fits no more", _ONE),
    "return decoder_input, labels.masked_fill(labels == EOS, PAD)": ("EOS is taken out of the labels, so that the "
        "model never learns to stop", "the model has to say EOS too", "EOS is missing from the labels"),
    "cut = (target != EOS).all(1) & (target[:, -1] != PAD)\n"
    "return decoder_input, torch.cat([labels[:, :-1], labels[:, -1:].masked_fill(cut[:, None], EOS)], 1)": (
        "EOS is written to the end of a row that holds none", _ONE),
})
# fmt: on


def tokens(*rows):
    """Make a target of these rows."""
    return (torch.tensor(rows),)


ENDED, CUT = [1, 7, 8, 2, 0, 0], [1, 5, 6, 9, 4, 3]
task.require(
    "the decoder reads BOS first, and each label is the word after the one that is read",
    "the decoder's input is the target without its last column, the labels are the target without its first",
    [Case("three sentences, padded to a length of 6", tokens(ENDED, [1, 5, 6, 9, 4, 2], [1, 2, 0, 0, 0, 0])),
     Case("no row holds EOS", tokens([1, 5, 6], [1, 7, 8], [1, 8, 9])),
     Case("BOS, EOS and padding inside a row", tokens([1, 2, 1, 0, 2, 4]))],
    [Case("one sentence", tokens([1, 5, 6, 2])), Case("with EOS, and cut", tokens(ENDED, CUT)),
     Case("BOS and EOS inside a row", tokens([1, 1, 2, 2, 1, 4], [1, 2, 1, 0, 2, 2])),
     Case("as many rows as columns", tokens([1, 4, 5, 2], [1, 6, 2, 0], [1, 2, 0, 0], [1, 7, 8, 9]))],
)  # fmt: skip
task.limits("sentences without words, BOS alone, and wrong input",
            [Case("sentences without words", tokens([1, 2], [1, 2])), Case("BOS alone", tokens([1], [1])),
             refusal("a target without a batch", (torch.tensor([1, 5, 2]),), "target"),
             refusal("a target of floats", tokens([1.0, 5.0, 2.0]), "target")])  # fmt: skip
