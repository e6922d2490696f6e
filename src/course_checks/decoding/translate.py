"""Task `translate` of exercise 11: its sentences, its beam, and its manners."""

import contextlib

import torch
from torch.nn import functional as F

from course_checks.cases import Case, refusal
from course_checks.decoding import models
from course_checks.decoding.shared import UNIT, filled, following, search, sources, write_greedily
from course_checks.task import Task
from course_checks.words import Wrong
from transformer_course.common.tokens import BOS, EOS, PAD

task = Task("translate", UNIT)
_FOLLOW = "print `target` in every step, for one sentence of three words"
_EACH = "search for each sentence on its own, and take the first result of the search"
_ENDS = "print one sentence before and after you put it into the tensor"
_MODES = "remember `(module, module.training)` for each of `model.modules()`"
_FINALLY = "`try: ... finally: ...` runs its last part in any case"
_EVAL = "call `model.eval()` before anything else is asked of the model"
_GRAD = "put everything that asks the model into `with torch.no_grad():`"


@task.oracle
def right(model, source, max_length, beam_width=1, alpha=0.6):
    """Score every beginning that the beam keeps anew, word by word, and each sentence without its padding."""
    best = []
    for row in source:
        row, living, found = row[row != PAD][None], [([], 0.0)], []
        for _ in range(max_length):
            longer = [([*words, word], total + number) for words, total in living
                      for word, number in enumerate(following(model, row, words)[-1].tolist())]  # fmt: skip
            kept = sorted(longer, key=lambda pair: -pair[1])[:beam_width]
            found += [pair for pair in kept if pair[0][-1] == EOS]
            living = [pair for pair in kept if pair[0][-1] != EOS]
        best.append(max(found + living, key=lambda pair: pair[1] / ((5 + len(pair[0])) / 6) ** alpha)[0])
    return filled(best)


@task.pipeline(
    words={
        "BOS twice": Wrong("`target` begins with BOS twice: the state held one already, and the first `tokens` are BOS",
                           "", _FOLLOW),
        "no BOS": Wrong("the first `tokens`, which are BOS, are left out, so `target` begins with something else", "",
                        _FOLLOW),
        "last alone": Wrong("only the last word is handed to the decoder, or the state that comes back is the old one, "
                            "without the new word", "", "the step returns a state: what does it hold after two words?"),
        "in front": Wrong("the new word is joined in front of the words so far", "", _FOLLOW),
        "outside": Wrong("the words so far are kept outside the state, so they do not follow the hypotheses that stay",
                         "", "print the state before and after a step with two hypotheses"),
    },
    read={
        "first": Wrong("the logits of the first position are read", "each sentence is one word, again and again",
                       "`decode` says at each position what comes next: which one is that of the new word?"),
        "one before": Wrong("the logits of the last position but one are read", "", "index -1 is the last"),
        "all": Wrong("the logits of all positions are returned by the step, not those of the last one", "",
                     "`decode` says at each position what comes next: which one is that of the new word?"),
        "softmax": Wrong("the step returns probabilities, not logits: `beam_search` takes `log_softmax` itself", "",
                         "print what your step returns: which numbers does the search ask for?"),
        "mean": Wrong("the logits of all positions are averaged", "", "which position is that of the new word?"),
    },
    reading={"again": Wrong("the encoder runs again for every word: `model(source, target)`, or `encode` inside the "
                           "step", "", "encode before the first step, and keep the memory in the state")},
    searched={
        "greedily": Wrong("`beam_width` is not used: decoding is greedy", "", _EACH),
        "together": Wrong("the sentences of the batch share one search: all get the translation of the first", "",
                          _EACH),
        "one by one": Wrong("greedy decoding takes the sentences one by one, not the whole batch at once", "",
                            "hand the whole batch to `decode`"),
        "width 4": Wrong("the width of the beam is written as a number (4)", "", "hand beam_width on as it came"),
        "one wider": Wrong("the beam is wider by one than `beam_width`", "", "hand beam_width on as it came"),
    },
    penalty={
        "none": Wrong("`alpha` is not handed on to the search, whose own default is 0", "",
                      "look up the default of alpha in both functions"),
        "0.6": Wrong("`alpha` is written as a number (0.6)", "", "hand alpha on as it came"),
        "1 by default": Wrong("the default of `alpha` is another one, such as 1", "", "look up the task"),
        "inverse": Wrong("the sign of `alpha` is turned around", "", "hand alpha on as it came"),
    },
    taken={
        "worst": Wrong("the last result of the search is taken, not the first", "", _EACH),
        "second": Wrong("the second result of the search is taken, not the first", "", _EACH),
        "every": Wrong("all results of the search are returned, not the best one of each sentence", "", _EACH),
    },
    ends={
        "BOS": Wrong("BOS is part of the result", "each sentence begins with BOS", _ENDS),
        "no EOS": Wrong("EOS is cut off, or taken for padding", "EOS is missing", _ENDS),
        "EOS": Wrong("the short sentences are filled up with EOS, not with PAD", "", _ENDS),
        "one longer": Wrong("`max_length` is taken for the number of words without EOS", "", "EOS counts, too"),
        "one shorter": Wrong("one word too few is written", "", "how many words does max_length 2 allow?"),
        "to max_length": Wrong("the result always has `max_length` columns", "", "n is the longest translation"),
        "lists": Wrong("a list of lists is returned, not a tensor", "", "`pad_sequences` makes a tensor of lists"),
        "rows": Wrong("a list of tensors is returned, one for each sentence", "",
                      "`pad_sequences` makes a tensor of lists"),
    },
    mode={
        "train": Wrong("`model.eval()` is missing", "", _EVAL),
        "late": Wrong("`model.eval()` comes after the encoder has run", "", _EVAL),
        "left": Wrong("nothing puts the modes back", "the model is left in eval mode", _MODES),
        "train afterwards": Wrong("`model.train()` at the end sets the whole model to train mode, whatever was before",
                                  "", _MODES),
        "of the whole": Wrong("the mode of the whole model is put back, and a part of it had another: `train(...)` "
                              "reaches every part", "", _MODES),
        "not after an error": Wrong("the lines that put the modes back are not reached when something raises", "",
                                    _FINALLY),
        "not in the beam": Wrong("the modes are not put back on the way of beam search: an earlier `return`, or the "
                                 "lines stand in one branch only", "", _FINALLY),
    },
    gradient={
        "recorded": Wrong("`torch.no_grad()` is missing around a loop of your own", "", _GRAD),
        "encoder": Wrong("`torch.no_grad()` is missing, or the encoder runs outside it (`greedy_decode` and "
                         "`beam_search` themselves record nothing)", "", _GRAD),
    },
)  # fmt: skip
def translate(
    model, source, max_length, beam_width=1, alpha=None, *, words="all", read="last", reading="once", searched="each",
    penalty="alpha", taken="best", ends="right", mode="each", gradient="none",
):  # fmt: skip
    """Translate with one choice for each step."""
    given = (1.0 if penalty == "1 by default" else 0.6) if alpha is None else alpha
    exponent = {"none": 0.0, "0.6": 0.6, "inverse": -given}.get(penalty, given)
    longest = max_length + {"one longer": 1, "one shorter": -1}.get(ends, 0)
    width = {"width 4": 4, "one wider": beam_width + 1}.get(searched, beam_width) if beam_width > 1 else 1
    outside = [source[:, :0]]

    def start(rows):
        with torch.set_grad_enabled(gradient != "none"):
            memory = model.encode(rows)
        model.train(model.training and mode != "late")
        outside[0] = rows[:, :0]
        target = torch.full_like(rows[:, :1], BOS) if words == "BOS twice" else rows[:, :0]
        return {"target": target, "memory": memory, "source": rows}

    def step(tokens, state):
        before = outside[0] if words == "outside" else state["target"]
        before = before if len(before) == len(tokens) else before[:1].expand(len(tokens), -1)
        target = torch.cat([tokens[:, None], before] if words == "in front" else [before, tokens[:, None]], 1)
        outside[0] = target
        seen = target[:, -1:] if words == "last alone" else target
        seen = target[:, 1:] if words == "no BOS" and target.shape[1] > 1 else seen
        memory = model.encode(state["source"]) if reading == "again" else state["memory"]
        logits = model.decode(seen, memory, state["source"])
        row = {"first": 0, "one before": max(seen.shape[1] - 2, 0)}.get(read, -1)
        logits = logits if read == "all" else logits.mean(1) if read == "mean" else logits[:, row]
        return logits.softmax(-1) if read == "softmax" else logits, {**state, "target": target}

    modes = [(module, module.training) for module in model.modules()]
    model.train(mode in ("train", "late") and model.training)
    if mode in ("train", "late"):
        put_back(modes, "each")
    completed = False
    try:
        with torch.set_grad_enabled(gradient == "recorded"):
            tokens = found(step, start, source, longest, width, exponent, searched, taken)
        completed = True
    finally:
        never = mode == "not after an error" and not completed or mode == "not in the beam" and beam_width > 1
        put_back(modes, "left" if never else mode)
    if ends == "to max_length":
        tokens = filled([row + [PAD] * (max_length - len(row)) for row in tokens.tolist()])
    elif ends == "BOS":
        tokens = torch.cat([torch.full_like(source[: len(tokens), :1], BOS), tokens], 1)
    elif ends == "no EOS":
        tokens = tokens.masked_fill(tokens == EOS, PAD)
    elif ends == "EOS":
        tokens = tokens.masked_fill(tokens == PAD, EOS)
    elif ends == "rows":
        return list(tokens)
    return tokens.tolist() if ends == "lists" else tokens


def found(step, start, source, max_length, width, alpha, searched, taken):
    """Write all sentences."""
    if width == 1 or searched == "greedily":
        if searched == "one by one":
            return filled([write_greedily(step, start(row[None]), 1, max_length)[0].tolist() for row in source])
        return write_greedily(step, start(source), len(source), max_length)
    rows = source[:1].expand_as(source) if searched == "together" else source
    results = [search(step, start(row[None]), width, max_length, alpha) for row in rows]
    if taken == "every":
        return filled([words for pairs in results for words, _ in pairs[:width]])
    place = {"worst": -1, "second": 1}.get(taken, 0)
    return filled([pairs[:width][place if len(pairs) > 1 else 0][0] for pairs in results])


def put_back(modes, how):
    """Put the modes back in one way."""
    root, was = modes[0]
    if how == "train afterwards" or how == "of the whole":
        root.train(was or how == "train afterwards")
    elif how != "left":
        for module, training in modes:
            module.training = training


def sentences(answer, *inputs):
    """Observe the sentences with padding up to 12 words, and how long they were before."""
    result = answer(*inputs)
    if not isinstance(result, torch.Tensor) or result.dim() != 2:
        return result
    return F.pad(result, (0, max(12 - result.shape[1], 0)), value=PAD), result.shape[1]


def tried(situation, *arguments, **options):
    """Make a case of which the sentences are observed."""
    return Case(situation, inputs(*arguments, **options), sentences)


def inputs(count, max_length, *search, end=0.0, vocab_size=6, spread=1.0):
    """Draw a model and sources."""
    return lambda draw: (models.translator(draw, vocab_size, end, spread), sources(count), max_length, *search)


EXPECTED = "for each source the words, EOS behind them, and PAD up to the end of the longest"
WIDE, NARROW = "a beam wide enough for all", "a beam of 2"
task.require(
    "greedy: the most probable word, again and again, up to EOS or max_length",
    EXPECTED,
    [tried("3 sentences, greedy, max_length 7", 3, 7, end=-0.5),
     tried("3 sentences, greedy, max_length 2", 3, 2, end=-1.5),
     tried("4 sentences, greedy, max_length 9", 4, 9, end=0.2, spread=2.0)],
    [tried(f"{count} sentences of {size} words, greedy", count, 6, end=end, vocab_size=size, spread=2.0)
     for count, size, end in ((1, 8, 0.0), (5, 5, -0.5), (3, 12, 0.5))]
    + [tried("sentences that never end", 3, 5, end=-30.0),
       tried("sentences that end at once", 3, 5, end=30.0)],
    _FOLLOW,
)  # fmt: skip
task.require(
    "a beam finds the best of what it keeps, for each source and alpha",
    EXPECTED,
    [tried(f"3 sentences, {WIDE}, alpha 0", 3, 4, 200, 0.0, end=-1.0),
     tried(f"3 sentences, {WIDE}, alpha 2", 3, 4, 200, 2.0, end=-0.5),
     tried(f"4 sentences, {WIDE}, alpha not given", 4, 4, 200, end=0.5),
     tried(f"4 sentences, {NARROW}, alpha 0", 4, 6, 2, 0.0, end=-1.0),
     tried(f"4 sentences, {NARROW}, alpha 1", 4, 6, 2, 1.0, end=-0.5)],
    [tried(f"{WIDE}, {size} words, alpha {alpha:g}", 4, 4, 200, alpha, end=end, vocab_size=size)
     for size, alpha, end in ((5, 0.6, -1.0), (5, 1.5, 0.5), (6, 0.0, -0.5))]
    + [tried("a beam of 3, alpha 0.6", 5, 7, 3, 0.6, end=-1.0),
       tried("a beam of 6, alpha not given", 5, 5, 6, end=-0.5, vocab_size=8)],
    _FOLLOW,
)  # fmt: skip


def asked(answer, beam_width, breaks=False, training=True):
    """Translate with a model in train mode, of which a part is in eval mode, or in eval mode; return it, and a word."""
    model = Case("a toy model", lambda draw: (models.translator(draw, breaks=breaks),)).arguments()[0].train(training)
    model.reading.eval()
    before = [module.training for module in model.modules()]
    with contextlib.suppress(*([RuntimeError] if breaks else [])):
        answer(model, sources(), 4, beam_width)
    now = [module.training for module in model.modules()]
    which = "all in eval mode" if not any(now) else "all in train mode" if all(now) else "in other modes"
    return model, "as it was" if now == before else which


@task.probe(
    "the model is asked in eval mode", "eval mode for every question: otherwise dropout makes each translation a "
    "lottery", "`model.eval()` is missing, or comes too late", _EVAL,
)  # fmt: skip
def eval_mode(answer):
    """A model in train mode, beam_width 1 and 3."""
    for beam_width in (1, 3):
        kinds = {kind for kind, training, _ in asked(answer, beam_width)[0].calls if training}
        if kinds:
            return f"{' and '.join(sorted(kinds))} ran in train mode (beam_width {beam_width})"
    return None


@task.probe(
    "the model is asked without gradient", "no gradient: every step would keep all that it computed",
    "`torch.no_grad()` is missing, or does not hold for the encoder", _GRAD,
)  # fmt: skip
def without_gradient(answer):
    """What the model records, beam_width 1 and 3."""
    for beam_width in (1, 3):
        kinds = {kind for kind, _, gradient in asked(answer, beam_width)[0].calls if gradient}
        if kinds:
            return f"{' and '.join(sorted(kinds))} ran while gradients were recorded (beam_width {beam_width})"
    return None


@task.probe(
    "the source is read once, and each word takes one call of the decoder", "`encode` once for the batch or once for "
    "each sentence; `decode` once for each word, for the whole batch or for all hypotheses of one sentence",
    "the encoder runs again for every word, or sentences or hypotheses go through the decoder one by one",
    "count the calls: which of them stands in a loop that it should not stand in?",
)  # fmt: skip
def calls(answer):
    """How often the model is asked, beam_width 1 and 3, 3 sentences of at most 4 words."""
    for beam_width in (1, 3):
        kinds = [kind for kind, _, _ in asked(answer, beam_width)[0].calls]
        encoded, decoded = kinds.count("encode"), kinds.count("decode")
        if encoded > 3 or decoded > 4 * (1 if beam_width == 1 else 3):
            return f"beam_width {beam_width}: encode ran {encoded} times, decode {decoded} times"
    return None


@task.probe(
    "the model gets back the modes that it had, also after an error", "every module in the mode in which it was",
    "the modes are not put back, or not those of every module, or not if something raises", _MODES,
)  # fmt: skip
def modes_put_back(answer):
    """The modes of a model in train mode, of which one part was in eval mode."""
    for breaks in (False, True):
        for beam_width in (1, 3):
            mixed, plain = (asked(answer, beam_width, breaks, training)[1] for training in (True, False))
            if mixed != "as it was" or plain != "as it was":
                after = ", after an error in the model" if breaks else ""
                return (
                    f"it comes back {mixed}, and a model that was in eval mode comes back {plain} (beam_width "
                    f"{beam_width}{after})"
                )
    return None


task.limits(
    "no words, no sentences, and wrong input",
    [Case(f"max_length 0, beam_width {width}", inputs(3, 0, width), right=torch.zeros(3, 0).long())
     for width in (1, 2)]
    + [Case(f"a batch of 0, beam_width {width}", lambda draw, width=width: (models.translator(draw), sources()[:0], 5,
       width), right=torch.zeros(0, 0).long()) for width in (1, 2)]
    + [refusal("a source without a batch", lambda draw: (models.translator(draw), sources()[0], 5)),
       refusal("a negative max_length", inputs(3, -1)), refusal("a beam_width of 0", inputs(3, 5, 0))],
)  # fmt: skip
