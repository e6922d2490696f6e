"""The checks of exercise 11 for the function that translates: its sentences, its beam, and its manners."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.checks.answers import Answer
from transformer_course.checks.decoding_mistakes import UNIT
from transformer_course.checks.decoding_models import SOURCE, tiny
from transformer_course.checks.oracles_decoding import filled, right_greedy_sentence, right_search
from transformer_course.checks.reporting import Mistake
from transformer_course.checks.token_results import compare_sentences
from transformer_course.common.tokens import BOS, EOS, PAD

FOLLOW = "print `target` in every step, for one sentence of three words"
TWICE = "`target` begins with BOS twice: the state held one already, and the first `tokens` are BOS"


def compare_translation(
    subject: Answer,
    situation: str,
    model: nn.Module,
    source: Tensor,
    max_length: int,
    beam_width: int | None = None,
    alpha: float | None = None,
    words: Sequence[int] = (),
) -> None:
    """Compare with greedy decoding by hand, or, for a beam that is wide enough for all, with trying every sentence."""
    given = [each for each in (beam_width, alpha) if each is not None]
    rows = [row[row != PAD].unsqueeze(0) for row in source]
    greedy = filled([right_greedy_sentence(model, row, max_length) for row in rows])
    if (beam_width or 1) == 1:
        result = subject(situation, model, source, max_length, *given)
        _compare_ends(subject, situation, result, greedy)
        _compare_first_words(subject, situation, model, rows, result, greedy, max_length)
        compare_sentences(subject, situation, result, greedy, EOS, PAD, FOLLOW)
        return
    alphas = (0.6 if alpha is None else alpha, 0.0, 0.6, 1.0)
    found = [right_search(model, row, words, max_length, alphas) for row in rows]
    best = {each: filled([of_row[place][0] for of_row in found]) for place, each in enumerate(alphas)}
    doubled = [right_search(model, row, words, max_length, alphas[:1], (BOS, BOS))[0][0] for row in rows]
    result = subject(situation, model, source, max_length, *given)
    _compare_ends(subject, situation, result, best[alphas[0]])
    _compare_beam(subject, situation, result, best, greedy, alphas[0], filled(doubled))
    compare_sentences(subject, situation, result, best[alphas[0]], EOS, PAD, FOLLOW)


def _compare_ends(subject: Answer, situation: str, result: Any, right: Tensor) -> None:
    """Name what is wrong with sentences whose words are right: their ends."""
    if type(result) is not Tensor or result.dim() != 2 or len(result) != len(right) or torch.equal(result, right):
        return
    expected = "the words, then EOS, which is part of the sentence, then PAD up to the end of the longest one"
    hint = "print one sentence before and after you put it into the tensor"
    wrong = [
        (
            right.masked_fill(right == EOS, PAD),
            "EOS is missing: the sentences are right but for EOS",
            "EOS is cut off, or taken for padding",
        ),
        (
            right.masked_fill(right == PAD, EOS),
            "there is EOS in the place of padding: the sentences are right but for that",
            "the short sentences are filled up with EOS",
        ),
    ]
    width = max(result.shape[1], right.shape[1])
    padded, wanted = (F.pad(tokens, (0, width - tokens.shape[1]), value=PAD) for tokens in (result, right))
    for tokens, observed, cause in wrong:
        tokens = F.pad(tokens, (0, width - right.shape[1]), value=PAD)
        if torch.equal(padded, tokens) and not torch.equal(tokens, wanted):
            subject.fail(situation, observed, expected, cause, hint)


def _compare_first_words(
    subject: Answer, situation: str, model: nn.Module, rows: Sequence[Tensor], result: Any, right: Tensor, length: int
) -> None:
    """Name what goes wrong with the words that the decoder sees: BOS twice, one word alone, or the first logits."""
    if type(result) is not Tensor or result.dim() != 2 or len(result) != len(right) or torch.equal(result, right):
        return
    first = torch.tensor([right_greedy_sentence(model, row, 1)[0] for row in rows])
    if right.shape[1] > 1 and result.shape[1] and torch.equal(result, first.unsqueeze(1).expand_as(result)):
        subject.fail(
            situation,
            "each sentence is one word, written again and again",
            "at each step what the words so far make most probable",
            "the logits of the first position are read",
            "`decode` says at each position what comes next: the last one is that of the new word",
        )
    if torch.equal(result, filled([right_greedy_sentence(model, row, length, begin=(BOS, BOS)) for row in rows])):
        subject.fail(
            situation,
            "what the model writes after BOS and another BOS",
            "the most probable word at each step, after one BOS and the words so far",
            TWICE,
            FOLLOW,
        )
    forgetful = filled([right_greedy_sentence(model, row, length, remembers=False) for row in rows])
    if torch.equal(result, forgetful):
        subject.fail(
            situation,
            "what each word makes most probable on its own",
            "what all words so far make most probable",
            "only the last word is handed to the decoder, which has no memory of the others",
            "join the new word to those in the state, and hand all of them to `decode`",
        )


def _compare_beam(
    subject: Answer,
    situation: str,
    result: Any,
    best: dict[float, Tensor],
    greedy: Tensor,
    alpha: float,
    doubled: Tensor,
) -> None:
    """Compare what was written, whatever the width, with the best sentences and with known mistakes."""
    right, each = best[alpha], "search for each sentence on its own, and take the first result of the search"
    if type(result) is not Tensor or result.dtype != right.dtype or result.dim() != 2 or len(result) != len(right):
        return
    wrong = [
        (greedy, "those of greedy decoding", "`beam_width` is not used, or beam search gets a width of 1", each),
        (
            best[0.0],
            "the best ones without a length penalty",
            "`alpha` is not handed on to the search, whose own default is 0",
            "look up the default of alpha in both functions",
        ),
        (best[0.6], "the best ones for alpha 0.6", "`alpha` is written as a number", "hand alpha on as it came"),
        (doubled, "the best ones after BOS and another BOS", TWICE, FOLLOW),
        (best[1.0], "the best ones for alpha 1", "`alpha` has another default, or is fixed", "look up the task"),
    ]
    if len(right) > 1:
        one = right[:1].expand_as(right)
        wrong.append((one, "all that of the first source", "the sentences of the batch share one search", each))
    width = max(tokens.shape[1] for tokens in (result, right, greedy, doubled, *best.values()))
    result, right = (F.pad(tokens, (0, width - tokens.shape[1]), value=PAD) for tokens in (result, right))
    known = []
    for tokens, observed, cause, hint in wrong:
        tokens = F.pad(tokens, (0, width - tokens.shape[1]), value=PAD)
        if not torch.equal(tokens, right):
            known.append(Mistake(tokens, f"the sentences are {observed}", cause, hint))
    known.append(
        Mistake(
            lambda result: True,
            "the sentences are not the best ones, and this beam is wide enough for all",
            "the words so far are not part of the state, so they do not follow the hypotheses that stay. Or (it shows "
            "in the same way): not the best result of the search is taken, or its arguments change places",
            "print the state before and after a step with two hypotheses",
        )
    )
    requirement = "the best of all sentences, by the sum of log probabilities over the length penalty"
    if not torch.equal(result[:, 1:], right[:, :-1]):  # BOS in front has a message of its own
        subject.compare(situation, result, right, requirement, known, FOLLOW)


def check_translate(translate: Callable) -> None:
    """Check greedy decoding, the beam, the modes, and that the source is read once."""
    subject = Answer(translate, "translate", UNIT)
    source = torch.tensor(SOURCE)
    compare_translation(subject, "3 sentences, greedy, max_length 7", tiny(15, end=-0.5), source, 7)
    compare_translation(subject, "3 sentences, greedy, max_length 2", tiny(15, end=-0.5), source, 2)
    subject.passed("greedy: the most probable word, again and again, up to EOS or max_length")
    words = (3, 4, 5)
    situation = "3 sentences, a beam wide enough for all"
    compare_translation(subject, f"{situation}, alpha 0", tiny(55, end=-1.0), source, 4, 200, 0.0, words)
    compare_translation(subject, f"{situation}, alpha 2", tiny(55, end=-1.0), source, 4, 200, 2.0, words)
    compare_translation(subject, f"{situation}, alpha not given", tiny(24, end=-1.5), source, 4, 200, None, words)
    subject.passed("a beam that is wide enough finds the best sentence for each source and alpha")
    for beam_width in (1, 3):
        require_good_manners(subject, source, beam_width)
    subject.passed("the model decodes in eval mode without gradient, and gets back the modes that it had")


def require_good_manners(subject: Answer, source: Tensor, beam_width: int) -> None:
    """Require eval mode, no gradient, modes that come back also after an error, and a source that is read once."""
    situation = f"beam_width {beam_width}, a model in train mode"
    model = tiny(7).train()
    model.reading.eval()  # a part may be frozen
    modes = [module.training for module in model.modules()]
    result = subject(situation, model, source, 4, beam_width)
    asked = [call for call in model.calls if call[0] == "decode"]
    in_train_mode = {kind for kind, training, _ in model.calls if training}
    if in_train_mode:
        late = in_train_mode == {"encode"}
        subject.fail(
            situation,
            f"the {'encoder' if late else 'model'} was asked while in train mode",
            "eval mode for every question: otherwise dropout makes each translation a lottery",
            "`model.eval()` comes after the encoder has run" if late else "`model.eval()` is missing",
            "call `model.eval()` before anything else is asked of the model",
        )
    if any(gradient for _, _, gradient in model.calls):
        subject.fail(
            situation,
            "the model was asked while gradients were recorded",
            "no gradient: every step would keep all that it computed",
            "`torch.no_grad()` is missing, or does not hold for the encoder",
            "put everything that asks the model into `with torch.no_grad():`",
        )
    _require_modes(subject, situation, model, modes)
    if type(result) is Tensor and result.requires_grad:
        subject.fail(situation, "the result needs a gradient", "token ids", "they are no integers", "print the dtype")
    sentences = len(source)
    if model.count("encode") > sentences:
        subject.fail(
            situation,
            f"the source was encoded {model.count('encode')} times for {sentences} sentences",
            "once for the batch, or once for each sentence",
            "the encoder runs again for every word: `model(source, target)`, or `encode` inside the step",
            "encode before the first step, and keep the memory in the state",
        )
    most = 4 * (1 if beam_width == 1 else sentences)
    if len(asked) > most:
        subject.fail(
            situation,
            f"decode was called {len(asked)} times for {sentences} sentences of at most 4 words",
            "one call for each word, for the whole batch or for all hypotheses of one sentence",
            "the sentences of the batch, or the hypotheses, go through the model one by one",
            "hand a whole batch to `decode`",
        )
    situation += " whose decoder raises an error"
    model = tiny(7, breaks=True).train()
    model.reading.eval()
    subject.refuses(situation, model, source, 4, beam_width)  # the model's own ValueError
    _require_modes(subject, situation, model, modes)


def _require_modes(subject: Answer, situation: str, model: nn.Module, modes: list[bool]) -> None:
    now = [module.training for module in model.modules()]
    if now == modes:
        return
    if not any(now):
        cause = "nothing puts the modes back; every module gets back its own"
        if "error" in situation:
            cause = "the line that puts the modes back is not reached when something raises"
        hint = "`try: ... finally: ...` runs its last part in any case"
    else:
        cause = "the whole model is set to one mode, and a part of it had another before: `train()` reaches every part"
        hint = "remember `(module, module.training)` for each of `model.modules()`"
    changed = sum(a != b for a, b in zip(now, modes, strict=True))
    observed = f"{changed} of {len(modes)} modules are in another mode than before"
    subject.fail(situation, observed, "every module in the mode in which it was", cause, hint)
