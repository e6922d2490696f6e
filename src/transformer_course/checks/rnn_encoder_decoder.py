"""The checks of exercise 02. Each takes what the learner wrote and names the mistake that its results point to."""

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.oracles_recurrent import best_sentence, right_encoding, right_greedy, right_gru
from transformer_course.checks.predictions import require_predictions
from transformer_course.checks.recurrent_mistakes import LOOK, final_mistakes, gru_mistakes
from transformer_course.checks.recurrent_search import (
    UNIT,
    check_beam_search,
    check_greedy_decode,
    check_length_penalty,
    compare_beam,
    compare_greedy,
    compare_penalty,
)
from transformer_course.checks.reporting import Mistake, draw
from transformer_course.checks.token_results import require_shaped
from transformer_course.checks.toy_models import Chain, chain, toy_cell

NOT_ALLOWED = {"gru_cell": ("gru",), "encode": ("gru", "rnn", "lstm", "pack_padded")}
QUESTIONS, WORDS = ("as long as in training", "one word longer", "twice as long"), ("all", "some", "none")

__all__ = [
    "Chain",
    "answer",
    "best_sentence",
    "chain",
    "check_beam_search",
    "check_encode",
    "check_exact_match",
    "check_greedy_decode",
    "check_gru_cell",
    "check_length_penalty",
    "check_mended_ranking",
    "check_predictions",
    "compare_beam",
    "compare_exact_match",
    "compare_greedy",
    "compare_penalty",
    "compare_ranking",
    "draw",
    "gru_inputs",
    "right_encoding",
    "right_greedy",
    "right_gru",
    "toy_cell",
]


def answer(function: Callable, name: str) -> Answer:
    """Wrap the learner's function for the checks of this unit."""
    return Answer(function, name, UNIT, NOT_ALLOWED.get(name, ()))


def gru_inputs(batch: int, d: int, d_hidden: int, seed: int, dtype: torch.dtype = torch.float64) -> list[Tensor]:
    """Draw a word, a state, and the weights of a cell."""
    shapes = (
        (batch, d),
        (batch, d_hidden),
        (3 * d_hidden, d),
        (3 * d_hidden, d_hidden),
        (3 * d_hidden,),
        (3 * d_hidden,),
    )
    return [0.7 * draw(*shape, seed=seed + number, dtype=dtype) for number, shape in enumerate(shapes)]


def check_gru_cell(gru_cell: Callable) -> None:
    """Check the gates, their order, and the gradient."""
    subject = answer(gru_cell, "gru_cell")
    inputs, situation = gru_inputs(4, 3, 5, seed=1), "batch 4, d 3, d_hidden 5"
    right = right_gru(*inputs)
    result = require_shaped(subject, situation, subject(situation, *inputs), right)
    subject.compare(situation, result, right, "the formulas of the task, in torch's order", gru_mistakes(*inputs), LOOK)
    subject.passed("both gates, and the candidate")
    subject.gradients("the gradient with respect to every input", right_gru, *gru_inputs(2, 4, 3, seed=11))
    subject.passed("the gradient is that of the formula")


def check_encode(encode: Callable) -> None:
    """Check outputs, the padding, the final state, and the gradient."""
    subject = answer(encode, "encode")
    cell, embedded, hidden = toy_cell(3, 5, seed=21), draw(4, 6, 3, seed=23).double(), draw(4, 5, seed=24).double()
    lengths = torch.tensor([6, 3, 1, 0])
    situation = "4 sentences of 6, 3, 1 and 0 words, padded to 6"
    right = right_encoding(embedded, lengths, cell, hidden)
    result = subject(situation, embedded, lengths, cell, hidden)
    names = ("outputs", "final_hidden")
    if type(result) is tuple and len(result) == 2:
        known = {(6, 4, 5): ("the length stands in the first dimension", "`torch.stack(..., dim=1)`")}
        require_shaped(subject, situation, result[0], right[0], known, "first result, the outputs,")
        require_shaped(subject, situation, result[1], right[1], None, "second result, the final state,")
    outputs, final = subject.require_pair(situation, result, right, names)
    kept = torch.stack([right[0][row] if n == 6 else right[0][row] for row, n in enumerate(lengths.tolist())])
    past = torch.arange(6) >= lengths.unsqueeze(1)
    wrong_outputs = [
        Mistake(
            lambda result: bool(torch.where(past.unsqueeze(-1), kept, result).allclose(kept)),
            "outputs past the end of a sentence are not 0",
            "the padding is read, or the last state is repeated there",
            "set what stands past the end to 0, in the outputs only",
        ),
        Mistake(
            right_encoding(embedded, lengths, cell, torch.zeros_like(hidden))[0],
            "the outputs are those of a state that begins with zeros",
            "`hidden` is not used",
            "`hidden` is the state before the first word",
        ),
    ]
    requirement = "the state after each real word, and 0 past the end"
    subject.compare(situation, outputs, right[0], requirement, wrong_outputs, LOOK)
    subject.passed("the outputs, with 0 past the end")
    mistakes = final_mistakes(embedded, lengths, cell, hidden, right[1])
    subject.compare(situation, final, right[1], "the state after the last real word", mistakes, LOOK)
    subject.passed("the final state is that after the last real word")
    for number, name in enumerate(names):
        subject.gradients(
            f"the gradient of {name}",
            lambda embedded, number=number: right_encoding(embedded, lengths, cell, hidden)[number],
            embedded,
            keywords={"lengths": lengths, "cell": cell, "hidden": hidden},
            select=lambda pair, number=number: pair[number],
        )
    subject.passed("the gradient reaches the first word")


def check_predictions(predictions: Mapping[str, str]) -> None:
    """Check that there is a prediction for each question; not whether it is right."""
    require_predictions(predictions, QUESTIONS, WORDS, "task 7")


def compare_exact_match(subject: Answer, situation: str, written: list[list[int]], wanted: list[list[int]]) -> None:
    """Compare the share of sentences that are right as a whole."""
    rows = [[token for token in row if token] for row in written], [[token for token in row if token] for row in wanted]
    right = sum(one == other for one, other in zip(*rows, strict=True)) / len(written)
    result = subject(situation, torch.tensor(written), torch.tensor(wanted))
    if type(result) is not float:
        kind = type(result).__name__
        subject.fail(
            situation, f"it returned a {kind}", "a Python number from 0 to 1", "still a tensor", "use `.item()`"
        )
    if math.isclose(result, right, abs_tol=1e-6):
        return
    shared = [sum(a == b for a, b in zip(*pair, strict=False)) for pair in zip(written, wanted, strict=True)]
    words = sum(map(len, wanted))
    if math.isclose(result, sum(shared) / words, abs_tol=1e-6):
        cause = "words are counted, not sentences: one wrong word spoils the whole sentence"
    elif result > right:
        cause = "sentences are compared only as far as the shorter tensor goes"
    else:
        cause = "two tensors of different width count as different, though only padding is missing"
    subject.fail(
        situation, f"{result:.3f}", "the share of sentences that are right up to EOS", cause, "fill up with PAD"
    )


def check_exact_match(exact_match: Callable) -> None:
    """Check sentences that are right, wrong, too short and too long."""
    subject = answer(exact_match, "exact_match")
    wanted = [[5, 6, 2, 0], [7, 8, 9, 2], [3, 2, 0, 0], [4, 4, 2, 0]]
    compare_exact_match(subject, "2 of 4 are right", [wanted[0], [7, 8, 3, 2], [3, 2, 0, 0], [4, 2, 0, 0]], wanted)
    compare_exact_match(subject, "what was written is wider", [[*row, 0, 0] for row in wanted], wanted)
    compare_exact_match(subject, "what was written goes on", [[*row[:3], 5, 5] for row in wanted], wanted)
    compare_exact_match(subject, "what was written is narrower", [row[:3] for row in wanted], wanted)
    subject.passed("the share of sentences that are right as a whole")


def compare_ranking(subject: Answer, situation: str, hypotheses: list[tuple[list[int], float]], alpha: float) -> None:
    """Compare order and scores with those of the formula."""

    def ranked(bos: int = 0, raw: bool = False) -> list[tuple[list[int], float]]:
        scores = [(words[1:], total / ((4 + bos + len(words)) / 6) ** alpha, total) for words, total in hypotheses]
        order = sorted(scores, key=lambda each: each[2] if raw else each[1], reverse=True)
        return [each[:2] for each in order]

    def alike(one: object, other: list[tuple[list[int], float]]) -> bool:
        try:
            pairs = list(zip(one, other, strict=True))
            return all(list(a) == b and math.isclose(x, y, rel_tol=1e-6) for (a, x), (b, y) in pairs)
        except (TypeError, ValueError):
            return False

    result = subject(situation, hypotheses, alpha)
    if alike(result, ranked()):
        return
    by_sum = sorted(hypotheses, key=lambda pair: pair[1], reverse=True)
    causes = {
        "both bugs are still there": ranked(1, True),
        "the lowest score stands first": ranked()[::-1],
        "the sums are not divided by the penalty": [(words[1:], total) for words, total in by_sum],
        "BOS is part of the tokens": [([hypotheses[0][0][0], *words], score) for words, score in ranked()],
        "a sum over more words is smaller by itself: something is compared before it is divided": ranked(0, True),
        "the number of words is wrong: try a sentence of one word, EOS, whose penalty is 1": ranked(1),
    }
    cause = next(
        (cause for cause, wrong in causes.items() if alike(result, wrong)), "none of the mistakes that we know"
    )
    subject.fail(
        situation,
        "another list",
        "pairs (tokens without BOS, score), the highest score first",
        cause,
        "rank two hypotheses of 2 and 6 words by hand",
    )


def check_mended_ranking(mended_ranking: Callable) -> None:
    """Check a case in which the longer sentence wins by its score and loses by its sum."""
    subject = answer(mended_ranking, "mended_ranking")
    hypotheses = [([1, 5, 2], -2.0), ([1, 5, 6, 7, 8, 9, 2], -2.4), ([1, 2], -4.0)]
    compare_ranking(subject, "three hypotheses, alpha 0.75", hypotheses, 0.75)
    subject.passed("the order is that of the scores")
