"""What a variant of exercise 10 is drawn from: predictions alone.

The check of its bug hunt looks for five symptoms, those of the public bugs.
"""

import torch
from torch import Tensor

from course_checks.modules import built
from course_checks.transformer.predictions import WORDS, predictions
from course_checks.transformer.shared import Right
from course_checks.variants import Question, Questions, between

SOURCE, TARGET = torch.tensor([[4, 5, 6, 2], [7, 8, 2, 0]]), torch.tensor([[1, 4, 5, 6, 7, 8], [1, 9, 8, 2, 0, 0]])


def _changed(tokens: Tensor, row: int, start: int, *words: int) -> Tensor:
    tokens = tokens.clone()
    tokens[row, start : start + len(words)] = torch.tensor(words)
    return tokens


def _moved(key: str, text: str, source: str, target: str) -> Question:
    def measure() -> str:
        model = built(Right, 10, 10, 8, 2, 1, 1, 12, 0.0)
        names = {"source": SOURCE, "target": TARGET, "changed": _changed, "torch": torch}
        before, after = model(SOURCE, TARGET), model(eval(source, names), eval(target, names))
        moved = (after[0, :6] - before[0]).abs().amax(dim=-1) > 1e-6
        return WORDS[tuple(moved.nonzero().flatten().tolist())]

    return Question(key, text, measure, f'        "{key}": ({source}, {target}),')


questions = Questions(
    predictions,
    "A Transformer reads a batch of two sentence pairs: sources of 4 tokens, and targets of 6, whose positions are 0 "
    "to 5. In evaluation mode you change one thing and look at the logits at the six positions of the *first* pair. "
    "Which of them move, for weights that are not special, if",
    'Answer each with `"all"`, `"from 3 on"` or `"none"`. Do not work it out, guess; a cell after task 2 measures it '
    "with your own model, another compares, and you may come back.",
    "reach",
    between("for change, pair in {\n", "    }.items():"),
    (
        _moved("EOS of its source", "the EOS of its source becomes a word", "changed(source, 0, 3, 9)", "target"),
        _moved("words from 3 on", "all words of its target from position 3 on become others", "source",
               "changed(target, 0, 3, 9, 9, 9)"),
        _moved("words 3 and 5", "the words at the positions 3 and 5 of its target change places", "source",
               "changed(target, 0, 3, 8, 7, 6)"),
        _moved("BOS of its target", "the BOS of its target becomes a word", "source", "changed(target, 0, 0, 9)"),
        _moved("another target", "a word in the target of the second pair becomes another one", "source",
               "changed(target, 1, 1, 4)"),
        _moved("PAD of another target", "the two PAD at the end of the second target become words", "source",
               "changed(target, 1, 4, 6, 7)"),
        _moved("word order of another source", "the words of the second source change places",
               "changed(source, 1, 0, 8, 7)", "target"),
        _moved("source turned around", "the words of its source come in the opposite order",
               "changed(source, 0, 0, 6, 5, 4)", "target"),
        _moved("a third pair", "a third pair of sentences is put into the batch",
               "torch.cat([source, source[1:]])", "torch.cat([target, target[1:]])"),
    ),
)  # fmt: skip
