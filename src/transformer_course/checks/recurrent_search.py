"""The checks of exercise 02 for what writes sentences: greedy decoding, the length penalty, beam search."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.oracles_recurrent import (
    best_sentence,
    log_probability,
    right_greedy,
    right_penalty,
)
from transformer_course.checks.token_results import compare_sentences
from transformer_course.checks.toy_models import Chain, chain, forms

UNIT = "rnn_encoder_decoder"
FOLLOW = "print tokens and state in every step, for a sentence of three words"


def compare_greedy(
    subject: Answer, situation: str, model: Chain, starts: list[int], max_length: int, *ids: int, form: str = "a tensor"
) -> None:
    """Compare with the sentences of a loop in plain Python, and count the steps."""
    bos, eos, pad = ids or (1, 2, 0)
    right, calls = right_greedy(model, starts, max_length, bos, eos, pad), []
    state, unpack, pack = forms(torch.tensor(starts, dtype=torch.long).unsqueeze(1))[form]
    inner = model.step_of(unpack, pack)

    def step(tokens: Tensor, state: Any) -> tuple[Tensor, Any]:
        calls.append(1)
        return inner(tokens, state)

    result = subject(situation, step, state, len(starts), max_length, *ids)
    compare_sentences(subject, situation, result, right, eos, pad, FOLLOW)
    if len(calls) > right.shape[1]:
        subject.fail(
            situation,
            f"step was called {len(calls)} times for {right.shape[1]} words",
            "one call for each column of the result",
            "the loop goes on after every sentence has ended",
            "stop as soon as no row is left",
        )


def check_greedy_decode(greedy_decode: Callable) -> None:
    """Check the words, EOS, padding, the early stop and the cut."""
    subject = Answer(greedy_decode, "greedy_decode", UNIT)
    model = chain(23, 6, seed=31)
    model.table[:, 2:4] += 1.5
    compare_greedy(subject, "3 sentences, max_length 9", model, [0, 4, 9], 9)
    subject.passed("the most probable word, again and again, up to EOS")
    compare_greedy(subject, "3 sentences, max_length 2", model, [0, 4, 9], 2)
    subject.passed("sentences are cut at max_length")
    compare_greedy(subject, "other ids: BOS 4, EOS 3, PAD 5", model, [1, 8], 8, 4, 3, 5)
    subject.passed("any special tokens")


def compare_penalty(subject: Answer, length: int, alpha: float) -> None:
    """Compare the penalty of one length."""
    situation = f"length {length}, alpha {alpha:g}"
    result, right = subject(situation, length, alpha), right_penalty(length, alpha)
    if type(result) not in (float, int):
        kind = type(result).__name__
        subject.fail(situation, f"it returned a {kind}", "a Python number", "a tensor, or nothing", "return the number")
    if math.isclose(result, right, rel_tol=1e-9):
        return
    wrong = {
        "a division by `length` alone, which is another normalisation": float(length) ** alpha,
        "the exponent is applied to a part of the fraction only": (5 + length) ** alpha / 6,
        "`alpha` multiplies, but it is an exponent": (5 + length) / 6 * alpha,
        "the fraction is turned, or the exponent is negative": 1 / right,
        "`alpha` is not used": (5 + length) / 6,
        "5 and 6 change places": ((6 + length) / 5) ** alpha,
        "6 stands alone in the denominator: a parenthesis is missing": (5 + length / 6) ** alpha,
    }
    causes = [cause for cause, number in wrong.items() if math.isclose(result, number, rel_tol=1e-9)]
    cause = causes[0] if causes else "none of the mistakes that we know"
    subject.fail(
        situation, "another number", "the formula of the task", cause, "a sentence of length 1 is divided by 1"
    )


def check_length_penalty(length_penalty: Callable) -> None:
    """Check the formula."""
    subject = Answer(length_penalty, "length_penalty", UNIT)
    for length, alpha in [(7, 0.6), (20, 1.0), (3, 0.0), (1, 0.7)]:
        compare_penalty(subject, length, alpha)
    subject.passed("the penalty is that of the formula")


def compare_beam(
    subject: Answer,
    situation: str,
    model: Chain,
    start: int,
    beam_width: int,
    max_length: int,
    alpha: float = 0.0,
    exact: bool = False,
    form: str = "a tensor",
    ids: tuple[int, ...] = (),
) -> None:
    """Require entries that are what they say, in order; and the best of all sentences where the beam is wide enough."""
    bos, eos = ids or (1, 2)
    state, unpack, pack = forms(torch.tensor([[start]]))[form]
    options = (alpha, *ids) if alpha or ids else ()
    result = subject(situation, model.step_of(unpack, pack), state, beam_width, max_length, *options)
    pairs = type(result) is list and all(type(each) is tuple and len(each) == 2 for each in result)
    if not pairs or not all(type(tokens) is list and type(score) is float for tokens, score in result):
        subject.fail(
            situation,
            f"it returned {type(result).__name__}",
            "a list of pairs (tokens, score): a list of int and a Python number",
            "tensors, or one sentence alone, are returned",
            "`.tolist()` and `.item()` turn tensors into Python numbers",
        )
    texts = [tuple(tokens) for tokens, _ in result]
    if not 1 <= len(texts) <= beam_width or len(set(texts)) < len(texts):
        subject.fail(
            situation,
            f"{len(texts)} sentences, {len(set(texts))} of them distinct",
            f"at least 1, at most beam_width = {beam_width} sentences, each once",
            "the search begins with beam_width copies of one hypothesis, or returns all that ever ended",
            "begin with one hypothesis; cut the list at the end",
        )
    for tokens, score in result:
        _compare_entry(subject, situation, model, start, (tokens, score), max_length, alpha, bos, eos)
    if [score for _, score in result] != sorted((score for _, score in result), reverse=True):
        subject.fail(situation, "the scores rise", "the best sentence first", "the list is not sorted", "sort it")
    if exact and result[0][1] < best_sentence(model, start, max_length, alpha, bos, eos)[1] - 1e-7:
        subject.fail(
            situation,
            "a better sentence exists, and this beam is wide enough to find it",
            "the best of all sentences",
            "the search stops at the first EOS, or prunes by another number than the sum of log probabilities. Or (it "
            "shows in the same way): sentences that were cut, or that have ended, are dropped",
            "print the hypotheses that are kept in each step, with their sums",
        )


def _compare_entry(subject, situation, model, start, entry, max_length, alpha, bos, eos) -> None:
    """Require that a sentence has the form of the task and the score that it claims."""
    tokens, score = entry
    length = len(tokens)
    ended = eos in tokens
    if (
        not tokens
        or length > max_length
        or (ended and tokens.index(eos) != length - 1)
        or (not ended and length < max_length)
    ):
        subject.fail(
            situation,
            f"a sentence of {length} words, " + (f"EOS at place {tokens.index(eos) + 1}" if ended else "without EOS"),
            f"no word after EOS; without EOS, exactly max_length = {max_length} words; no BOS",
            "sentences that have ended go on, EOS is cut off, or BOS is kept",
            "put a sentence aside when it ends",
        )
    total = log_probability(model, start, tokens, bos)
    if math.isclose(score, total / right_penalty(length, alpha), rel_tol=1e-6, abs_tol=1e-7):
        return
    wrong = {
        "the sum is not divided by the length penalty": total,
        "the sum is divided by the length": total / length,
        "the sum is multiplied with the length penalty": total * right_penalty(length, alpha),
        "BOS is counted as a word": total / right_penalty(length + 1, alpha),
        "EOS is not counted as a word": total / right_penalty(length - 1, alpha),
    }
    causes = [cause for cause, number in wrong.items() if math.isclose(score, number, rel_tol=1e-6)]
    cause = (
        causes[0]
        if causes
        else (
            "the states are not re-indexed: a hypothesis goes on with the state of another. Or (it shows in the same "
            "way): logits, or probabilities, are added up in the place of log probabilities"
        )
    )
    expected = "the sum of the log probabilities of its words, divided by the length penalty"
    subject.fail(situation, "a score that does not belong to its sentence", expected, cause, FOLLOW)


def check_beam_search(beam_search: Callable) -> None:
    """Check form, scores, re-indexed states, and the best of all sentences."""
    subject = Answer(beam_search, "beam_search", UNIT)
    model = chain(19, 4, seed=41, spread=1.0)
    compare_beam(subject, "beam_width 3, max_length 5", model, 3, 3, 5)
    subject.passed("every sentence has the score that it claims")
    for form in ("a tuple", "a dict"):
        compare_beam(subject, f"beam_width 4, the state is {form}", model, 2, 4, 5, form=form)
    subject.passed("the state may be a tensor, a tuple, a list, a dict")
    for alpha in (0.0, 1.0):
        compare_beam(subject, f"a beam wide enough for all, alpha {alpha:g}", model, 5, 300, 4, alpha, exact=True)
    subject.passed("a beam that is wide enough finds the best sentence of all")
