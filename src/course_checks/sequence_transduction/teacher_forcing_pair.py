"""Task `teacher_forcing_pair` of exercise 01."""

import torch

from course_checks.cases import Case, refusal
from course_checks.sequence_transduction.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong
from transformer_course.common.tokens import BOS, EOS, PAD

task = Task("teacher_forcing_pair", UNIT)
_BELOW = "write down input and labels of a sentence of two words, one below the other"
_ONE = "take away a column, the same for all rows, and look at no value"


@task.oracle
def right(target):
    """Take away the last column, and the first one."""
    length = target.shape[1]
    return target.narrow(1, 0, length - 1), target.narrow(1, 1, length - 1)


@task.pipeline(
    pair={
        "exchanged": Wrong("the two results are exchanged", "the decoder reads the words that it shall say, and says "
                           "those that it read", "return the input first, then the labels"),
        "both late": Wrong("the decoder's input is shifted too", "the decoder reads the very words that it shall say",
                           "the first word that the decoder reads is BOS"),
        "both early": Wrong("the labels are not shifted, or in the wrong direction",
                            "the labels are the decoder's input itself: a model that "
                            "copies would be perfect", _BELOW),
        "whole": Wrong("nothing is taken away", "both results are as long as the target", _BELOW),
        "whole input": Wrong("nothing is taken away from the input", "the input is as long as the target", _BELOW),
        "whole labels": Wrong("nothing is taken away from the labels", "the labels are as long as the target", _BELOW),
        "twice": Wrong("the shift is by two", "two columns are gone", _BELOW),
        "rows": Wrong("a row is taken away in the place of a column", "a sentence is gone",
                      "`target[:, ...]`: the first dimension is the batch"),
        "BOS added": Wrong("BOS is put in front; the target begins with it already", "", _ONE),
        "BOS again": Wrong("BOS is put in front of a target that was shifted twice",
                           "after BOS, the input goes on with the third word", _ONE),
        "BOS in both": Wrong("first and last column are cut from both", "", _BELOW),
        "zeros": Wrong("a column of padding is put in the place of the one that is taken away", "", _ONE),
    },
    eos={
        "not read": Wrong("EOS is taken out of the decoder's input, row by row; it may stay, since what is said after "
                          "it is padding in the labels", "EOS is missing from the decoder's input", _ONE),
        "not said": Wrong("EOS is taken out of the labels, so that the model never learns to stop",
                          "EOS is missing from the labels", "the model has to say EOS too"),
        "added": Wrong("EOS is written to the end of a row that holds none", "", _ONE),
    },
)  # fmt: skip
def teacher_forcing_pair(target, *, pair="right", eos="as it is"):
    """Split with one choice for the pair, and one for EOS."""
    early, late = target[:, :-1], target[:, 1:]
    bos, zero = torch.full_like(target[:, :1], BOS), torch.full_like(target[:, :1], PAD)
    reads, says = {
        "exchanged": lambda: (late, early),
        "both late": lambda: (late, late),
        "both early": lambda: (early, early),
        "whole": lambda: (target, target),
        "whole input": lambda: (target, late),
        "whole labels": lambda: (early, target),
        "twice": lambda: (target[:, :-2], target[:, 2:]),
        "rows": lambda: (target[:-1], target[1:]),
        "BOS added": lambda: (torch.cat([bos, target], 1), target),
        "BOS again": lambda: (torch.cat([bos, target[:, 2:]], 1), late),
        "BOS in both": lambda: (target[:, 1:-1], target[:, 1:-1]),
        "zeros": lambda: (torch.cat([early, zero], 1), torch.cat([late, zero], 1)),
    }.get(pair, lambda: (early, late))()
    if eos == "not read":
        reads = reads.masked_fill(reads == EOS, PAD)
    if eos == "not said":
        says = says.masked_fill(says == EOS, PAD)
    if eos == "added" and says.shape[1]:
        cut = (target != EOS).all(1) & (target[:, -1] != PAD)
        says = torch.cat([says[:, :-1], says[:, -1:].masked_fill(cut[: len(says), None], EOS)], 1)
    return reads, says


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
task.limits(
    "sentences without words, BOS alone, and wrong input",
    [Case("sentences without words", tokens([1, 2], [1, 2])), Case("BOS alone", tokens([1], [1])),
     refusal("a target without a batch", (torch.tensor([1, 5, 2]),), "target"),
     refusal("a target of floats", tokens([1.0, 5.0, 2.0]), "target")],
)  # fmt: skip
