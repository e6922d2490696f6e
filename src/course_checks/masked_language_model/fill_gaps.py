"""Task `fill_gaps` of exercise 14, the stretch."""

import torch

from course_checks.cases import Case
from course_checks.masked_language_model.models import MODE, SmallReader, same_mode
from course_checks.masked_language_model.shared import MASK, UNIT
from course_checks.task import Task
from course_checks.words import Finding

task = Task("fill_gaps", UNIT)

_ONE = "print the sentence after every word that is filled in: how many gaps close at once, and which one first?"


@task.oracle
def right(model, tokens, mask_id):
    """Fill the gaps of each sentence alone, in plain Python."""
    filled, mode = [], model.training
    model.eval()
    for row in tokens.tolist():
        while mask_id in row:
            with torch.no_grad():
                said = model(torch.tensor([row]))[0].softmax(-1).tolist()
            best = [(probability, -place, -word) for place, each in enumerate(row) if each == mask_id
                    for word, probability in enumerate(said[place]) if word != mask_id]  # fmt: skip
            _, place, word = max(best)
            row[-place] = -word
        filled.append(row)
    model.train(mode)
    return torch.tensor(filled)


# fmt: off
_SAID, _SUREST = "model(tokens).softmax(dim=-1)", "best.masked_fill(~gaps, -torch.inf)"
_UNTIL = "while (tokens == mask_id).any():"
_ENDS = {_UNTIL: "for _ in range(tokens.shape[1]):\n    if not (tokens == mask_id).any():\n        break"}
task.edit("tokens.scatter(1, surest, words.gather(1, surest))", {
    "words": ("all gaps are filled at once, so that no guess knows the others", _ONE)})
task.edit("torch.where(gaps, filled, tokens)", {"filled": (
    "a sentence that has no gap, or no more, is written into as well", "which sentences may change in a turn?",
    "a word that was no gap has changed")})
task.edit(_SUREST, {
    "gaps.int()": ("gaps are filled from left to right, not the surest one first", _ONE),
    _SUREST.replace("best", "(-best)"): ("the least certain gap is filled first", _ONE)})
for _ends in {}, _ENDS:
    task.edit_places(_ends | {_SUREST: "best", "torch.where(gaps, filled, tokens)": "filled"},
                     "a place that is no gap may be chosen, and is filled anew", "which places may not win?")
    task.edit_places(_ends | {"probabilities[..., mask_id] = -1.0": ""},
                     "mask_id itself may be filled in", "which word may not win?", "a gap is filled with a gap")
task.edit_places({_SAID: "model(tokens)", "= -1.0": "= -torch.inf"},
                 "the largest logit decides which gap comes first, not the largest probability",
                 "logits of two places are not on one scale")
task.edit_places(_ENDS | {_SUREST: f"{_SUREST}.sum(0, keepdim=True).expand_as(gaps)"},
                 "the gap is chosen for all sentences together", "try two sentences")
task.edit("model.eval()", {"": (
    "the model runs in the mode in which it comes, with dropout if that is training", MODE)})
task.edit("model.train(came_in_training)", {
    "": ("the model is left in evaluation mode, although it came in training mode", MODE),
    "model.train()": ("the model is always left in training mode", MODE)})
# fmt: on


class Asked(SmallReader):
    """A model that is not asked for ever."""

    def forward(self, tokens):
        """Return logits, 200 times."""
        if self.calls == 200:
            raise Finding("the model was asked 200 times, and gaps are left", "", "mask_id itself is filled in, or a "
                          "place that is no gap, so that the loop never ends", _ONE)  # fmt: skip
        return super().forward(tokens)


def filled(answer, tokens, training=False):
    """Observe the sentences, and that the model comes out as it went in."""
    model = Asked(12, seed="gaps 1").train(training)
    result = answer(model, tokens, MASK)
    same_mode(model, training)
    return result


task.require("the surest gap first, then the next, with what stands there now",
    "one word at a time, where the largest probability is, until no gap is left",
    [Case("a sentence with 3 gaps", (torch.tensor([[5, 4, 7, 4, 4]]),), filled),
     Case("4 sentences, with 0 to 5 gaps", (torch.tensor([[5, 6, 7, 8, 9], [4, 6, 4, 8, 11], [4, 4, 4, 4, 4],
                                                          [9, 4, 4, 4, 5]]),), filled)])  # fmt: skip
task.require("in evaluation mode, and the mode stays",
    "the words of the model in evaluation mode; the model is left in the mode that it had",
    [Case("a model in training mode", (torch.tensor([[5, 4, 7, 4, 4], [4, 4, 6, 8, 4]]), True), filled)])  # fmt: skip
