"""What several tasks of exercise 02 share: their model, and the ways in which a length penalty goes wrong."""

import math
from collections.abc import Callable
from typing import Any

from course_checks.cases import Draw, refuses
from course_checks.rnn_encoder_decoder.models import Chain
from course_checks.words import Finding, Wrong

UNIT = "rnn_encoder_decoder"
FOLLOW = "print tokens and state before each call of `step`, for a sentence of three words"


def hinted(hint: str, causes: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Give several mistakes one hint."""
    return {new: (cause, hint) for new, cause in causes.items()}


def chain(seed: str, starts: list[int], vocab_size: int, spread: float = 2.0, form: str = "a tensor", eos=0.0) -> Chain:
    """Make a chain with random logits; ``eos`` is added to those of the token 2."""
    table = Draw(seed)(31, vocab_size, scale=spread)
    table[:, 2] += eos
    return Chain(table, starts, form)


def saying(observe: Callable, sees: str, cause: str, hint: str) -> Callable:
    """Give an observation words for whatever is wrong with it."""

    def observed(answer: Callable, *given: Any) -> Any:
        return observe(answer, *given)

    observed.words = Wrong(cause, sees, hint)
    return observed


def refused(observe: Callable, argument: str) -> Callable:
    """Observe whether wrong arguments raise a ``ValueError``, where a case calls the answer in a way of its own."""

    def observe_refusal(answer: Callable, *given: Any) -> bool:
        def call(*given: Any) -> Any:
            try:
                return observe(answer, *given)
            except Finding as found:
                if found.final:
                    raise
                return None  # it went so far as to call `step`, or returned something

        return refuses(argument)(call, *given)

    return observe_refusal


def require_pairs(found: Any, hint: str, final: bool = False) -> list[tuple[list[int], float]]:
    """Require a list of pairs (tokens, score).

    Args:
        found: what came.
        hint: one thing to try.
        final: no wrong answer of the task explains it better.

    Raises:
        Finding: which says what it is in their place.
    """
    seen = "" if type(found) in (list, tuple) else f"it returned {'None' if found is None else type(found).__name__}"
    if not seen and len(found) == 2 and type(found[1]) is float:
        seen = "it returned one pair, not a list of pairs"
    for entry in found if not seen else []:
        types = [type(part).__name__ for part in entry] if type(entry) in (list, tuple) else [type(entry).__name__]
        if types not in (["list", "float"], ["tuple", "float"], ["list", "int"]):
            seen = seen or f"the list holds ({', '.join(types)})"
        elif not all(type(token) is int for token in entry[0]):
            seen = seen or f"the tokens are of type {', '.join(sorted({type(token).__name__ for token in entry[0]}))}"
    if seen:
        raise Finding(seen, "a list of pairs (tokens, score): a list of int and a Python number",
                      "tensors are returned, one sentence alone, or a pair in another order; `.tolist()` and `.item()` "
                      "make Python numbers", hint, final)  # fmt: skip
    return found


def right_penalty(length: int, alpha: float) -> float:
    """Compute the penalty by way of the logarithm."""
    return math.exp(alpha * (math.log(5 + length) - math.log(6)))


# fmt: off
LENGTH_PENALTY = "((5 + length) / 6) ** alpha"
PENALTY = hinted("a sentence of length 1 is divided by 1, whatever alpha is; by what is one of length 7 divided?", {
    "1.0": "`alpha` and the length are not used: the penalty is 1",
    "((5 + length) / 6)": "`alpha` is not used",
    "float(length) ** alpha": "the division is by `length ** alpha`, which is another normalisation",
    "((5 + length) / 6**alpha)": "the exponent is applied to a part of the fraction only",
    "((5 + length) ** alpha / 6)": "the exponent is applied to a part of the fraction only",
    "((5 + length) / 6 * alpha)": "`alpha` multiplies, but it is an exponent",
    "(6 / (5 + length)) ** alpha": "the fraction is turned around, the exponent is negative, or the score is "
        "multiplied, not divided",
    "((6 + length) / 5) ** alpha": "5 and 6 change places",
    "(5 + length / 6) ** alpha": "6 divides the length alone: a parenthesis is missing",
    "((6 + length) / 6) ** alpha": "the length is counted one too high (BOS is no word)",
    "((4 + length) / 6) ** alpha": "the length is counted one too low (EOS is a word)",
    "float((5 + length) // 6) ** alpha": "the division is one of integers (`//`)",
})
# fmt: on
