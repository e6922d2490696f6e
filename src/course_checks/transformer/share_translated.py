"""Task `share_translated` of exercise 10."""

import torch

from course_checks.cases import Case
from course_checks.task import Task
from course_checks.transformer.models import translations
from course_checks.transformer.shared import UNIT
from course_checks.words import Wrong
from transformer_course.common.tokens import EOS, PAD

task = Task("share_translated", UNIT)
_PRINT = "print what the model writes for one sentence, beside its target"
_END = "what may follow after EOS, and what may not stand in its place?"


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


@task.pipeline(
    reads={
        "target": Wrong("the model reads the right translation while it is measured, and finds each word there", "",
                        "what stands in the model's input when it writes its second word?"),
        "last word": Wrong("the model reads only the last word that it wrote, not all of them", "", _PRINT),
        "no BOS": Wrong("the model does not begin with BOS", "", _PRINT),
        "the source": Wrong("the source itself is handed over as memory", "", "what does `model.encode` return?"),
    },
    mode={"left": Wrong("the model is measured in training mode", "", "how does the model come out of `train_step`?")},
    word={
        "smallest": Wrong("the smallest logit is taken, or the words are not compared with those behind BOS", "",
                          _PRINT),
        "first": Wrong("the first position of the logits is taken, not the last", "", _PRINT),
    },
    steps={"short": Wrong("one word too few is written: the end of the longest sentence counts nowhere", "",
                          "how many words stand behind BOS?"),
           "too few": Wrong("one word too few is written", "", "how many words stand behind BOS?")},
    counts={
        "words": Wrong("single words are counted; a sentence with one mistake is not right", "", _END),
        "padding": Wrong("what is written after EOS is compared with padding", "", _END),
        "any": Wrong("one right word is taken for a right sentence", "", _END),
        "no EOS": Wrong("EOS is not compared: a sentence that goes on after its end is not right", "", _END),
        "as sets": Wrong("the order of the words is not compared", "", _PRINT),
        "last": Wrong("only the last word before the padding is compared", "", _PRINT),
    },
    returns={
        "number": Wrong("the number of right sentences, not their share", "", "divide by the number of sentences"),
        "percent": Wrong("the share in per cent", "", "what is the share if all are right?"),
        "wrong": Wrong("the share of sentences with a mistake", "", "what is the share if all are right?"),
        "tensor": Wrong("the result is still a tensor", "", "turn a tensor of one number into a Python number with "
                        "`.item()`"),
    },
)  # fmt: skip
def share_translated(
    model, source, target, *, reads="itself", mode="eval", word="largest", steps="all", counts="all", returns="share"
):
    """Measure with one choice for each step."""
    if mode == "eval":
        model.eval()
    memory, labels = (
        source if reads == "the source" else model.encode(source),
        target[:, 1 : -1 if steps == "short" else None],
    )
    written = torch.full_like(target[:, :1], EOS) if reads == "no BOS" else target[:, :1]
    for number in range(1, labels.shape[1] + (steps != "too few")):
        read = {"target": target, "last word": written[:, -1:]}.get(reads, written)
        logits = model.decode(read, memory, source)[
            :, number - 1 if reads == "target" else 0 if word == "first" else -1
        ]
        chosen = logits.argmin(-1, keepdim=True) if word == "smallest" else logits.argmax(-1, keepdim=True)
        written = torch.cat([written, chosen], 1)
    equal, real = written[:, 1:] == labels, labels != PAD
    right = {
        "words": equal[real],
        "padding": equal.all(1),
        "any": (equal | ~real).any(1),
        "no EOS": (equal | ~real | (labels == EOS)).all(1),
        "as sets": ((written[:, 1:] * real).sort(1).values == labels.sort(1).values).all(1),
        "last": equal.gather(1, real.sum(1, keepdim=True) - 1),
    }.get(counts, (equal | ~real).all(1))
    share = right.double().mean()
    others = {"number": right.double().sum(), "wrong": 1 - share, "percent": 100 * share}
    result = others.get(returns, share)
    return result if returns == "tensor" else result.item()


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


FAULTS = (
    "4562 4562",
    "4562 9562",
    "4592 4582",
    "4562 462",
    "842 756692",
    "45672 45672",
    "5642 6452",
    "2 2",
    "52 2",
    "42 42",
)
task.require(
    "a sentence counts if the model writes all of it by itself",
    "the share of sentences of which the model, reading only what it has written, writes every word up to EOS",
    [Case("10 sentences as digits, of which 2 is EOS", FAULTS, one_by_one),
     Case("sentences that go on where the longest should end", pairs("45672 4562", "782 782", "6752 6752")),
     Case("4 sentences, all right", pairs("42 42", "562 562", "74852 74852", "92 92"))],
    [Case("one sentence, right", pairs("74852 74852", padding=2)),
     Case("one sentence, wrong at its first word", pairs("6852 4852")),
     Case("the longest ends too late, longer padding", pairs("782 782", "67542 6752", "92 92", padding=3)),
     Case("sentences of one word and none", pairs("42 42", "2 2", "52 2", "2 52", "6872 6872")),
     Case("words in another order", pairs("4562 5462", "782 782", "78942 79842", "4562 4562", "82 82"))],
    _PRINT,
)  # fmt: skip
