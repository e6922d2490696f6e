"""Task `translate` of exercise 11: its sentences, its beam, and its manners."""

import functools

import torch
from torch.nn import functional as F

from course_checks.cases import Case, refusal
from course_checks.decoding import models
from course_checks.decoding.shared import UNIT, asked, filled, following, sources
from course_checks.task import Task
from course_checks.words import Wrong
from transformer_course.common.tokens import EOS, PAD

task = Task("translate", UNIT)


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


# fmt: off
_FOLLOW = "print `target` in every step, for one sentence of three words"
_EACH = "search for each sentence on its own, and take the first result of the search"
_OWN_ROWS = "print for each search the rows of memory and source that it starts from"
_ENDS = "print one sentence before and after you put it into the tensor"
_MODES = "remember `(module, module.training)` for each of `model.modules()`"
_FINALLY = "`try: ... finally: ...` runs its last part in any case"
_EVAL = "call `model.eval()` before anything else is asked of the model"
_GRAD = "put everything that asks the model into `with torch.no_grad():`"
_NEW_WORD = "`decode` says at each position what comes next: which one is that of the new word?"
_BEAM_WIDTH, _ALPHA = "hand beam_width on as it came", "hand alpha on as it came"
_TENSOR = "`pad_sequences` makes a tensor of lists"
_START, _NO_WORDS, _READ = "def start(rows):", '{"target": rows[:, :0]', "[:, -1]"
_TARGET = 'target = torch.cat([state["target"], tokens.unsqueeze(1)], dim=1)'
_GREEDY = "greedy_decode(step, start(source), len(source), max_length)"
_BEAM, _BEST = "start(row[None])", "beam_search(step, start(row[None]), beam_width, max_length, alpha)[0]"
_RESULT = "pad_sequences([tokens for tokens, _ in found])"
_BACK = "for module, mode in modes:\n    module.training = mode"
_BACK_INSIDE = _BACK.replace("\n", "\n    ")
task.edit("decode(target", {
    "decode(F.pad(target, (1, 0), value=BOS)": (
        "`target` begins with BOS twice: the state held one already, and the first `tokens` are BOS", _FOLLOW),
    "decode(target[:, int(target.shape[1] > 1) :]": (
        "the first `tokens`, which are BOS, are left out, so `target` begins with something else", _FOLLOW),
    "decode(target[:, -1:]": ("only the last word is handed to the decoder, or the state that comes back is the old "
        "one, without the new word", "the step returns a state: what does it hold after two words?")})
task.edit('[state["target"], tokens.unsqueeze(1)]', {'[tokens.unsqueeze(1), state["target"]]': (
    "the new word is joined in front of the words so far", _FOLLOW)})
task.edit_places({
    _START: f"outside = []\n{_START}\n    outside[:] = [rows[:, :0]]",
    _TARGET: "before = outside[0] if len(outside[0]) == len(tokens) else outside[0][:1].expand(len(tokens), -1)\n"
             "outside[0] = target = torch.cat([before, tokens.unsqueeze(1)], dim=1)"},
    "the words so far are kept outside the state, so they do not follow the hypotheses that stay",
    "print the state before and after a step with two hypotheses")
task.edit(_READ, {
    "[:, 0]": ("the logits of the first position are read", _NEW_WORD, "each sentence is one word, again and again"),
    "[:, max(target.shape[1] - 2, 0)]": (
        "the logits of the last position but one are read", "index -1 is the last"),
    "": ("the logits of all positions are returned by the step, not those of the last one", _NEW_WORD),
    "[:, -1].softmax(-1)": ("the step returns probabilities, not logits: `beam_search` takes `log_softmax` itself",
        "print what your step returns: which numbers does the search ask for?"),
    ".mean(1)": ("the logits of all positions are averaged", "which position is that of the new word?")})
task.edit('state["memory"]', {
    'state["memory"][:1].expand_as(state["memory"])': ("every sentence of a batch is written with the memory of the "
        "first one", "print which rows of the memory `decode` gets for two sentences"),
    'model.encode(state["source"])': ("the encoder runs again for every word: `model(source, target)`, or `encode` "
        "inside the step", "encode before the first step, and keep the memory in the state")})
task.edit("if beam_width == 1:", {"if True:": ("`beam_width` is not used: decoding is greedy", _EACH)})
task.edit(_BEAM, {
    "start(source[:1])": (
        "the sentences of the batch share one search: all get the translation of the first", _EACH),
    f'{{**{_BEAM}, "memory": model.encode(source[:1])}}': (
        "in the beam every sentence is written with the memory of the first one", _OWN_ROWS),
    f'{{**{_BEAM}, "source": source[:1]}}': (
        "in the beam every sentence is written with the source of the first one", _OWN_ROWS)})
task.edit(f"return {_GREEDY}", {
    "return pad_sequences([greedy_decode(step, start(row[None]), 1, max_length)[0].tolist() for row in source])": (
        "greedy decoding takes the sentences one by one, not the whole batch at once",
        "hand the whole batch to `decode`")} | {
    "state, tokens, columns = start(source), torch.full((len(source),), BOS), []\n"
    f"while len(columns) < max_length and not {ended}:\n"
    "    logits, state = step(tokens, state)\n    tokens = logits.argmax(dim=-1)\n    columns.append(tokens)\n"
    "return torch.stack(columns, dim=1)": words for ended, words in {
    "(columns and (torch.stack(columns) == EOS).any(0).all())": (
        "a sentence that has ended goes on writing, until all have ended", "what should stand behind EOS?"),
    "False": ("a sentence that has ended goes on writing, up to max_length", "what should stand behind EOS?"),
    "(columns and (columns[-1] == EOS).any())": (
        "all sentences stop when the first of them ends", "when has the whole batch ended?")}.items()})
task.edit("beam_width, max_length, alpha", {
    "4, max_length, alpha": ("the width of the beam is written as a number (4)", _BEAM_WIDTH),
    "beam_width + 1, max_length, alpha": ("the beam is wider by one than `beam_width`", _BEAM_WIDTH),
    "beam_width, max_length": ("`alpha` is not handed on to the search, whose own default is 0",
                               "look up the default of alpha in both functions"),
    "beam_width, max_length, 0.6": ("`alpha` is written as a number (0.6)", _ALPHA),
    "beam_width, max_length, -alpha": ("the sign of `alpha` is turned around", _ALPHA)})
task.edit("alpha: float = 0.6", {"alpha: float = 1.0": (
    "the default of `alpha` is another one, such as 1", "look up the task")})
task.edit("[0] for row in source", {
    "[-1] for row in source": ("the last result of the search is taken, not the first", _EACH),
    "[:2][-1] for row in source": ("the second result of the search is taken, not the first", _EACH)})
task.edit(f"[{_BEST} for row in source]", {f"[each for row in source for each in {_BEST[:-3]}]": (
    "all results of the search are returned, not the best one of each sentence", _EACH)})
for _end, *_words in (
    ("F.pad(tokens, (1, 0), value=BOS)", "BOS is part of the result", _ENDS, "each sentence begins with BOS"),
    ("tokens.masked_fill(tokens == EOS, PAD)", "EOS is cut off, or taken for padding", _ENDS, "EOS is missing"),
    ("tokens.masked_fill(tokens == PAD, EOS)", "the short sentences are filled up with EOS, not with PAD", _ENDS),
    ("F.pad(tokens, (0, max_length - tokens.shape[1]))", "the result always has `max_length` columns",
     "n is the longest translation"),
    ("tokens.tolist()", "a list of lists is returned, not a tensor", _TENSOR),
    ("list(tokens)", "a list of tensors is returned, one for each sentence", _TENSOR),
):
    task.edit_places({_START: f"end = lambda tokens: {_end}\n{_START}", f"return {_GREEDY}": f"return end({_GREEDY})",
                      f"return {_RESULT}": f"return end({_RESULT})"}, *_words)
task.edit(f"return {_RESULT}", {
    "columns = max(len(tokens) for tokens, _ in found)\n"
    "return torch.tensor([tokens + [PAD] * (columns - len(tokens)) for tokens, _ in found])": (
        "a tensor is made of lists without a number, which say nothing of a dtype",
        "which dtype and which shape has `torch.tensor([[]])`?")})
task.edit(_START, {
    f"max_length += 1\n{_START}": ("`max_length` is taken for the number of words without EOS", "EOS counts, too"),
    f"max_length -= 1\n{_START}": ("one word too few is written", "how many words does max_length 2 allow?")})
task.edit("model.eval()", {"": ("`model.eval()` is missing", _EVAL)})
task.edit_places({"model.eval()": "", f"return {_NO_WORDS}, \"memory\": model.encode(rows)":
                  f"memory = model.encode(rows)\nmodel.eval()\nreturn {_NO_WORDS}, \"memory\": memory"},
                 "`model.eval()` comes after the encoder has run", _EVAL)
task.edit(_BACK, {
    "pass": ("nothing puts the modes back, or they are remembered only after `model.eval()`", _MODES,
             "the model is left in eval mode"),
    "model.train()": (
        "`model.train()` at the end sets the whole model to train mode, whatever was before", _MODES),
    "model.train(modes[0][1])": ("the mode of the whole model is put back, and a part of it had another: `train(...)` "
        "reaches every part", _MODES),
    f"if beam_width == 1:\n    {_BACK_INSIDE}": ("the modes are not put back on "
        "the way of beam search: an earlier `return`, or the lines stand in one branch only", _FINALLY)})
task.edit_places({
    _START: f"def end(tokens):\n    {_BACK_INSIDE}\n    return tokens\n{_START}",
    "try:": "if True:", f"finally:\n    {_BACK_INSIDE}": "",
    f"return {_GREEDY}": f"return end({_GREEDY})", f"return {_RESULT}": f"return end({_RESULT})"},
    "the lines that put the modes back are not reached when something raises", _FINALLY)
task.edit("with torch.no_grad():", {"if True:": ("`torch.no_grad()` is missing, or the encoder runs outside it "
    "(`greedy_decode` and `beam_search` themselves record nothing)", _GRAD)})
_RECORDED = {"with torch.no_grad():": "if True:", "logits = model": "with torch.enable_grad():\n    logits = model"}
task.edit_places(_RECORDED, "`torch.no_grad()` is missing around a loop of your own", _GRAD)
# fmt: on


def wrong_words(observed, expected, beam=False):
    """Say where in its sentence the first wrong word stands."""
    if not isinstance(observed, torch.Tensor) or observed.shape != expected.shape:
        return None
    wrong = 1 + ((observed != expected) & (expected > PAD)).nonzero()
    if not len(wrong):
        return Wrong("a sentence that has ended goes on writing, or is filled up with something else than PAD; or the "
                     "result is wider than its longest sentence", "the words are right, and what stands behind them "
                     "is not", _ENDS)  # fmt: skip
    number, place = wrong[0].tolist()
    if observed[number - 1, place - 1] < 0:  # behind the last column
        return Wrong("the result has fewer columns than its longest sentence has words with EOS: it is cut behind the "
                     "search, or the search ends too early", f"in sentence {number} word {place} is not there",
                     _ENDS)  # fmt: skip
    if beam:
        return Wrong("what each search starts from (memory and source of its own sentence), what the state holds for "
                     "each hypothesis, `beam_width`, `alpha`, or which result is taken", "greedy decoding was right, "
                     f"and with a beam sentence {number} is not", _OWN_ROWS)  # fmt: skip
    cause = "all words so far in their order, BOS first; or which position of its logits is read"
    if place == 1:
        cause = "BOS and nothing else, with memory and source of its own sentence; or how a word is chosen"
    return Wrong(f"what `decode` gets before it writes word {place}: {cause}", f"in sentence {number} the first wrong "
                 f"word is word {place}", _FOLLOW)  # fmt: skip


def tried(situation, count, max_length, *search, **options):
    """Make a case of which the sentences are observed, with -1 behind the last column up to 12."""

    def observe(answer, *given):
        result = answer(*given)
        is_table = isinstance(result, torch.Tensor) and result.dim() == 2
        return F.pad(result, (0, max(12 - result.shape[1], 0)), value=-1) if is_table else result

    observe.words = functools.partial(wrong_words, beam=bool(search))
    return Case(situation, inputs(count, max_length, *search, **options), observe)


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
     tried(f"4 sentences, {WIDE}, alpha not given", 4, 4, 200, end=-0.5),
     tried(f"4 sentences, {NARROW}, alpha 0", 4, 6, 2, 0.0, end=-1.0),
     tried(f"4 sentences, {NARROW}, alpha 1", 4, 6, 2, 1.0, end=-0.5)],
    [tried(f"{WIDE}, {size} words, alpha {alpha:g}", 4, 4, 200, alpha, end=end, vocab_size=size)
     for size, alpha, end in ((5, 0.6, -1.0), (5, 1.5, 0.5), (6, 0.0, -0.5))]
    + [tried("a beam of 3, alpha 0.6", 5, 7, 3, 0.6, end=-1.0),
       tried("a beam of 6, alpha not given", 5, 5, 6, end=1.0, vocab_size=8)],
    _FOLLOW,
)  # fmt: skip


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
