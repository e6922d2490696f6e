"""The machinery of the checks: what it notices while the learner's code runs, and what it says."""

import sys
from functools import partial

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.checks.answers import Answer
from transformer_course.checks.reporting import CheckFailed, Mistake, draw, same
from transformer_course.checks.watching import Watch, off_limits, watching
from transformer_course.scaled_dot_product_attention import softmax as library_softmax

UNIT = "scaled_dot_product_attention"
SCORES = torch.tensor([[0.0, 1.0, 3.0], [2.0, -1.0, 0.5]])


def answer(function, not_allowed=("softmax",)) -> Answer:
    return Answer(function, "softmax", UNIT, not_allowed)


@pytest.mark.parametrize(
    "function",
    [
        lambda scores: torch.softmax(scores, -1),
        lambda scores: scores.softmax(-1),
        lambda scores: F.softmax(scores, -1),
        lambda scores: F.log_softmax(scores, -1).exp(),
        lambda scores: torch.special.softmax(scores, -1),
        lambda scores: torch.ops.aten.softmax(scores, -1),
        nn.Softmax(dim=-1),
        partial(torch.softmax, dim=-1),
        torch.func.vmap(lambda row: torch.softmax(row, 0)),
    ],
    ids=["torch", "method", "functional", "log", "special", "aten", "module", "partial", "vmap"],
)
def test_a_function_that_is_not_allowed_is_named_however_it_is_called(function):
    with pytest.raises(CheckFailed, match="your code called .*softmax"):
        answer(function)("random scores", SCORES)


def test_what_is_allowed_is_not_held_against_anybody():
    result = answer(lambda scores: scores.exp() / scores.exp().sum(-1, keepdim=True))("random scores", SCORES)
    assert same(result, torch.softmax(SCORES, -1))
    assert same(answer(F.softmax, ())("random scores", SCORES, dim=-1), torch.softmax(SCORES, -1))


@pytest.mark.parametrize(
    "function", [library_softmax, partial(library_softmax), lambda scores: library_softmax(scores)]
)
def test_the_library_is_named_however_it_is_called(function):
    with pytest.raises(CheckFailed, match=r"your code called transformer_course.*\.softmax"):
        answer(function)("random scores", SCORES)


def test_an_exception_does_not_hide_what_is_not_allowed():
    def raises(scores):
        torch.softmax(scores, -1)
        raise ValueError("no")

    with pytest.raises(CheckFailed, match="your code called"):
        answer(raises).refuses("wrong scores", SCORES)


def test_a_function_that_runs_elsewhere_brings_what_was_seen_there():
    def proxy(scores):
        return scores

    proxy.watched = Watch()
    answer(proxy)("random scores", SCORES)
    proxy.watched.torch_functions.append("torch.softmax")
    with pytest.raises(CheckFailed, match="your code called torch.softmax"):
        answer(proxy)("random scores", SCORES)


def test_a_unit_and_all_later_ones_are_off_limits_and_earlier_ones_are_not():
    modules = off_limits("masking")
    assert {"transformer_course.masking", "transformer_course.inside_attention"} <= modules
    assert "transformer_course.softmax_jacobian" not in modules


def test_what_lies_beside_a_unit_is_off_limits_with_it():
    assert "transformer_course.cached_decoding" in off_limits("decoding") & off_limits("masking")
    assert "transformer_course.cached_decoding" not in off_limits("inside_attention")


def test_a_package_that_has_the_answer_is_noticed():
    from sacrebleu.metrics import BLEU

    for unit, noticed in (("decoding", True), ("masking", False)):
        with watching(unit) as watch:
            BLEU(tokenize="none")
        assert any(name.startswith("sacrebleu.") for name in watch.library_functions) == noticed


def test_watching_leaves_the_profiler_as_it_was():
    before = sys.getprofile()
    with pytest.raises(KeyError), watching(UNIT):
        raise KeyError
    assert sys.getprofile() is before


class Anything:
    """Claims to equal everything."""

    shape, dtype = SCORES.shape, SCORES.dtype

    def __eq__(self, other):
        return True

    __hash__ = None


class Disguised(torch.Tensor):
    """A tensor that is none."""


@pytest.mark.parametrize("result", [Anything(), SCORES.as_subclass(Disguised), None, SCORES.tolist(), SCORES.numpy()])
def test_only_a_tensor_is_a_tensor(result):
    with pytest.raises(CheckFailed, match=r"expected: +a torch.Tensor"):
        answer(lambda scores: result).tensor("random scores", SCORES, like=SCORES)


def test_a_changed_input_is_noticed():
    with pytest.raises(CheckFailed, match="changed its tensor argument number 1"):
        answer(lambda scores: scores.mul_(2))("random scores", SCORES.clone())


def test_a_loop_without_an_end_is_told_when_it_is_interrupted():
    def endless(scores):
        raise KeyboardInterrupt

    with pytest.raises(CheckFailed, match="did not come to an end"):
        answer(endless)("random scores", SCORES)


def test_a_message_names_the_line_of_the_learner():
    def broken(scores):
        return scores[5]

    with pytest.raises(CheckFailed, match=r"IndexError.*in the line `return scores\[5\]`"):
        answer(broken)("random scores", SCORES)


def test_mistakes_that_show_in_the_same_way_are_all_named():
    wrong, right = SCORES + 1, SCORES
    mistakes = [Mistake(wrong, "too large", "one cause", "a"), Mistake(wrong, "too large", "another cause", "b")]
    with pytest.raises(CheckFailed) as caught:
        answer(lambda scores: wrong).compare("random scores", wrong, right, "the scores", mistakes)
    assert "one cause; or (it shows in the same way): another cause" in str(caught.value)
    assert "2.0" not in str(caught.value)


def test_a_learner_sees_the_message_without_the_stack_of_calls():
    error = CheckFailed("one\ntwo")
    assert error._render_traceback_() == ["one", "two"]


def test_random_numbers_leave_the_generator_alone():
    state = torch.get_rng_state()
    first, second = draw(3, 4, seed=5), draw(3, 4, seed=5)
    assert torch.equal(first, second)
    assert torch.equal(torch.get_rng_state(), state)
