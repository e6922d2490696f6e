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


@task.pipeline(
    fed=hinted(FOLLOW, {
        "bos": "every step reads BOS: the word that was written is not given back to the model",
        "first state": "every step begins with the first `state`: the new state is not handed on",
    }),
    choice=hinted("print what your line picks from the logits [0.1, 0.7, 0.2]", {
        "least": "the least probable word is taken",
        "drawn": "the word is drawn at random",
    }),
    stop=hinted(_STOP, {
        "never": "the loop goes on to `max_length` after every sentence has ended",
        "trimmed": "the loop goes on to `max_length`, and what is too much is cut off at the end",
        "any": "the loop stops as soon as one sentence has ended",
        "drops": "the last column is lost: the loop stops before it is kept",
        "one late": "the loop stops one step after the last sentence has ended",
    }),
    cut=hinted("`max_length` counts the words of the result: EOS, and not BOS", {
        "one less": "sentences are cut one word too early: BOS is counted, or the loop is one step short",
        "one more": "sentences are cut one word too late",
        "never": "`max_length` is not used: a sentence may be longer",
    }),
    after=hinted(_END, {
        "goes on": "a sentence that has ended goes on writing",
        "forgets": "a row counts as ended only right after its EOS: one step later it writes again",
        "eos": "EOS stands after the end, not `pad_id`",
        "eos replaced": "EOS is replaced by padding",
    }),
    bos=hinted("BOS is read, never written", {"kept": "BOS is part of the result"}),
    ids={
        names: Wrong(f"{' and '.join(names)} of the course stand in the code (or their numbers), not what is passed in",
                     "", "which numbers does the check pass in?")
        for number in (1, 2, 3) for names in combinations(("BOS", "EOS", "PAD"), number)
    },
)  # fmt: skip
def greedy(
    step, state, batch_size, max_length, bos_id=1, eos_id=2, pad_id=0, *, fed="word", choice="most", stop="all",
    cut="max_length", after="pad", bos="read", ids=(),
):  # fmt: skip
    """Write sentences with one choice for each step."""
    bos_id, eos_id = 1 if "BOS" in ids else bos_id, 2 if "EOS" in ids else eos_id
    pad_id = 0 if "PAD" in ids else pad_id
    begin = torch.full((batch_size,), bos_id)
    tokens, columns, ended = begin, [], torch.zeros(batch_size, dtype=torch.bool)
    limit = max_length + {"one less": -1, "one more": 1, "never": 40}.get(cut, 0)
    for _ in range(limit):
        done = bool(ended.all())
        logits, next_state = step(begin if fed == "bos" else tokens, state)
        state = state if fed == "first state" else next_state
        if choice == "drawn":
            tokens = torch.multinomial(logits.softmax(-1), 1).squeeze(-1)
        else:
            tokens = logits.argmin(-1) if choice == "least" else logits.argmax(-1)
        if after != "goes on":
            tokens = torch.where(ended, eos_id if after == "eos" else pad_id, tokens)
        ended = tokens == eos_id if after == "forgets" else ended | (tokens == eos_id)
        if stop == "drops" and ended.all():
            break
        columns.append(tokens)
        if done if stop == "one late" else ended.any() if stop == "any" else ended.all() and stop in ("all", "drops"):
            break
    written = torch.stack([begin, *columns] if bos == "kept" else columns, 1) if columns else begin[:, None][:, :0]
    if stop == "trimmed":
        written = written[:, : int((written != pad_id).any(0).nonzero().max()) + 1]
    return written.masked_fill(written == eos_id, pad_id) if after == "eos replaced" else written


def write(answer, step, max_length, *ids):
    """Observe what is written."""
    found = answer(step, step.state, len(step.starts), max_length, *ids)
    columns = right(step, step.state, len(step.starts), max_length, *ids).shape[1]
    if is_tensor(found) and found.dim() == 2 and found.shape[0] == len(step.starts) and found.shape[1] != columns:
        raise Finding(f"the result has {found.shape[1]} columns, and begins with {found[0].tolist()[:8]}",
                      f"{columns} columns: as many as the longest sentence has words",
                      "the loop ends too early or too late, or other words are written", _STOP)  # fmt: skip
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
task.require(
    "sentences are cut at max_length",
    f"{EXPECTED}; no more than max_length words",
    [Case("3 sentences, max_length 2", inputs([0, 4, 9], 2), write)],
    [Case("4 sentences, max_length 3", inputs([1, 2, 3, 4], 3, seed="cut", eos=0.0), write)],
    FOLLOW,
)
task.require(
    "`step` is called once for each column",
    "one call of `step` for each column of the result",
    [Case("3 sentences, max_length 20; the calls of `step` are counted", inputs([0, 4, 9], 20), count)],
    [Case("one sentence, and its calls of `step`", inputs([5], 30, seed="calls"), count)],
    FOLLOW,
)
task.require(
    "any special tokens",
    f"{EXPECTED}, with the tokens that are passed in",
    [Case("BOS 4, EOS 3, PAD 5", inputs([1, 8, 3], 15, 4, 3, 5, seed="i2", eos=0.0), write)],
    [Case("BOS 0, EOS 4, PAD 1", inputs([2, 9, 6], 15, 0, 4, 1, seed="i8", eos=0.0), write)],
)
task.limits(
    "max_length 1 and 0, a batch of 0, and wrong input",
    [
        Case("max_length 1", inputs([1, 2, 3, 4], 1), write),
        Case("max_length 0", inputs([1, 2], 0), write),
        Case("no sentence", inputs([], 5), write),
        Case("a negative max_length", inputs([1], -1), refused(write, "max_length"), right=True),
    ],
    f"{EXPECTED}; without columns where nothing can be written",
)
