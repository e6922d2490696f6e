"""Task `fixed_scores` of exercise 14: pseudo-log-likelihood with one call of the model, without its three bugs."""

import torch

from course_checks.cases import Case
from course_checks.masked_language_model.models import SmallReader
from course_checks.masked_language_model.pseudo_log_likelihood import right as one_by_one
from course_checks.masked_language_model.shared import MASK, UNIT
from course_checks.task import Task
from course_checks.words import Finding, Wrong
from transformer_course.common.tokens import PAD

task = Task("fixed_scores", UNIT)

_ROWS = "print `copies` for two sentences of two words: which row is whose copy, and what is hidden in it?"
_ANSWER = "which token stands in `copies` at the hidden place?"
_PADS = "score a short sentence alone, and again beside a longer one"


@task.oracle
def right(model, tokens, mask_id):
    """Score with as many calls as there are words, and count them as one."""
    scores = one_by_one(model, tokens, mask_id)
    model.calls = 1
    return scores


_MIXED = Wrong("the copies of a sentence do not stand where the hidden places expect them: `repeat` and "
               "`repeat_interleave` come in different orders", "with one sentence it is right", _ROWS)  # fmt: skip
_BACK = Wrong("the numbers are put together again in another order than that of the copies",
              "with one sentence it is right", _ROWS)  # fmt: skip


@task.pipeline(
    order={
        "mixed": _MIXED,
        "places mixed": _MIXED,
        "places alone": _MIXED,
        "mixed back": _BACK,
        "copies mixed": _BACK,
        "copies and places": _BACK,
        "all but the answers": Wrong("the copies stand one of each sentence after the other, and what is read and "
                                     "added up stands sentence by sentence", "with one sentence it is right", _ROWS),
    },
    answers={"copies": Wrong("the answers are read from the copies, where mask_id stands in the place of the word",
                             "every place asks for the probability of mask_id", _ANSWER)},
    padding={
        "counted": Wrong("padding is counted like a word", "a sentence beside a longer one gets another score", _PADS),
        "seen": Wrong("padding is not hidden, but what the model says there is counted",
                      "a sentence beside a longer one gets another score", _PADS),
        "hidden": Wrong("padding is hidden like a word, and what is not counted is a place, not a copy", "", _PADS),
    },
    total={"mean": Wrong("the mean over the places, not the sum", "", "score one sentence of one word and one of two")},
)  # fmt: skip
def fixed_scores(model, tokens, mask_id, *, order="right", answers="tokens", padding="left out", total="sum"):
    """Score with one call, with one choice for each step."""
    batch, length = tokens.shape
    other_copies = order in ("mixed", "copies mixed", "copies and places", "all but the answers")
    other_places = order in ("places mixed", "places alone", "copies and places", "all but the answers")
    copies = tokens.repeat(length, 1) if other_copies else tokens.repeat_interleave(length, 0)
    rows, places = torch.arange(batch * length), torch.arange(length).repeat(batch)
    places = torch.arange(length).repeat_interleave(batch) if other_places else places
    asked = copies[rows, places]
    copies[rows, places] = torch.where(asked == PAD, PAD, mask_id) if padding == "seen" else mask_id
    with torch.no_grad():
        said = model(copies).log_softmax(-1)[rows, places]  # (batch * length, vocab_size)
    in_rows = order in ("right", "mixed", "mixed back", "places alone", "all but the answers")
    wanted = copies[rows, places] if answers == "copies" else tokens.flatten() if in_rows else asked
    found = said.gather(1, wanted[:, None])[:, 0]
    found = found.view(length, batch).T if order == "mixed back" else found.view(batch, length)
    if padding == "left out":
        found = found.masked_fill(tokens == PAD, 0.0)
    elif padding == "hidden":
        found = found * (tokens != PAD).double().mean(1, keepdim=True)
    return found.mean(1) if total == "mean" else found.sum(1)


def score(answer, tokens, mask_id):
    """Observe the scores, and how often the model is called."""
    model = SmallReader(10).eval()
    result = answer(model, tokens, mask_id)
    if model.calls != 1:
        raise Finding(f"the model was called {model.calls} times", "one call for the whole batch: that is what makes "
                      "this version fast", "a loop over the places, or a call of `pseudo_log_likelihood`",
                      "keep the one line that calls the model")  # fmt: skip
    return result


def sentences(*rows):
    """Take these sentences."""
    return torch.tensor(rows)


EXPECTED = "the scores of `pseudo_log_likelihood`, from one call of the model"
task.require(
    "one sentence",
    EXPECTED,
    [Case("one sentence of 4 words", (sentences([5, 6, 7, 8]), MASK), score)],
    [Case("one sentence of 3 words, mask_id = 9", (sentences([5, 6, 7]), 9), score)],
    _ANSWER,
)
task.require(
    "several sentences",
    EXPECTED,
    [Case("2 sentences of 3 words", (sentences([5, 6, 7], [8, 9, 5]), MASK), score)],
    [Case("3 sentences of 3 words", (sentences([5, 6, 7], [8, 9, 5], [7, 5, 9]), MASK), score)],
    _ROWS,
)
task.require(
    "sentences with padding",
    EXPECTED,
    [Case("3 sentences, two of them with padding", (sentences([5, 6, 7, 8], [9, 5, 0, 0], [6, 7, 8, 0]), MASK), score)],
    [Case("2 sentences, one of them with padding", (sentences([5, 6, 7, 8, 9], [9, 5, 0, 0, 0]), MASK), score)],
    _PADS,
)
