"""Task `fill_gaps` of exercise 14, the stretch."""

import torch

from course_checks.cases import Case
from course_checks.masked_language_model.models import SmallReader
from course_checks.masked_language_model.shared import MASK, UNIT
from course_checks.task import Task
from course_checks.words import Wrong

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


@task.pipeline(
    order={
        "at once": Wrong("all gaps are filled at once, so that no guess knows the others", "", _ONE),
        "left": Wrong("gaps are filled from left to right, not the surest one first", "", _ONE),
        "least": Wrong("the least certain gap is filled first", "", _ONE),
        "anywhere": Wrong("a place that is no gap may be chosen, and is filled anew", "", "which places may not win?"),
        "logit": Wrong("the largest logit decides which gap comes first, not the largest probability", "",
                       "logits of two places are not on one scale"),
    },
    word={"mask": Wrong("mask_id itself may be filled in", "a gap is filled with a gap", "which word may not win?")},
    batch={"first": Wrong("the gap is chosen for all sentences together", "", "try two sentences")},
)  # fmt: skip
def fill_gaps(model, tokens, mask_id, *, order="surest", word="any", batch="each"):
    """Fill gaps with one choice for each step."""
    tokens, mode = tokens.clone(), model.training
    model.eval()
    for _ in range(tokens.shape[1]):
        gaps = tokens == mask_id
        if not gaps.any():
            break
        with torch.no_grad():
            logits = model(tokens)
        said = logits if order == "logit" else logits.softmax(-1)
        if word != "mask":
            said = said.clone()
            said[..., mask_id] = -torch.inf
        sure, best = said.max(-1)
        sure = {"left": -torch.arange(tokens.shape[1]).double().expand(sure.shape), "least": -sure}.get(order, sure)
        gaps = gaps | True if order == "anywhere" else gaps
        sure = sure.masked_fill(~gaps, -torch.inf)
        place = sure.sum(0, keepdim=True).argmax(1) if batch == "first" else sure.argmax(1)
        chosen = gaps & (torch.arange(tokens.shape[1]) == place[:, None])
        tokens = torch.where(gaps if order == "at once" else chosen, best, tokens)
    model.train(mode)
    return tokens


def filled(answer, tokens):
    """Observe the sentences."""
    return answer(SmallReader(12, seed="gaps 1").eval(), tokens, MASK)


task.require(
    "the surest gap first, then the next, with what stands there now",
    "one word at a time, where the largest probability is, until no gap is left",
    [Case("a sentence with 3 gaps", (torch.tensor([[5, 4, 7, 4, 4]]),), filled),
     Case("4 sentences, with 0 to 5 gaps", (torch.tensor([[5, 6, 7, 8, 9], [4, 6, 4, 8, 11], [4, 4, 4, 4, 4],
                                                          [9, 4, 4, 4, 5]]),), filled)],
)  # fmt: skip
