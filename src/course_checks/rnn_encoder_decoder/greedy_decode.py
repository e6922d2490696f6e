"""Task `greedy_decode` of exercise 02."""

from itertools import combinations

import torch

from course_checks.cases import Case
from course_checks.outcomes import is_tensor
from course_checks.rnn_encoder_decoder.shared import FOLLOW, UNIT, chain, hinted, refused
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("greedy_decode", UNIT)

_STOP = "for each row, remember whether it has ended; when is nothing left to do?"
_END = "write down the rows of [5, EOS], [EOS] and [5, 6, 7], with max_length 3, and compare with your loop"


@task.oracle
def right(step, state, batch_size, max_length, bos_id=1, eos_id=2, pad_id=0):
    """Follow the most probable word, one sentence at a time, in plain Python."""
    rows = []
    for number in step.starts:
        row, token = [], bos_id
        while len(row) < max_length and token != eos_id:
            number = step.follow(number, token)
            token = int(step.table[number].argmax())
            row.append(token)
        rows.append(row)
    longest = max(map(len, rows), default=0)
    filled = [row + [pad_id] * (longest - len(row)) for row in rows]
    return torch.tensor(filled, dtype=torch.long).reshape(len(rows), longest)


# fmt: off
task.edit("step(tokens, state)", {"step(torch.full((batch_size,), bos_id), state)": (
    "every step reads BOS: the word that was written is not given back to the model", FOLLOW)})
task.edit("logits, state = ", {"logits, _ = ": (
    "every step begins with the first `state`: the new state is not handed on", FOLLOW)})
task.edit("logits.argmax(dim=1)", hinted("print what your line picks from the logits [0.1, 0.7, 0.2]", {
    "logits.argmin(dim=1)": "the least probable word is taken",
    "torch.multinomial(logits.softmax(dim=1), 1).squeeze(1)": "the word is drawn at random"}))
task.edit("not ended.all()", hinted(_STOP, {
    "True": "the loop goes on to `max_length` after every sentence has ended",
    "not ended.any()": "the loop stops as soon as one sentence has ended",
    "not (written[:, :-1] == eos_id).any(dim=1).all()":
        "the loop stops one step after the last sentence has ended"}))
task.edit_places({"not ended.all()": "True",
                  "return written": "return written[:, : int((written != pad_id).any(dim=0).nonzero().max()) + 1]"},
                 "the loop goes on to `max_length`, and what is too much is cut off at the end", _STOP)
task.edit("written = torch.cat(", {"if (ended | (tokens == eos_id)).all():\n    break\nwritten = torch.cat(": (
    "the last column is lost: the loop stops before it is kept", _STOP)})
task.edit("< max_length", hinted("`max_length` counts the words of the result: EOS, and not BOS", {
    "< max_length - 1": "sentences are cut one word too early: BOS is counted, or the loop is one step short",
    "<= max_length": "sentences are cut one word too late",
    "< max_length + 40": "`max_length` is not used: a sentence may be longer"}))
task.edit(".masked_fill(ended, pad_id)", hinted(_END, {
    "": "a sentence that has ended goes on writing",
    ".masked_fill(ended, eos_id)": "EOS stands after the end, not `pad_id`"}))
task.edit("ended | ", {"": (
    "a row counts as ended only right after its EOS: one step later it writes again", _END)})
task.edit_places({".masked_fill(ended, pad_id)": "", "ended | ": ""},
                 "no row is remembered as ended: the loop waits for a step in which all rows say EOS at once", _END)
task.edit_places({"written = torch.zeros(batch_size, 0, dtype=torch.long)": "columns = []",
                  "written.shape[1]": "len(columns)", "return written": "return torch.stack(columns, dim=1)",
                  "written = torch.cat([written, tokens.unsqueeze(1)], dim=1)": "columns.append(tokens)"},
                 "with a `max_length` of 0, or without sentences, there is nothing to put together, and `torch.stack` "
                 "needs at least one tensor", "let the result begin without columns, `torch.zeros(batch_size, 0)`")
task.edit("return written", {
    "return written.masked_fill(written == eos_id, pad_id)": ("EOS is replaced by padding", _END),
    "return torch.cat([torch.full((batch_size, 1), bos_id), written], dim=1)": (
        "BOS is part of the result", "BOS is read, never written")})
task.edit("tokens = torch.full(", {
    "\n".join([*(f"{name.lower()}_id = {name}" for name in names), "tokens = torch.full("]): (
        f"{' and '.join(names)} of the course stand in the code (or their numbers), not what is passed in",
        "which numbers does the check pass in?")
    for number in (1, 2, 3) for names in combinations(("BOS", "EOS", "PAD"), number)})
# fmt: on


def write(answer, step, max_length, *ids):
    """Observe what is written."""
    found = answer(step, step.state, len(step.starts), max_length, *ids)
    columns = right(step, step.state, len(step.starts), max_length, *ids).shape[1]
    if is_tensor(found) and found.dim() == 2 and found.shape[0] == len(step.starts) and found.shape[1] != columns:
        when = "stops before" if found.shape[1] < columns else "goes on after"
        raise Finding(f"the result has {found.shape[1]} columns, and begins with {found[:1].tolist()}",
                      f"{columns} columns: as many as the longest sentence has words",
                      f"the loop {when} every sentence has ended, or other words are written", _STOP)  # fmt: skip
    return found


write.words = Wrong(
    "tokens or state that are handed to `step` are not those of the last step, the word is not the most probable one, "
    "or a row counts as ended at another word than EOS", "the sentences", FOLLOW,
)  # fmt: skip


def count(answer, step, max_length):
    """Observe whether the model is asked more often than there are columns."""
    result = write(answer, step, max_length)
    columns = right(step, step.state, len(step.starts), max_length).shape[1]
    if step.calls > columns:
        raise Finding(
            f"step was called {step.calls} times for {columns} columns",
            cause="the loop goes on after every sentence has ended",
            hint=_STOP,
        )
    return result


def inputs(starts, max_length, *ids, seed="g14", form="a tensor", eos=2.0, vocab_size=6):
    """Make a model and the arguments; ``eos`` makes short sentences more probable."""
    return lambda draw: (chain(seed, starts, vocab_size, form=form, eos=eos), max_length, *ids)


EXPECTED = "the most probable word at each step, up to EOS, and padding after it"
task.require(
    "the most probable word, again and again, up to EOS",
    EXPECTED,
    [Case("3 sentences, max_length 20", inputs([0, 4, 9], 20), write),
     Case("3 sentences, max_length 20; the state is a dict", inputs([3, 2, 8], 20, form="a dict"), write)],
    [Case("one sentence", inputs([7], 12, seed="one"), write),
     Case("5 sentences, and a tuple as state", inputs([1, 3, 5, 7, 11], 15, seed="five", form="a tuple"), write),
     Case("a list as state, a large vocabulary", inputs([2, 6], 25, form="a list", vocab_size=12), write)],
    FOLLOW,
)  # fmt: skip
task.require("sentences are cut at max_length", f"{EXPECTED}; no more than max_length words",
             [Case("3 sentences, max_length 2", inputs([0, 4, 9], 2), write)],
             [Case("4 sentences, max_length 3", inputs([1, 2, 3, 4], 3, seed="cut", eos=0.0), write)],
             FOLLOW)  # fmt: skip
task.require("`step` is called once for each column", "one call of `step` for each column of the result",
             [Case("3 sentences, max_length 20; the calls of `step` are counted", inputs([0, 4, 9], 20), count)],
             [Case("one sentence, and its calls of `step`", inputs([5], 30, seed="calls"), count)], FOLLOW)  # fmt: skip
task.require("any special tokens", f"{EXPECTED}, with the tokens that are passed in",
             [Case("BOS 4, EOS 3, PAD 5", inputs([1, 8, 3], 15, 4, 3, 5, seed="i2", eos=0.0), write)],
             [Case("BOS 0, EOS 4, PAD 1", inputs([2, 9, 6], 15, 0, 4, 1, seed="i8", eos=0.0), write)])  # fmt: skip
task.limits("max_length 1 and 0, a batch of 0, and wrong input",
            [Case("max_length 1", inputs([1, 2, 3, 4], 1), write), Case("max_length 0", inputs([1, 2], 0), write),
             Case("no sentence", inputs([], 5), write),
             Case("a negative max_length", inputs([1], -1), refused(write, "max_length"), right=True)],
            f"{EXPECTED}; without columns where nothing can be written")  # fmt: skip
