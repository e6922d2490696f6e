"""Task `fixed_scores` of exercise 14: pseudo-log-likelihood with one call of the model, without its three bugs."""

from course_checks.cases import Case
from course_checks.masked_language_model.models import SmallReader
from course_checks.masked_language_model.pseudo_log_likelihood import right as one_by_one
from course_checks.masked_language_model.shared import MASK, UNIT, sentences
from course_checks.task import Task
from course_checks.words import Finding

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


# fmt: off
_COPIES, _PLACES = "tokens.repeat_interleave(length, dim=0)", "torch.arange(length).repeat(batch)"
_HIDE, _WORDS, _REAL = (
    "torch.where(tokens.flatten() == PAD, PAD, mask_id)", "tokens.reshape(-1, 1)", ".masked_fill(tokens == PAD, 0.0)")
_TURNED = {_COPIES: "tokens.repeat(length, 1)"}, {_PLACES: "torch.arange(length).repeat_interleave(batch)"}
_ASKED = {"copies[rows, places] = ": "asked = copies[rows, places, None]\ncopies[rows, places] = ", _WORDS: "asked"}
_ONE = "with one sentence it is right, with more of them it is not"
for _changes, _cause in (
    *((changes, "the copies of a sentence do not stand where the hidden places expect them: `repeat` and "
                "`repeat_interleave` come in different orders")
      for changes in (_TURNED[0], _TURNED[1], _TURNED[1] | _ASKED)),
    *((changes, "the numbers are put together again in another order than that of the copies") for changes in (
        {".view(batch, length)": ".view(length, batch).T"}, _TURNED[0] | _TURNED[1] | _ASKED)),
    (_TURNED[0] | _ASKED, "the rows of `copies`, the places that are hidden in them, and the sum at the end do not all "
                          "follow one order"),
    (_TURNED[0] | _TURNED[1], "the copies stand one of each sentence after the other, and what is read and added up "
                              "stands sentence by sentence"),
):
    task.edit_places(_changes, _cause, _ROWS, _ONE)
task.edit_places(
    _TURNED[0] | _ASKED | {
        _HIDE: "torch.where(asked[:, 0] == PAD, PAD, mask_id)", f"found{_REAL}.sum(dim=1)": "found.sum(dim=0)",
        ".view(batch, length)": ".masked_fill(asked == PAD, 0.0).view(length, batch)"},
    "the copies of a sentence do not hide each of its words once: some are hidden twice, others never",
    "list (sentence, place) for each row, with 2 sentences of 4 words: does every pair come once?",
    "with 2 sentences of 3 words it is right")
task.edit(_WORDS, {"copies[rows, places, None]": (
    "the answers are read from the copies, where mask_id stands in the place of the word", _ANSWER,
    "every place asks for the probability of mask_id")})
_BESIDE = "a sentence beside a longer one gets another score"
task.edit_places({_HIDE: "mask_id", _REAL: ""}, "padding is counted like a word", _PADS, _BESIDE)
task.edit(_REAL, {"": ("padding is not hidden, but what the model says there is counted", _PADS, _BESIDE)})
task.edit_places({_HIDE: "mask_id", f"found{_REAL}": "(found * (tokens != PAD).double().mean(1, keepdim=True))"},
                 "padding is hidden like a word, and what is not counted is a place, not a copy", _PADS)
task.edit(".sum(dim=1)", {".mean(dim=1)": (
    "the mean over the places, not the sum", "score one sentence of one word and one of two")})
# fmt: on


def score(answer, tokens, mask_id):
    """Observe the scores, and how often the model is called."""
    model = SmallReader(10).eval()
    result = answer(model, tokens, mask_id)
    if model.calls != 1:
        raise Finding(f"the model was called {model.calls} times", "one call for the whole batch: that is what makes "
                      "this version fast", "a loop over the places, or a call of `pseudo_log_likelihood`",
                      "keep the one line that calls the model")  # fmt: skip
    return result


EXPECTED = "the scores of `pseudo_log_likelihood`, from one call of the model"
task.require("one sentence", EXPECTED,
    [Case("one sentence of 4 words", (sentences([5, 6, 7, 8]), MASK), score)],
    [Case("one sentence of 3 words, mask_id = 9", (sentences([5, 6, 7]), 9), score)],
    _ANSWER)  # fmt: skip
task.require("several sentences", EXPECTED,
    [Case("2 sentences of 3 words", (sentences([5, 6, 7], [8, 9, 5]), MASK), score),
     Case("2 sentences of 4 words", (sentences([5, 6, 7, 9], [8, 9, 5, 6]), MASK), score)],
    [Case("4 sentences of 2 words", (sentences([5, 6], [8, 9], [7, 5], [6, 8]), MASK), score),
     Case("3 sentences of 3 words", (sentences([5, 6, 7], [8, 9, 5], [7, 5, 9]), MASK), score)],
    _ROWS)  # fmt: skip
task.require("sentences with padding", EXPECTED,
    [Case("3 sentences, two of them with padding", (sentences([5, 6, 7, 8], [9, 5, 0, 0], [6, 7, 8, 0]), MASK), score)],
    [Case("2 sentences, one of them with padding", (sentences([5, 6, 7, 8, 9], [9, 5, 0, 0, 0]), MASK), score)],
    _PADS)  # fmt: skip
