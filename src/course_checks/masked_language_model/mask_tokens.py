"""Task `mask_tokens` of exercise 14: what is drawn at random is looked at as shares of many tokens."""

import torch

from course_checks.cases import Case, drawn, refusal
from course_checks.masked_language_model.counts import (
    SHAPE,
    asked_for,
    hidden_of_two,
    labels_of,
    pair,
    put_in,
    repeated,
    shares,
    spread,
    together,
)
from course_checks.masked_language_model.shared import MASK, SPECIAL, UNIT
from course_checks.task import Task

task = Task("mask_tokens", UNIT)

_SHARES = "call it on 100,000 equal tokens and count what becomes of them: torch.bincount(inputs.flatten())"
_LABELS = "print tokens, inputs and labels of one short sentence with probability=1, one below the other"
_WHO = "call it with probability=1 on a sentence of special tokens, and look for numbers above -100 in the labels"
_EACH = "print inputs == mask_id for 5 equal sentences of 10 tokens"
_DRAW = "every call of torch.rand and torch.randint takes `generator=generator`"
_ORDINARY = "which tokens may a random one be?"
_BATCH = "a word that stands in no sentence of the batch may come, too"


@task.oracle
def right(tokens, mask_id, vocab_size, probability=0.15, special_ids=SPECIAL, generator=None):
    """Draw the fate of each token from a table of four probabilities, and a random token from a table of its own."""
    special = torch.zeros(vocab_size + 1, dtype=torch.bool)
    special[[each for each in (*special_ids, mask_id) if 0 <= each < vocab_size]] = True
    shares = torch.tensor([1 - probability, 0.8 * probability, 0.1 * probability, 0.1 * probability])
    fate = torch.multinomial(shares, max(tokens.numel(), 1), True, generator=generator)[: tokens.numel()]
    fate = fate.view(tokens.shape) * ~special[tokens]
    drawn = torch.multinomial((~special[:-1]).double(), max(tokens.numel(), 1), True, generator=generator)
    drawn = drawn[: tokens.numel()].view(tokens.shape)
    inputs = torch.where(fate == 1, mask_id, torch.where(fate == 2, drawn, tokens.long()))
    return inputs, torch.where(fate > 0, tokens.long(), -100)


# fmt: off
_NONE_STAYS = "no chosen token is replaced, none stays"
_NUMBERS = "torch.rand(tokens.shape, generator=generator)"
task.edit("torch.where(fate < 0.8, mask_id, torch.where(fate < 0.9, drawn, tokens))", {
    "torch.full_like(tokens, mask_id)": ("every chosen token becomes mask_id", _SHARES, _NONE_STAYS),
    f"torch.where(fate < 0.8, mask_id, torch.where({_NUMBERS} < 0.1, drawn, tokens))": (
        "the 10 % for random tokens are 10 % of those that are left after the 80 %, not of all chosen ones", _SHARES),
    f"torch.where({_NUMBERS} < 0.1, drawn, torch.where(fate < 0.8, mask_id, tokens))": (
        "random tokens also fall on places that are hidden already: 10 % of all chosen ones are replaced by a draw of "
        "their own, so that fewer than 80 % stay hidden", _SHARES),
    f"torch.where({_NUMBERS} < 0.5, drawn, torch.where(fate < 0.8, mask_id, tokens))": (
        "random tokens also fall on places that are hidden already: a half of all chosen ones is replaced, not a half "
        "of what is left", _SHARES),
    "torch.where(fate < 0.1, drawn, torch.where(fate < 0.8, mask_id, tokens))": (
        "the 10 % for random tokens lie inside the 80 %, so that only 70 % stay hidden",
        "draw the numbers from 0 to 1 as a line: which piece of it belongs to which fate?"),
    "torch.where(fate < 0.8, mask_id, tokens)": ("no token is replaced by a random one", _SHARES),
    "torch.where(fate < 0.8, mask_id, drawn)": (
        "no chosen token stays as it is: 20 % become random ones", _SHARES),
    "torch.where(fate < 0.1, mask_id, torch.where(fate < 0.9, drawn, tokens))": (
        "the shares change places: 10 % become mask_id, 80 % a random token", _SHARES)})
task.edit(f"fate = {_NUMBERS}", {f"fate = {_NUMBERS.replace('tokens.shape', shape)}.expand(tokens.shape)": (
    f"one number is drawn for {whom} meet the same fate{where}", SHAPE) for shape, whom, where in (
    ("(1, 1)", "the whole batch, so that all chosen tokens", ""),
    ("(len(tokens), 1)", "each sentence, so that all its chosen tokens", ""),
    ("(1, tokens.shape[1])", "each position, so that the chosen tokens there", " in every sentence"))})
task.edit_places({f"chosen = {_NUMBERS}": f"chosen = (fate := {_NUMBERS})", f"fate = {_NUMBERS}": ""},
                 "one random number decides both whether a token is chosen and what becomes of it, so that a chosen "
                 "one always has a small number",
                 "how large can a number be that is below `probability`? Draw a second one", _NONE_STAYS)
task.edit("torch.where(chosen, changed, tokens)", {"torch.where(torch.isin(tokens, special), tokens, changed)": (
    "80 % and 10 % are taken of all tokens, not of the chosen ones", _SHARES)})
task.edit("torch.where(chosen, tokens, -100)", {
    "torch.where(chosen, changed, -100)": (
        "the labels are taken from the inputs, after these were changed", _LABELS,
        "the label of a hidden token is mask_id"),
    "tokens": ("every token is in the labels, chosen or not", _LABELS, "no label is -100"),
    "torch.where(chosen, -100, tokens)": ("the labels hold what was not chosen", _LABELS),
    "torch.where(chosen & (fate < 0.8), tokens, -100)": (
        "only hidden tokens are asked for; a token that stays or is replaced has the label -100", _LABELS),
    "torch.where(chosen & (changed != tokens), tokens, -100)": (
        "a chosen token that stays as it is has the label -100", _LABELS),
    "torch.where(chosen, tokens, 0)": (
        "the labels of what was not chosen are 0, which is PAD", "which number does the task name?")})
_DEFAULT = ("the argument `special_ids` is not used: 0 to 3 are special, whatever it says",
            "which line uses `special_ids`?")
task.edit("torch.isin(tokens, special)", {
    "(tokens == mask_id)": ("special tokens are chosen too", _WHO, "PAD, BOS, EOS or UNK is asked for"),
    "torch.isin(tokens, torch.tensor([PAD, mask_id]))": ("of the special tokens only PAD is spared", _WHO),
    "((tokens < 4) | (tokens == mask_id))": _DEFAULT,
    "torch.isin(tokens, special[:-1])": ("tokens that are mask_id already are chosen", _WHO, "mask_id is asked for")})
task.edit("[*special_ids, mask_id]", {"[PAD, BOS, EOS, UNK, mask_id]": _DEFAULT})
task.edit(f"{_NUMBERS} < probability", {
    f"{_NUMBERS} < 0.15": ("the argument `probability` is not used", "which line uses `probability`?"),
    f"{_NUMBERS}[:, :1] < probability": (
        "one number is drawn for a whole sentence: all of it is chosen, or nothing", _EACH),
    f"{_NUMBERS}[:1] < probability": (
        "one number is drawn for each position: the same positions are chosen in every sentence", _EACH),
    f"{_NUMBERS}.argsort(-1).argsort(-1) < round(probability * tokens.shape[1])": (
        "a fixed number of tokens is chosen in each sentence; each is to be drawn by itself",
        "count the gaps of 5 sentences of 10 tokens", "all sentences have equally many gaps"),
    f"{_NUMBERS} >= probability": (
        "chosen and not chosen are exchanged: `probability` of the tokens are left alone",
        "count the labels that are not -100")})
_FROM = ("random tokens are drawn from 4 on, or from another fixed number, whatever `special_ids` says",
         "which tokens are ordinary, if special_ids=(0, 7)?")
task.edit("torch.tensor([token for token in range(vocab_size) if token not in special.tolist()])", {
    "torch.arange(vocab_size)": (
        "random tokens come from the whole vocabulary, special ones among them", _ORDINARY),
    "torch.tensor([token for token in range(vocab_size) if token not in special_ids])": (
        "mask_id itself is drawn as a random token", _ORDINARY),
    "torch.arange(4, vocab_size)": _FROM,
    "torch.arange(5, vocab_size)": _FROM,
    "tokens[~torch.isin(tokens, special)]": (
        "random tokens are taken from the ordinary ones of the batch, not from the whole vocabulary", _BATCH)})
task.edit("ordinary[torch.randint(len(ordinary), tokens.shape, generator=generator)]", {
    **{f"ordinary[torch.randint(len(ordinary), {shape}, generator=generator)]": (
        f"one random token is drawn for {whom}, and used at every place of it", "print the shape of what torch.randint "
        "returns") for shape, whom in (("(1,)", "the whole batch"), ("(len(tokens), 1)", "each sentence"),
                                       ("(1, tokens.shape[1])", "each column of the batch"))},
    "tokens.flatten()[torch.randint(tokens.numel(), tokens.shape, generator=generator)]": (
        "a random token is taken from the sentences, not from the vocabulary", _BATCH),
    "torch.randint(vocab_size, tokens.shape, generator=generator).clamp(ordinary[0], ordinary[-1])": (
        "numbers are drawn from the whole vocabulary, and moved to the nearest ordinary token (`clamp`), which then "
        "comes too often", "count how often each token is drawn"),
    "ordinary[torch.randint(len(ordinary) - 1, tokens.shape, generator=generator)]": (
        "the last token of the vocabulary is never drawn: `randint` and `range` leave out their upper end already",
        "print the smallest and the largest token drawn")})
task.edit("torch.where(chosen, changed, tokens), torch.where(chosen, tokens, -100)", {
    "torch.where(chosen, tokens, -100), torch.where(chosen, changed, tokens)": (
        "labels and inputs are returned in the other order", "inputs first")})
task.edit_all("generator=generator", {"generator=None": (
    "`generator` is not used in every draw", _DRAW)})
task.edit("special = ", {"generator = torch.Generator().manual_seed(0)\nspecial = ": (
    "the function seeds by itself, so that every call makes the same gaps", _DRAW)})
# fmt: on


def many(situation, length, chosen, *probability):
    """Make the case of 160,000 tokens, in sentences of this length."""
    right = torch.tensor([chosen, 0.8, 0.1, 0.1, 0], dtype=torch.float64)
    return Case(situation, (length, *probability), shares, right=right, within=0.012)


def _special(situation, inputs, labels, others):
    """Make a case of the labels and one of the inputs."""
    return [Case(f"{situation}: the labels", inputs, asked_for, right=labels),
            Case(f"{situation}: the inputs", inputs, put_in, right=others)]  # fmt: skip


def none_asked(answer, tokens):
    """Observe a call without a generator in which nothing is chosen."""
    inputs, labels = answer(tokens, MASK, 9, 0.0)
    return [inputs, labels]


task.require("of the chosen tokens 80 % are hidden, 10 % replaced, 10 % stay",
    "the shares of the task, for each token by itself",
    [many("160,000 tokens", 40, 0.15)], [many("many tokens, other sentences", 25, 0.15)],
    _SHARES)  # fmt: skip
task.require("tokens are chosen with `probability`, one by one",
    "each token with this probability, whatever becomes of the others",
    [many("probability 0.4", 40, 0.4, 0.4),
     Case("400 sentences of 300 equal tokens, half of them chosen", (400, 300), together, within=0.006)],
    [many("another probability", 20, 0.8, 0.8),
     Case("300 sentences of 400 equal tokens", (300, 400), together, within=0.006)],
    _EACH)  # fmt: skip


@task.probe("the number of gaps is a matter of chance", "each token drawn by itself, so that now more, now fewer are "
            "chosen", "a fixed number of tokens is chosen, of a sentence or of the whole batch: a share of a count, or "
            "of `randperm`", "compare a number between 0 and 1 for each token with `probability`")  # fmt: skip
def how_many(answer):
    """30 calls with 2 sentences of 10 ordinary tokens, half of them chosen."""
    tokens = torch.arange(20).view(2, 10) + 5
    found = {int((pair(answer, tokens, MASK, 50, 0.5, seed=seed)[1] != -100).sum()) for seed in range(30)}
    return f"each time there were {found.pop()} gaps" if len(found) == 1 else None


task.require("labels hold the original where it was chosen, else -100",
    "the original token at chosen places, -100 everywhere else, and inputs that differ at chosen places alone",
    [Case("30 sentences of 20 tokens, half of them chosen", drawn("50: 30 20", 0.5), labels_of, right=[True, True])],
    [Case("60 sentences of 9 tokens", drawn("50: 60 9", 0.5), labels_of, right=[True, True])],
    _LABELS)  # fmt: skip


@task.probe(
    "random tokens are drawn one by one",
    "a draw of its own for each token that is replaced",
    "one random token is drawn, and used at several places",
    "print the shape of what torch.randint returns",
)
def one_by_one(answer):
    """30 sentences of 60 equal tokens, 4000 in the vocabulary, probability 1."""
    inputs, _ = pair(answer, torch.full((30, 60), 7), MASK, 4000, 1.0)
    for part, of in (("the batch", [inputs]), ("a sentence", inputs), ("a column of the batch", inputs.T)):
        if max(len(set(each.flatten().tolist()) - {7, MASK}) for each in of) == 1:
            return f"all random tokens of {part} are the same"
    return None


task.require("special tokens and mask_id are neither asked for nor drawn",
    "ordinary tokens alone in the labels, and in the inputs ordinary ones and mask_id in the place of those chosen",
    [*_special("PAD, BOS, EOS, UNK, mask_id = 4 and two words, probability 1",
               (torch.tensor([[1, 5, 2, 0, 3, 4, 6]]), 7, 4, SPECIAL), [-100, 5, 6], [4, 5, 6]),
     Case("a vocabulary of two ordinary tokens: 80 % become mask_id, none by chance", (torch.tensor([[5, 6]]),),
          hidden_of_two, right=torch.tensor(0.8, dtype=torch.float64), within=0.012),
     *_special("special_ids = (0, 7), mask_id = 9, probability 1", (torch.tensor([[0, 7, 9, 1, 2, 3]]), 10, 9, (0, 7)),
               [-100, 1, 2, 3], [1, 2, 3, 4, 5, 6, 8, 9])],
    _special("other special tokens", (torch.tensor([[5, 6, 1, 2, 3, 8]]), 9, 3, (5, 6)),
             [-100, 1, 2, 8], [0, 1, 2, 3, 4, 7, 8]),
    _WHO)  # fmt: skip
task.require("a random token is any ordinary one, all equally often",
    "every ordinary token of the vocabulary equally often",
    [Case("120,000 equal tokens, 12 in the vocabulary", (12, 4, SPECIAL), spread,
          right=torch.tensor([0.0] * 6 + [1 / 6] * 6, dtype=torch.float64), within=0.025)],
    [Case("another vocabulary", (9, 8, (0, 3)), spread,
          right=torch.tensor([0, 0, 0.2, 0, 0.2, 0.2, 0.2, 0.2, 0], dtype=torch.float64), within=0.03)],
    "count them: torch.bincount(inputs[inputs != tokens])")  # fmt: skip
task.require("`generator` makes inputs and labels repeatable",
    "the same inputs and labels from generators with the same seed; others from another seed, and from the next call",
    [Case("generators with the seeds 0, 0 and 1, and two calls with one generator", drawn("50: 20 30"), repeated,
          right=[True, False, False])],
    [Case("other tokens", drawn("50: 12 40"), repeated, right=[True, False, False])],
    _DRAW)  # fmt: skip
task.limits("probability 0, and wrong input",
    [Case("probability 0, no generator", (torch.tensor([[5, 6, 0]]),), none_asked),
     refusal("a sentence without a batch", (torch.tensor([5, 6]), 4, 9), "tokens"),
     refusal("a probability of 15", (torch.tensor([[5, 6]]), 4, 9, 15), "probability"),
     refusal("a mask_id outside the vocabulary", (torch.tensor([[5, 6]]), 9, 9), "mask_id")])  # fmt: skip
