"""What the checks notice while the learner's code runs: every way to call a function counts, and nothing else does."""

import linecache
import runpy
import sys
import threading
import time
import warnings
from functools import partial
from pathlib import Path

import pytest
import torch

import course_checks
from course_checks.watching import Watch, off_limits, watching
from torch_watching import calls as torch_calls
from transformer_course.scaled_dot_product_attention import scaled_dot_product_attention as library_attention
from transformer_course.scaled_dot_product_attention import softmax as library_softmax

WAYS = runpy.run_path(str(Path(__file__).with_name("ways_to_call.py")))
X = torch.tensor([[0.0, 1.0, 3.0], [2.0, -1.0, 0.5]])
UNIT = "scaled_dot_product_attention"


def run(source: str, filename: str = "/tmp/ipykernel_1/1.py") -> dict:
    """Run a cell, as a notebook does."""
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    names = {"__name__": "__main__"}
    exec(compile(source, filename, "exec"), names)
    return names


def watched(source: str) -> Watch:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scripts are deprecated, and say so
        answer = run(WAYS["START"] + source)["answer"]
        with watching(UNIT) as watch:
            answer(X)
    return watch


@pytest.mark.parametrize("way", WAYS["CALLS"])
def test_what_is_not_allowed_is_named_however_it_is_called(way):
    assert "softmax" in watched(WAYS["CALLS"][way]).forbidden(("softmax",))


@pytest.mark.parametrize("way", WAYS["HONEST"])
def test_what_is_allowed_is_not_held_against_anybody(way):
    watch = watched(WAYS["HONEST"][way])
    assert watch.forbidden(("softmax",)) is None
    assert watch.library_functions == []


@pytest.mark.parametrize(
    "source",
    [
        "def answer(x):\n    with torch._C.DisableTorchFunction():\n        return F.cosine_similarity(x, x)",
        "start = _thread.start_new_thread\ndef answer(x):\n    start(print, ())",
    ],
    ids=["modes off", "a start of threads that was kept"],
)
def test_what_hides_a_call_is_not_allowed_where_something_is_not(source):
    watch = watched(source)
    assert watch.forbidden(("cosine_similarity",)) in torch_calls.WAYS_ROUND
    assert watch.forbidden(()) is None


def test_what_the_library_calls_in_turn_is_not_the_learners():
    with watching("masking") as watch:
        library_attention(X, X, X)
    assert watch.torch_functions != []  # it was called from here, as the learner's own function is
    answer = run("def answer(function, x):\n    return function(x, x, x)")["answer"]
    with watching("masking") as watch:
        answer(library_attention, X)
    assert watch.torch_functions == watch.library_functions == []


@pytest.mark.parametrize(
    "function", [library_softmax, partial(library_softmax), lambda scores: library_softmax(scores)]
)
def test_the_library_is_named_however_it_is_called(function):
    with watching(UNIT) as watch:
        function(X)
    assert watch.library_functions[0] == "transformer_course.scaled_dot_product_attention.softmax"


def test_the_library_is_named_in_a_thread():
    answer = run(WAYS["START"] + "def answer(function, x):\n    return in_a_thread(function, x)")["answer"]
    with watching(UNIT) as watch:
        answer(library_softmax, X)
    assert "transformer_course.scaled_dot_product_attention.softmax" in watch.library_functions


CHECKS = """
from torch import nn
def right(x):
    return x + 1
class Right(nn.Module):
    def __init__(self):
        super().__init__()
    def forward(self, x):
        return right(x)
def make():
    def step(x):
        return right(x).softmax(-1)
    return step
module, by_itself = Right(), lambda x: right(x)
"""


@pytest.fixture
def checks():
    """A module of a unit's checks, with right answers and with what a check hands over."""
    source = compile(CHECKS, str(Path(course_checks.__file__).with_name("masking") / "causal_mask.py"), "exec")
    names = {"__name__": "course_checks.masking.causal_mask"}
    exec(source, names)
    return names


def test_right_answers_of_the_checks_are_off_limits(checks):
    for source, named in (("right(x)", "right"), ("list(map(right, [x]))", "right"), ("Right()(x)", "__init__")):
        answer = run(f"def answer(x, right, Right):\n    return {source}")["answer"]
        with watching("masking") as watch:
            answer(X, checks["right"], checks["Right"])
        assert watch.library_functions == [f"course_checks.masking.causal_mask.{named}"]


def test_what_a_check_hands_over_may_be_called_and_calls_what_it_likes(checks):
    answer = run("def answer(x, *given):\n    return [each(x) for each in given]")["answer"]
    with watching("masking") as watch:
        answer(X, checks["make"](), checks["module"], checks["by_itself"])
    assert watch.library_functions == []
    assert watch.forbidden(("softmax",)) is None


def test_a_module_for_what_is_handed_over_holds_nothing_that_is_off_limits(checks):
    checks["__name__"] = "course_checks.masking.models"
    answer = run("def answer(x, right):\n    return right(x)")["answer"]
    with watching("masking") as watch:
        answer(X, checks["right"])
    assert watch.library_functions == []


def test_a_wrong_answer_of_the_checks_is_watched_like_a_learners(checks):
    with watching("masking") as watch:
        checks["make"]()(X)
    assert watch.forbidden(("softmax",)) == "torch.softmax"


def test_a_unit_and_all_later_ones_are_off_limits_and_earlier_ones_are_not():
    modules = off_limits("masking")
    assert {"transformer_course.masking", "transformer_course.inside_attention"} <= modules
    assert "transformer_course.softmax_jacobian" not in modules
    assert "transformer_course.published.pretrained" in off_limits("modern_transformer") & modules


def test_a_package_that_has_the_answer_is_noticed():
    from sacrebleu.metrics import BLEU

    for unit, noticed in (("decoding", True), ("masking", False)):
        with watching(unit) as watch:
            BLEU(tokenize="none")
        assert any(name.startswith("sacrebleu.") for name in watch.library_functions) == noticed


def state() -> tuple:
    modes = (torch._C._len_torch_function_stack(), torch._C._len_torch_dispatch_stack())
    starts = [(name, start) for name, start in sorted(vars(threading).items()) if name.startswith("_start_")]
    assert starts  # with which a thread begins: the names depend on the version of Python
    return sys.getprofile(), starts, torch.compile, torch.ScriptFunction.__call__, modes


def test_watching_leaves_everything_as_it_was():
    before = state()
    with pytest.raises(KeyError), watching(UNIT), watching("masking"):
        raise KeyError
    after = state()
    assert after[0] is before[0]
    assert after[1:] == before[1:]


def test_a_watch_inside_a_watch_hands_threads_back():
    answer = run(WAYS["START"] + "def answer(x):\n    return in_a_thread(plain, x)")["answer"]
    with watching(UNIT) as outer:
        with watching(UNIT):
            pass
        answer(X)
    assert outer.forbidden(("softmax",)) == "torch.softmax"


def test_watching_costs_little():
    answer = run("def answer(x):\n    y = (x - x.amax(-1, keepdim=True)).exp()\n    return y / y.sum(-1, keepdim=True)")

    def seconds(function) -> float:
        rounds = []
        for _ in range(7):
            start = time.thread_time()  # of this thread's processor: a busy machine changes nothing
            for _ in range(50):
                function()
            rounds.append((time.thread_time() - start) / 50)
        return min(rounds)

    def call():
        with watching(UNIT):
            answer["answer"](X)

    assert seconds(call) - seconds(lambda: answer["answer"](X)) < 0.3e-3
