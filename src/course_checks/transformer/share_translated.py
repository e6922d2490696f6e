"""Task `share_translated` of exercise 10."""

import torch

from course_checks.cases import Case
from course_checks.task import Task
from course_checks.transformer.models import translations
from course_checks.transformer.shared import UNIT
from transformer_course.common.tokens import EOS

task = Task("share_translated", UNIT)
_PRINT = "print what the model writes for one sentence, beside its target"
_END = "what may follow after EOS, and what may not stand in its place?"

_ALL = "what is the share if all are right?"
_BEHIND = "how many words stand behind BOS?"
_FORCED = (
    "the model reads the right translation while it is measured, and finds each word there",
    "what stands in the model's input when it writes its second word?",
)
_TENSOR = ("the result is still a tensor", "turn a tensor of one number into a Python number with `.item()`")
_WORDS = ("single words are counted; a sentence with one mistake is not right", _END)
_ANY = ("one right word is taken for a right sentence", _END)


@task.oracle
def right(model, source, target):
    """Write one sentence after the other, and compare lists up to EOS."""
    model.eval()
    count = 0
    for one, row in zip(source, target.tolist(), strict=True):
        wanted, written = row[1 : row.index(EOS) + 1], row[:1]
        for _ in wanted:
            logits = model.decode(torch.tensor([written]), model.encode(one[None]), one[None])
            written.append(int(logits[0, -1].argmax()))
        count += written[1:] == wanted
    return count / len(source)


# fmt: off
task.edit("model.decode(written, memory, source)[:, -1]", {
    "model.decode(target, memory, source)[:, written.shape[1] - 1]": _FORCED,
    "model.decode(target[:, :-1], memory, source)[:, written.shape[1] - 1]": _FORCED,
    "model.decode(written[:, -1:], memory, source)[:, -1]": (
        "the model reads only the last word that it wrote, not all of them", _PRINT),
    "model.decode(written, memory, source)[:, 0]": ("the first position of the logits is taken, not the last", _PRINT)})
task.edit("target[:, :1]", {"torch.full_like(target[:, :1], EOS)": ("the model does not begin with BOS", _PRINT)})
task.edit("model.encode(source)", {
    "source": ("the source itself is handed over as memory", "what does `model.encode` return?")})
task.edit("model.eval()", {
    "": ("the model is measured in training mode", "how does the model come out of `train_step`?")})
task.edit("logits.argmax(dim=-1, keepdim=True)", {
    "torch.multinomial(logits.softmax(dim=-1), 1)": (
        "the next word is drawn by its probability, not the one with the largest logit",
        "call it twice: is the share the same?"),
    "logits.argmin(dim=-1, keepdim=True)": (
        "the smallest logit is taken, or the words are not compared with those behind BOS", _PRINT)})
task.edit("labels = target[:, 1:]", {
    "labels = target[:, 1:-1]": (
        "one word too few is written: the end of the longest sentence counts nowhere", _BEHIND)})
task.edit("range(labels.shape[1])", {"range(labels.shape[1] - 1)": ("one word too few is written", _BEHIND)})
task.edit("(labels == PAD)", {
    "(labels == PAD) & False": (
        "what is written after EOS is compared with padding: the places that do not count are those where the target, "
        "not what was written, is PAD", _END),
    "(labels == PAD) | (labels == EOS)": (
        "EOS is not compared: a sentence that goes on after its end is not right", _END)})
task.edit("(written[:, 1:] == labels)", {
    "((written[:, 1:] * (labels != PAD)).sort(1).values == labels.sort(1).values)": (
        "the order of the words is not compared", _PRINT)})
task.edit("right.all(dim=1)", {
    "right": _WORDS,
    "right[labels != PAD]": _WORDS,
    "((right & (labels != PAD)).sum(1) / (labels != PAD).sum(1))": (
        "the share of right words is taken in each sentence; a sentence with one mistake is not right", _END),
    "right.any(dim=1)": _ANY,
    "right.gather(1, (labels != PAD).sum(1, keepdim=True) - 1)": (
        "only the last word before the padding is compared", _PRINT)})
_BOS = "right = (written == target) | (target == PAD)\nreturn right"
task.edit("right = (written[:, 1:] == labels) | (labels == PAD)\nreturn right.all(dim=1)", {
    _BOS: _WORDS, f"{_BOS}.any(dim=1)": _ANY})
task.edit(".double().mean()", dict.fromkeys((".sum()", ".double().sum()"), (
    "the number of right sentences, not their share", "divide by the number of sentences")))
task.edit("return ", {"return 1 - ": ("the share of sentences with a mistake", _ALL)})
task.edit(".item()", {
    ".item() * 100": ("the share in per cent", _ALL),
    "": _TENSOR})
task.edit_places({".double()": ".float()", ".item()": ""}, *_TENSOR)
# fmt: on


def one_by_one(answer, *pairs):
    """Observe the share in a batch, and in each sentence alone: two mistakes hardly agree in all of them."""
    share = answer(*translations(*pairs))
    if type(share) is not float:
        return share
    alone = {f"{pair.replace(' ', ' written for ')}": answer(*translations(pair)) for pair in pairs}
    return {"all sentences together": share} | alone


def pairs(*texts, padding=0):
    """Make the arguments."""
    return lambda draw: translations(*texts, padding=padding)


FAULTS = ("4562 4562", "4562 9562", "4592 4582", "4562 462", "842 756692", "45672 45672", "5642 6452", "2 2", "52 2",
          "42 42")  # fmt: skip
task.require("a sentence counts if the model writes all of it by itself",
    "the share of sentences of which the model, reading only what it has written, writes every word up to EOS",
    [Case("10 sentences as digits, of which 2 is EOS", FAULTS, one_by_one),
     Case("sentences that go on where the longest should end", pairs("45672 4562", "782 782", "6752 6752")),
     Case("4 sentences, all right", pairs("42 42", "562 562", "74852 74852", "92 92"))],
    [Case("one sentence, right", pairs("74852 74852", padding=2)),
     Case("one sentence, wrong at its first word", pairs("6852 4852")),
     Case("the longest ends too late, longer padding", pairs("782 782", "67542 6752", "92 92", padding=3)),
     Case("sentences of one word and none", pairs("42 42", "2 2", "52 2", "2 52", "6872 6872")),
     Case("words in another order", pairs("4562 5462", "782 782", "78942 79842", "4562 4562", "82 82"))],
    _PRINT)  # fmt: skip


@task.probe("the source is read once", "one call of `model.encode` for a sentence, however long its translation is",
            "`model.encode(source)` stands inside the loop over the words, or `model(source, ...)` is called there",
            "what of the memory changes from one word to the next?")  # fmt: skip
def read_once(answer):
    """Two sentences of 4 words."""
    model, source, target = translations("45672 45672", "74852 74852")
    answer(model, source, target)
    return f"`model.encode` has read {model.encoded} sentences in the place of 2" if model.encoded > 2 else None
