"""Task `nucleus` of exercise 11, the stretch."""

import torch

from course_checks.cases import Case
from course_checks.decoding.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("nucleus", UNIT)
_WHICH = "which words stay for p = 0.7 and probabilities 0.5, 0.3, 0.2?"
_LOGITS = "divide the logits, and begin from there"


@task.oracle
def right(logits, p, temperature=1.0):
    """Keep words row by row, in plain Python."""
    rows = []
    for row in torch.softmax(logits.double() / temperature, -1).reshape(-1, logits.shape[-1]).tolist():
        kept, total = set(), 0.0
        for word in sorted(range(len(row)), key=lambda word: -row[word]):
            if total < p:
                kept.add(word)
                total += row[word]
        rows.append([row[word] / total if word in kept else 0.0 for word in range(len(row))])
    return torch.tensor(rows, dtype=logits.dtype).reshape(logits.shape)


@task.pipeline(
    kept={
        "without the last": Wrong("the word with which the total reaches p is dropped: it is the last one that stays",
                                  "", _WHICH),
        "above p": Wrong("words are kept by their own probability, not by the total", "", _WHICH),
        "one more": Wrong("one word too many is kept", "", _WHICH),
    },
    total={"whole": Wrong("what is left is not divided by its total", "a row does not sum to 1", "sum a row")},
    heat={
        "none": Wrong("`temperature` is not used", "", _LOGITS),
        "after": Wrong("the temperature comes after the choice of words, or after softmax", "", _LOGITS),
        "times": Wrong("the logits are multiplied by the temperature, not divided", "", _LOGITS),
    },
    order={"sorted": Wrong("the probabilities stay in sorted order", "the words have changed places",
                           "what does `sort` return beside the values?")},
)  # fmt: skip
def nucleus(logits, p, temperature=1.0, *, kept="up to p", total="kept", heat="before", order="words"):
    """Keep words with one choice for each step."""
    factor = {"none": 1.0, "after": 1.0, "times": temperature}.get(heat, 1 / temperature)
    probabilities, places = torch.softmax(logits * factor, -1).sort(-1, descending=True)
    before = probabilities.cumsum(-1) - probabilities
    stays = before < p
    if kept == "without the last":
        stays = before + probabilities <= p
    elif kept == "above p":
        stays = probabilities >= p
    elif kept == "one more":
        stays = torch.cat([stays[..., :1], stays[..., :-1]], -1)
    left = probabilities * stays
    left = left ** (1 / temperature) if heat == "after" else left
    left = left if total == "whole" else (left / left.sum(-1, keepdim=True)).nan_to_num()
    return left if order == "sorted" else torch.zeros_like(left).scatter(-1, places, left)


def inputs(p, *temperature):
    """Take two rows of four words with round probabilities."""
    return lambda draw: (torch.tensor([[0.05, 0.3, 0.15, 0.5], [0.1, 0.2, 0.4, 0.3]]).double().log(), p, *temperature)


task.require(
    "the fewest words that together have probability p",
    "the fewest words with p together, the most probable first, and what is left sums to 1",
    [Case("p 0.72", inputs(0.72)), Case("p 0.45", inputs(0.45)), Case("p 0.85, temperature 2", inputs(0.85, 2.0)),
     Case("p 1", inputs(1.0)),
     Case("3 times 2 rows of 7 words, p 0.6", lambda draw: (draw(3, 2, 7, dtype=torch.float64), 0.6))],
)  # fmt: skip
