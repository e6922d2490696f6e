"""The predictions of exercise 10: which logits of a sentence a change moves."""

import torch
from torch.nn.functional import pad

from course_checks.modules import built
from course_checks.predictions import Predictions
from course_checks.transformer.shared import Right
from course_checks.transformer.transformer import moves

WORDS = {(0, 1, 2, 3, 4, 5): "all", (3, 4, 5): "from 3 on", (): "none"}


def _measure():
    model = built(Right, 10, 10, 8, 2, 1, 1, 12, 0.0)
    source, target = torch.tensor([[4, 5, 6, 2], [7, 8, 2, 0]]), torch.tensor([[1, 4, 5, 6, 7, 8], [1, 9, 8, 2, 0, 0]])
    one_word, order, other, later = source.clone(), source[:, [1, 0, 2, 3]], source.clone(), target.clone()
    one_word[0, 1], other[1, 0], later[0, 3] = 9, 9, 9
    pairs = (one_word, target), (source, later), (order, target), (pad(source, (0, 2)), target), (other, target)
    return [WORDS[tuple(moves(model(source, target), model(*changed), target))] for changed in pairs]


predictions = Predictions(
    ("a word of its source", "word 3 of its target", "word order of its source", "PAD after its source",
     "a word of another sentence"),
    _measure,
    "the cell after task 2",
    tuple(WORDS.values()),
)  # fmt: skip
