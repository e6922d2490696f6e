"""Task `encode` of exercise 02."""

import torch

from course_checks.cases import Case, call, gradients, part, refusal
from course_checks.outcomes import is_tensor
from course_checks.rnn_encoder_decoder.models import Cell
from course_checks.rnn_encoder_decoder.shared import UNIT, hinted, saying
from course_checks.sequence_transduction.shared import where_nan
from course_checks.task import Task
from course_checks.words import Finding

task = Task("encode", UNIT, ("gru", "rnn_tanh", "rnn_relu", "lstm", "pack_padded"))

_KEEP = "take a sentence of one word, padded to three: which state is the final one, and what are the three outputs?"
_TIMES = (
    "what the cell makes of the padding is multiplied with 0, and 0 times NaN is NaN",
    "choose between two numbers with `torch.where` or `masked_fill`, do not multiply",
)
_LAST = "print the state after each word of the shortest sentence, and compare with what you return"


@task.oracle
def right(embedded, lengths, cell, hidden):
    """Read each sentence alone, without its padding, and put the results together."""
    outputs, finals = [], []
    for row, real in enumerate(lengths.tolist()):
        states = [hidden[row : row + 1]]
        for position in range(real):
            states.append(cell(embedded[row : row + 1, position], states[-1]))
        padding = hidden.new_zeros(embedded.shape[1] - real, hidden.shape[1])
        outputs.append(torch.cat([*states[1:], padding]))
        finals.append(states[-1])
    if not outputs:
        return hidden.new_zeros(0, embedded.shape[1], hidden.shape[1]), hidden
    return torch.stack(outputs), torch.cat(finals)


# fmt: off
_BACK, _START = "torch.cat(outputs, dim=1), hidden", "batch, length, _ = embedded.shape"
task.edit(_START, {
    f"{_START}\nhidden = torch.zeros_like(hidden)": (
        "the reading starts from zeros: `hidden` is not used", "`hidden` is the state before the first word"),
    f"{_START}\norder = lengths.argsort(descending=True)\n"
    "embedded, lengths, hidden = embedded[order], lengths[order], hidden[order]": (
        "the sentences are sorted by their lengths, and not put back into their order",
        "row i of both results belongs to sentence i: print the lengths before and after")})
task.edit("outputs = [", {"hidden = hidden[:1].expand_as(hidden)\noutputs = [": (
    "every sentence starts from the first row of `hidden`, not from its own",
    "row i of `hidden` belongs to sentence i")})
task.edit_places({"outputs = [": "first = hidden\noutputs = [", "position], hidden)": "position], first)"},
                 "every word is read with the first state: the new state is not handed on",
                 "the cell needs the state that it returned for the word before")
_VISITS = "print the positions that your loop visits"
task.edit_places({"range(length)": "reversed(range(length))", "torch.cat(outputs,": "torch.cat(outputs[::-1],"},
                 "the sentences are read from the end", _VISITS)
task.edit("range(length)", hinted(_VISITS, {
    "range(length - 1)": "the loop ends one position too early",
    "range(int(lengths.max()))":
        "the loop ends at the longest sentence: the outputs lack columns for the rest of the padding"}))
task.edit("torch.where(real,", {
    "torch.where(torch.ones_like(real),": ("the cell reads the padding too, and moves the state there", _KEEP),
    "torch.where((position < lengths.clamp(min=1)).unsqueeze(1),": (
        "the final state of a sentence without words is that after one word, read from the padding", _LAST)})
task.edit("position < lengths", hinted(_KEEP, {
    "position <= lengths": "one position too many counts as real (`<=` for `<`)",
    "position < lengths - 1": "the last word of a sentence is not read",
    "position >= lengths": "the condition is turned around: words are skipped, and padding is read"}))
task.edit(".masked_fill(~real, 0.0)", {"": (
    "the outputs past the end of a sentence are not set to 0", _KEEP)})
task.edit("torch.where(real, cell(embedded[:, position], hidden), hidden)", {
    "real * cell(embedded[:, position], hidden) + ~real * hidden": (*_TIMES, "numbers are NaN")})
for _empty in ("cat", "stack"):
    task.edit_places({"[hidden.new_zeros(batch, 0, hidden.shape[1])]": "[]", "~real, 0.0).unsqueeze(1)":
                      f"~real, 0.0){'.unsqueeze(1)' * (_empty == 'cat')}", "torch.cat(": f"torch.{_empty}("},
                     f"with a length of 0 there is nothing to put together, and `torch.{_empty}` needs at least one "
                     "tensor", "let the outputs begin with something of length 0, or make all of them first, with "
                     "zeros, and fill them in")
task.edit(_BACK, {_BACK.replace("hidden", final): words for final, *words in (
    ("outputs[-1][:, 0]", "the final state is looked up where the outputs are 0 (in the last column, or one position "
     "too late), or the state itself is set to 0 at the padding", _KEEP,
     "the final state of a sentence with padding is 0"),
    ("torch.cat(outputs, dim=1)[torch.arange(batch), lengths - 1]", "the final state is looked up at `lengths - 1`, "
     "which is the last column for a sentence without words", "which position does the index -1 mean?",
     "the final state of a sentence without words is not `hidden`"),
    ("torch.cat(outputs, dim=1)[torch.arange(batch), (lengths - 2).clamp(min=0)]",
     "the final state is the one before the last word", _LAST),
    ("torch.cat(outputs, dim=1).mean(dim=1)", "the final state is a mean over the positions", _LAST),
    ("outputs[1][:, 0]", "the final state is that after the first word", _LAST),
)} | hinted("compare what you return with the third bullet of the task: a pair, and the shapes of its parts", {
    "hidden": "the final state alone is returned, not a pair",
    "torch.cat(outputs, dim=1)": "the outputs alone are returned, not a pair",
    "torch.cat(outputs, dim=1).transpose(0, 1), hidden": "the length stands in the first dimension of the outputs",
    "hidden, torch.cat(outputs, dim=1)": "the two results come in the wrong order"}))
# fmt: on


def inputs(lengths, length, d=3, d_hidden=5, dtype=torch.float64, loud=False, change=lambda *given: given):
    """Draw sentences, padded; ``loud`` puts large numbers into the padding, ``change`` changes all arguments."""

    def make(draw):
        embedded = draw(len(lengths), length, d, dtype=dtype)
        if loud:
            embedded[torch.arange(length) >= torch.tensor(lengths)[:, None]] *= 1e3
        real = torch.tensor(lengths, dtype=torch.long)
        return change(embedded, real, Cell(d, d_hidden, dtype), draw(len(lengths), d_hidden, dtype=dtype))

    return make


def outputs(answer, embedded, lengths, cell, hidden):
    """Observe the outputs."""
    result, (batch, length, _) = answer(embedded, lengths, cell, hidden), embedded.shape
    found = result[0] if type(result) in (tuple, list) and len(result) == 2 else result
    if is_tensor(found) and found.dim() == 3 and found.shape[0] == batch != found.shape[1] != length:
        raise Finding(f"the outputs have {found.shape[1]} positions", f"{length} positions, as many as `embedded`",
                      "the loop does not visit every position", "print the positions of your loop")  # fmt: skip
    return found


def both(situation, *given, **more):
    """Make a case for each of the two results."""
    made = inputs(*given, **more)
    return [
        Case(f"{situation}: the outputs", made, saying(outputs, "the outputs", "a state that is not the one after the "
             "word at this position, or no 0 past the end", _KEEP)),
        Case(f"{situation}: the final state", made, saying(part(1), "the final state", "not the state after the last "
             "real word of each sentence: looked up at another place, or changed by the padding", _LAST)),
    ]  # fmt: skip


def nan_in_padding(draw):
    """Draw sentences, and put NaN into the padding."""
    embedded, lengths, *more = inputs((4, 2, 0), 5)(draw)
    return embedded.masked_fill((torch.arange(5) >= lengths[:, None])[..., None], torch.nan), lengths, *more


PAIR = "the state after each word with 0 past the end, and the state after the last word"
task.require(
    "the outputs with 0 past the end, and the final state",
    PAIR,
    [*both("3 sentences of 5, 2 and 1 words, padded to 5", (5, 2, 1), 5),
     *both("2 sentences of 2 and 4 words, padded to 6 with large numbers", (2, 4), 6, loud=True),
     *both("2 sentences of 3 words, no padding", (3, 3), 3, dtype=torch.float32)],
    [*both("one sentence", (4,), 5), *both("as many of all", (4, 1, 3, 2), 4, 4, 4),
     *both("no padding", (4, 4), 4, 2, 3), *both("all shorter than the padding", (2, 4, 3), 6, 4, 3),
     *both("float32, with large numbers in the padding", (1, 5, 3), 5, 2, 6, torch.float32, loud=True)],
)  # fmt: skip
task.require(
    "the gradients reach the first word",
    "the derivative with respect to the words and to the first state, through all words between",
    [Case("the gradient of the outputs; 4 and 2 words", inputs((4, 2), 4, 2, 3), gradients(0)),
     Case("the gradient of the final state; 4 and 2 words", inputs((4, 2), 4, 2, 3), gradients(1))],
    [Case("the gradient of the final state; 3 sentences", inputs((3, 5, 1), 5, 4, 2), gradients(1))],
)  # fmt: skip


def wrong(situation, argument, change):
    """Make the case of arguments of which one is wrong."""
    return refusal(situation, inputs((2, 3), 3, change=change), argument)


task.limits("NaN in the padding, sentences without words, a length of 0, and wrong input",
            [Case("NaN in the padding", nan_in_padding, where_nan(call, "the cell reads the padding, and what "
                  "comes of it is kept, or multiplied with 0: 0 times NaN is NaN", _TIMES[1])),
             Case("4 sentences of 6, 3, 1 and 0 words", inputs((6, 3, 1, 0), 6)),
             Case("no sentence has words", inputs((0, 0), 2)), Case("a length of 0", inputs((0, 0), 0)),
             wrong("words without a batch", "embedded", lambda e, lengths, cell, h: (e[0], lengths, cell, h)),
             wrong("lengths of another batch", "lengths", lambda e, lengths, cell, h: (e, lengths[:1], cell, h)),
             wrong("lengths that are floats", "lengths", lambda e, lengths, cell, h: (e, lengths.double(), cell, h)),
             wrong("a length below 0", "lengths", lambda e, lengths, cell, h: (e, lengths - 3, cell, h)),
             wrong("a length above the padded one", "lengths", lambda e, lengths, cell, h: (e, lengths + 1, cell, h)),
             wrong("a state of another batch", "hidden", lambda e, lengths, cell, h: (e, lengths, cell, h[:1]))],
            f"{PAIR}; for a sentence without words that is `hidden`")  # fmt: skip
