"""Task `beam_search` of exercise 02.

What is pruned, and when the search stops, is free. So of a beam as wide as the search space the first entry is
compared, the best sentence of all; of a narrow one what each entry says of itself. Where a narrow beam must find the
best sentence, none can end before the last step.
"""

import math
from functools import partial
from itertools import product

import torch

from course_checks.cases import Case
from course_checks.rnn_encoder_decoder.models import Chain
from course_checks.rnn_encoder_decoder.shared import (
    LENGTH_PENALTY,
    PENALTY,
    UNIT,
    chain,
    hinted,
    refused,
    require_pairs,
    right_penalty,
)
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("beam_search", UNIT)

_ROWS = "print, in each step, which hypothesis each new one extends, and the state before and after"
_KEPT = "print the hypotheses that are kept in each step, with their sums"
_SUM = "work out the score of [3, EOS] by hand: two log probabilities and one penalty"
_LIST = "print what you return, and read the third bullet of the task again"


def log_probability(step, tokens, bos_id):
    """Add up the log probabilities of a given sentence."""
    number, total = step.starts[0], 0.0
    for before, token in zip([bos_id, *tokens], tokens, strict=False):
        number = step.follow(number, before)
        total += float(step.table[number].double().log_softmax(-1)[token])
    return total


@task.oracle
def right(step, state, beam_width, max_length, alpha=0.0, bos_id=1, eos_id=2):
    """Try out every sentence."""
    entries, others = [], [token for token in range(step.table.shape[1]) if token != eos_id]
    for length in range(max_length + 1):
        for words in product(others, repeat=length):
            tokens = [*words, eos_id] if length < max_length else [*words]
            score = log_probability(step, tokens, bos_id) / right_penalty(len(tokens), alpha)
            entries.append((tokens, score))
    return sorted(entries, key=lambda entry: entry[1], reverse=True)[:beam_width]


# fmt: off
task.edit("keep=parents[rows]", hinted(_ROWS, {
    "keep=torch.arange(len(rows)) % len(last)":
        "the rows of the state are not re-ordered: a hypothesis goes on with the state of another",
    "keep=words[rows] % len(last)":
        "the rows of the state are chosen by the new words, not by the hypotheses that they extend",
    "keep=parents[: len(rows)]":
        "the rows of the state are chosen with the parents of all new hypotheses, ended ones among them, and then cut",
    "keep=0 * rows": "every hypothesis goes on with the state of the best one",
    "keep=parents[rows].sort().values":
        "the rows of the state come in another order than the hypotheses that they belong to"}))
task.edit("logits, state = ", {"logits, _ = ": (
    "the rows are taken from the state before the step, not from the one that `step` returned", _ROWS)})
task.edit_places({"state = map": "moved = []\nstate = map", "tensor[keep]": "tensor[keep if moved.append(tensor) or "
                  "len(moved) == 1 else torch.arange(len(keep)) % len(tensor)]"},
                 "only the first tensor of the state is re-ordered", _ROWS)
task.edit("logits.log_softmax(dim=1)", hinted(_SUM, {
    "logits": "logits are added up, not log probabilities",
    "logits.softmax(dim=1)": "probabilities are added up, not their logarithms",
    "logits.log_softmax(dim=0)": "softmax runs over the hypotheses, not over the words"}))
task.edit_places({"torch.zeros(1)": "torch.ones(1)", "+ logits.log_softmax(": "* logits.softmax("},
                 "probabilities are multiplied, or returned: the logarithm is missing", _SUM)
task.edit("totals.unsqueeze(1) + ", {"": (
    "only the last word counts: the sums of the steps before are not added", _SUM)})
task.edit_places({"totals, chosen =": "old, (totals, chosen) = totals,", "parents, words = ":
                  "totals = totals - old[chosen // sums.shape[1]] + old[torch.arange(len(chosen)) % len(old)]\n"
                  "parents, words = "},
                 "the sum of another hypothesis is carried on: sums are not re-ordered with the rows", _SUM)
task.edit(LENGTH_PENALTY, PENALTY | hinted(_SUM, {
    LENGTH_PENALTY.replace("alpha", "(2 * alpha)"): "the length penalty is applied twice",
    f"({LENGTH_PENALTY} if tokens[-1] == eos_id else 1.0)":
        "a sentence that was cut is not divided by the penalty",
    f"(-{LENGTH_PENALTY})": "the sign is turned around: a log probability is negative",
    LENGTH_PENALTY.replace("length", "max_length"):
        "every sentence is divided by the penalty of `max_length`, not by that of its own length",
    LENGTH_PENALTY.replace("length", "length - (tokens[-1] == eos_id)"):
        "EOS is not counted in the length that the penalty takes, where a sentence has one: it is a word"}))
task.edit_places({"parents, words = ": f"totals = totals / {LENGTH_PENALTY}\nparents, words = ",
                  f" / {LENGTH_PENALTY}": ""},
                 "the sum is divided by the penalty in every step, and carried on like that", _SUM)
task.edit_places({"return ": "return [(tokens, score / ((5 + len(tokens)) / 6) ** alpha) for tokens, score in ",
                  "[:beam_width]": "[:beam_width]]",
                  LENGTH_PENALTY: LENGTH_PENALTY},  # stays: a wrong one, taken twice, may be right
                 "the length penalty is applied twice: when a sentence ends, and again at the end", _SUM)
task.edit("(words == eos_id)", {"torch.zeros_like(words).bool()": (
    "a sentence that has ended is extended further", _KEPT)})
task.edit("if ends:", hinted(_KEPT, {
    "if ends and tokens[-1] != eos_id:": "sentences that have ended are lost",
    "if ends and tokens[-1] == eos_id:": "sentences that reach `max_length` without EOS are lost"}))
_FIRST_END = "if not living or results:"
task.edit("if not living:", dict.fromkeys((
    _FIRST_END,
    f"results += [(each, total / {LENGTH_PENALTY}) for each, total in zip(living, totals.tolist()) if results]\n"
    f"{_FIRST_END}"), ("the search ends with the first sentence that ends", _KEPT)))
task.edit("results.append((tokens,", {
    "results.append((tokens[:-1] if tokens[-1] == eos_id else tokens,": ("EOS is cut off from the tokens", _KEPT),
    "results.append(([bos_id, *tokens],": ("BOS is part of the tokens", _LIST)})
task.edit("living, totals, results = ", hinted(_KEPT, {
    "max_length -= 1\nliving, totals, results = ": "sentences are cut one word too early",
    "max_length += 1\nliving, totals, results = ": "sentences are cut one word too late"}))
_MAY = "in each step: how many hypotheses are kept, and may two of them extend the same one?"
task.edit("min(beam_width,", hinted(_MAY, {
    "min(1,": "only one hypothesis is followed: that is greedy decoding",
    "min(10**6,": "no hypothesis is ever dropped"}))
task.edit("sums.flatten().topk(min(beam_width, sums.numel()))", {
    "(sums.topk(min(beam_width, sums.shape[1])), torch.arange(len(sums))[:, None] * sums.shape[1])\n"
    "totals, chosen = [each.flatten()[:beam_width] for each in (totals.values, totals.indices + chosen)]": (
        "the extensions of all hypotheses are not ranked together: those of the first are kept, others are cut off",
        _MAY)})
task.edit("parents, words = ", {
    "if length > 1:\n    totals, chosen = sums.max(dim=1)\n"
    "    chosen = chosen + torch.arange(len(sums)) * sums.shape[1]\nparents, words = ": (
        "the beam is so many greedy searches side by side: each hypothesis is extended by its own best word only",
        _MAY)})
task.edit("[[]], torch.zeros(1), []", {
    "[[]] * beam_width, torch.zeros(beam_width), []\n"
    "state = map_tensors(lambda tensor: tensor.repeat_interleave(beam_width, 0), state)": (
        "the search begins with `beam_width` copies of one hypothesis, and finds everything so many times", _MAY)})
task.edit("key=lambda result: result[1], reverse=True", hinted(_LIST, {
    "key=lambda result: 0": "the list is not sorted: sentences come in the order in which they ended",
    "key=lambda result: result[1]": "the list is sorted with the lowest score first",
    f"key=lambda result: result[1] * {LENGTH_PENALTY.replace('length', 'len(result[0])')}, reverse=True":
        "the list is sorted by the sums, not by the scores"}))
task.edit("[:beam_width]", {"": ("all sentences that ever ended are returned, more than `beam_width`", _LIST)})
task.edit('require_rows("state", state, 1)', {
    "\n".join(['require_rows("state", state, 1)', *(f"{name.lower()}_id = {name}" for name in names)]): (
        f"the constant{'s' * (len(names) - 1)} {' and '.join(names)} {'is' if len(names) == 1 else 'are'} used, not "
        f"{' and '.join(f'`{name.lower()}_id`' for name in names)}", "which numbers does the check pass in?")
    for names in (("BOS",), ("EOS",), ("BOS", "EOS"))})
# fmt: on


def search(answer, step, beam_width, max_length, *options):
    """Run a search, and require a list of pairs of the right types."""
    found = require_pairs(answer(step, step.state, beam_width, max_length, *options), _LIST, final=True)
    if not found:
        raise Finding("the list is empty", "", "every sentence was lost on the way", _KEPT)
    return found


def belongs(step, entry, alpha, bos_id=1):
    """Say whether a score is that of its words."""
    right_score = log_probability(step, entry[0], bos_id) / right_penalty(len(entry[0]), alpha)
    return math.isclose(entry[1], right_score, rel_tol=1e-4, abs_tol=1e-4)


def best(answer, step, beam_width, max_length, alpha=0.0, bos_id=1, eos_id=2):
    """Observe the first entry, and whether its score belongs to it."""
    ids = () if (bos_id, eos_id) == (1, 2) else (bos_id, eos_id)
    tokens, score = search(answer, step, beam_width, max_length, alpha, *ids)[0]
    return {
        "its words": list(tokens),
        "its score": float(score),
        "whether the score is that of these words": belongs(step, (tokens, score), alpha, bos_id),
    }


best.words = Wrong(
    "if the score is wrong: what `step` reads (words, or rows of the state) is not that of the hypothesis, or the sum "
    "is not that of its log probabilities; otherwise the best hypothesis is dropped on the way, or when it ends",
    "the first entry of the list",
    f"{_KEPT}; and {_ROWS}",
)


def every(answer, step, beam_width, max_length, alpha=0.0):
    """Require that every entry is what it says, whatever was pruned."""
    found = search(answer, step, beam_width, max_length, alpha)
    texts, scores = [tuple(tokens) for tokens, _ in found], [score for _, score in found]
    short = [len(tokens) < max_length and tokens[-1:] != (2,) for tokens in texts]
    for wrong, seen, expected, cause, hint in [
        (step.most_rows > 2 * beam_width, f"`step` was called with {step.most_rows} hypotheses",
         f"the beam_width = {beam_width} best hypotheses are kept", "too many hypotheses are kept", _KEPT),
        (len(set(texts)) < len(texts), "the list holds a sentence twice", "each sentence once",
         "the search begins with copies of one hypothesis, or puts a sentence aside twice", _KEPT),
        (len(texts) > beam_width, f"the list holds {len(texts)} sentences", f"at most beam_width = {beam_width}",
         "the list is not cut at the end, or too many hypotheses are kept", _LIST),
        (any(2 in tokens[:-1] for tokens in texts), "there are words after EOS", "EOS stands last",
         "a sentence that has ended is extended further", _KEPT),
        (any(short) or any(len(tokens) > max_length for tokens in texts),
         "a sentence has no EOS and is shorter than max_length, or it is longer", "EOS, or exactly max_length words",
         "EOS is cut off, BOS is kept, or the loop has another number of steps", _LIST),
        (not all(belongs(step, entry, alpha) for entry in found), "a score that does not belong to its sentence",
         "the sum of the log probabilities of its words, divided by the length penalty",
         "a hypothesis goes on with the state, the words or the sum of another", _ROWS),
        (scores != sorted(scores, reverse=True), "a score is higher than the one before it", "the best first",
         "the list is not sorted, or by something else than the scores", _LIST),
    ]:  # fmt: skip
        if wrong:
            raise Finding(seen, expected, cause, hint)
    return True


def model(seed, start, *arguments, form="a tensor", eos=0.0):
    """Make a chain of four words, and the arguments of a search."""
    return lambda draw: (chain(seed, [start], 4, 1.5, form, eos), *arguments)


def garden(start, *arguments, **liked):
    """Make a chain of six words without an end in sight, which after some beginnings likes some words."""
    table = torch.zeros(31, 6)
    table[:, 2] = -20.0
    for beginning, words in liked.items():
        number = start
        for word in (1, *map(int, beginning.removeprefix("after_"))):
            number = Chain(table, [start]).follow(number, word)
        table[number] = torch.tensor([words.get(word, -9.0) for word in range(6)])
    return lambda draw: (Chain(table.clone(), [start]), *arguments)


BEST = "the sentence with the best score of all, and its score: a beam as wide as this one cannot miss it"
wide, narrow = partial(Case, observe=best, within=1e-4), partial(Case, observe=every, right=True)
task.require(
    "a beam that is wide enough finds the best sentence of all",
    BEST,
    [wide("a beam of 400, max_length 4, alpha 0", model("w4", 4, 400, 4, 0.0, eos=0.5)),
     wide("a beam of 400, max_length 4, alpha 1", model("w2", 2, 400, 4, 1.0, eos=0.5)),
     wide("a beam of 400, max_length 3, alpha 0.7; EOS is improbable", model("w21", 0, 400, 3, 0.7, eos=-2.0)),
     wide("a beam of 400, max_length 4, alpha 0.5; BOS 3, EOS 0", model("w39", 4, 400, 4, 0.5, 3, 0)),
     *(wide(f"a beam of 400, max_length 4, alpha 0.6; the state is {form}",
            model("g", 2, 400, 4, 0.6, form=form, eos=0.5)) for form in ("a tuple", "a list", "a dict"))],
    [wide(f"a beam of 300, alpha {alpha:g}, {form}", model("e", start, 300, 4, alpha, eos=0.5, form=form))
     for start, alpha, form in [(0, 0.0, "a tensor"), (4, 0.7, "a tuple"), (8, 2.0, "a list"), (11, 1.0, "a dict")]]
    + [wide("a beam of 300, BOS 0, EOS 1", model("f", 2, 300, 4, 0.5, 0, 1))],
)  # fmt: skip
task.require(
    "two hypotheses are enough where one goes astray",
    "the best sentence: among the best hypotheses of each step its beginning is never missing",
    [wide("a beam of 2; the second-best first word is the right one, and both go on alike",
          garden(6, 2, 3, after_={3: 1.0, 4: 0.8}, after_3={5: 5.0}, after_4={5: 5.0}, after_45={0: 3.0})),
     wide("a beam of 2; two hypotheses extend the same one",
          garden(9, 2, 3, after_={3: 1.0, 5: 0.0}, after_3={3: 1.0, 4: 0.8}, after_34={1: 6.0}))],
    [wide("a beam of 3; three hypotheses extend the same one",
          garden(2, 3, 3, after_={3: 1.0, 0: -1.0}, after_3={3: 1.0, 1: 0.9, 0: 0.7}, after_30={4: 6.0}))],
)  # fmt: skip
task.require(
    "every entry of a narrow beam has its own score",
    "at most beam_width sentences, each once and with its own score, the best first",
    [narrow("beam_width 3, max_length 5, alpha 0", model("n8", 1, 3, 5, eos=0.3)),
     narrow("beam_width 3, max_length 5, alpha 0.6; the state is a tuple",
            model("n3", 3, 3, 5, 0.6, form="a tuple", eos=0.3))],
    [narrow(f"beam_width {width}, alpha {alpha:g}, {form}", model("j", start, width, 6, alpha, form=form))
     for start, width, alpha, form in [(5, 2, 0.6, "a dict"), (9, 7, 0.6, "a list")]],
)  # fmt: skip
task.limits(
    "max_length 1, a beam of 1, and wrong input",
    [
        wide("max_length 1", model("k", 2, 9, 1, 0.5)),
        narrow("a beam of 1", model("l", 2, 1, 6)),
        Case("a beam_width of 0", model("m", 2, 0, 3), refused(search, "beam_width"), right=True),
        Case("a max_length of 0", model("m", 2, 2, 0), refused(search, "max_length"), right=True),
        Case("a state with two hypotheses", lambda draw: (chain("n", [2, 3], 4), 2, 3), refused(search, "state"), True),
    ],
)
