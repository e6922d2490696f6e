"""What all checks share: how two results are compared, how a cause is found, and what a message says."""

import math
import random
import time

import numpy as np
import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell
from torch import Tensor, nn

from course_checks import scaled_dot_product_attention as checks_04
from course_checks import softmax_jacobian as checks_05
from course_checks import subject
from course_checks.cases import Case, Draw, gradients, refusal
from course_checks.integrity import watch
from course_checks.modules import built, parameter_gradients, require_parameters
from course_checks.outcomes import same
from course_checks.predictions import Predictions, tendency
from course_checks.task import Task, WrongAnswer
from course_checks.words import CheckFailed, Finding, Wrong
from transformer_course.common.seeding import seed_everything

UNIT = "scaled_dot_product_attention"


def mean_task() -> Task:
    """Make a task: the mean of each row, times the number of rows."""
    task = Task("row_means", UNIT, ("cumsum",))
    task.oracle(lambda x: x.mean(-1) * x.shape[-2])

    @task.solution
    def row_means(x):
        result = x.mean(-1)
        result = result * x.shape[-2]
        return result

    task.edit(
        "mean(-1)", {"mean(-2)": ("the mean runs over the columns", "which dimension is a row?", "too many numbers")}
    )
    task.edit(
        "result * x.shape[-2]",
        {
            "result": ("the number of rows is left out",),
            "result * x.shape[-1]": ("the number of columns takes the place of that of the rows",),
            "result * x.shape[-2] ** 2": ("the factor is applied twice",),
        },
    )
    task.edit("return result", {"return -result": ("the sign is turned around",)})

    task.require(
        "means",
        "the mean of each row, times the number of rows",
        [Case("3 rows of 3", lambda draw: (draw(3, 3),)), Case("2 rows of 5", lambda draw: (draw(2, 5),))],
        [Case("4 rows of 6", lambda draw: (draw(4, 6).double(),))],
    )
    task.require("gradient", "the derivative", [Case("gradient", lambda draw: (draw(2, 3).double(),), gradients())])
    task.limits("no rows", [Case("no rows", (torch.zeros(0, 3),)), refusal("a number", (torch.tensor(1.0),), "x")])
    return task


def message(answer, task: Task | None = None) -> str:
    with pytest.raises(CheckFailed) as caught:
        (task or mean_task()).check(answer)
    return str(caught.value)


def right(x):
    return x.mean(-1) * len(x)


def test_a_right_answer_passes_in_any_form(capsys):
    task = mean_task()
    task.check(lambda x: torch.stack([row.sum() / row.numel() for row in x]) * len(x))
    task.grade(right)
    assert capsys.readouterr().out == "passed  row_means: means\npassed  row_means: gradient\n"


def test_a_wrong_answer_is_named_with_the_words_of_the_table():
    text = message(lambda x: x.mean(-2) * len(x))
    for words in (
        "3 rows of 3",
        "observed:      too many numbers",
        "the mean runs over the columns",
        "which dimension",
    ):
        assert words in text


def test_other_cases_decide_between_wrong_answers_that_agree_in_one():
    task = mean_task()  # on a square, the number of columns is right: the second case tells
    text = message(lambda x: x.mean(-1) * x.shape[-1], task)
    assert "2 rows of 5" in text
    assert "number of columns takes the place" in text


def test_two_wrong_answers_that_always_agree_are_both_named_and_no_third():
    task = mean_task()
    for number, sum_ in enumerate((lambda x: x.sum(), torch.sum, Tensor.sum)):
        task._add(WrongAnswer(f"{number}", sum_, (Wrong(f"cause {number}"),)))
    text = message(lambda x: x.sum(), task)
    assert "cause 0; or (it shows in the same way): cause 1" in text
    assert "cause 2" not in text


def test_two_mistakes_at_once_get_both_names():
    text = message(lambda x: -x.mean(-2) * len(x))
    assert "two mistakes at once: first, the mean runs over the columns and, second, the sign is turned around" in text


def test_mistakes_that_make_up_for_each_other_are_no_pair():
    task = mean_task()
    before = {pair.name for pair in task.pairs()}
    task.cancel("result", "return -result")
    assert before - {pair.name for pair in task.pairs()} == {
        "result * x.shape[-2] → result, return result → return -result"
    }


def test_at_the_border_it_is_said_what_kind_of_result_is_right():
    task = mean_task()
    task.limits("one row", [Case("one row", (torch.ones(1, 3),))])
    with pytest.raises(CheckFailed) as caught:
        task.check_limits(lambda x: right(x).cos())
    assert "what the task says for this case, one tensor of shape (1,)" in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x: None, "it returned None"),
        (lambda x: right(x).numpy(), "numpy"),
        (lambda x: right(x).tolist(), "a list of 3"),
        (lambda x: (right(x), x), "a tuple of 2"),
        (lambda x: right(x).double(), "dtype torch.float64"),
        (lambda x: right(x)[:, None], "shape (3, 1)"),
        (lambda x: right(x) + 1e-4, "nearly right"),
        (lambda x: 7 * right(x), "every number is 7 times the right one"),
        (lambda x: right(x) / 0, "0 / 0"),
        (lambda x: right(x).index_fill(0, torch.tensor([1]), 5.0), "all of them at index 1 of dimension 0"),
        (lambda x: right(x) + x[:, 0] ** 2, "no mistake that we know"),
        (lambda x: right(x.detach()), "no gradient flows"),
        (lambda x: x.mean(-1).detach() + right(x) - x.mean(-1), "the gradient is not that of the formula"),
        (lambda x: x[7], "out of bounds for dimension 0 with size 3, in the line `(lambda x: x[7]"),
        (lambda x: x - x.max(-1), "`max` with a dimension returns a pair"),
        (lambda x: undefined(x), "misspelt"),  # noqa: F821
        (lambda x: nn.Linear(3, 2).load_state_dict({"weight": x, "bia": x}), "missing: bias; unexpected: bia; weight "
         "is (3, 3), in the model (2, 3)"),
        (lambda x: nn.Linear(3, 2).load_state_dict({"weight": x[:, :2], "bias": x[0, :2]}),
         "a matrix is turned that should stay"),  # the message quotes the line above
        (lambda x: x.mul_(2).mean(-1), "changed its argument `x`"),
        (lambda x: torch.cumsum(x, 0), "your code called torch.Tensor.cumsum"),
    ],
)  # fmt: skip
def test_what_no_wrong_answer_explains_is_described(answer, words):
    text = message(answer).replace("torch.cumsum", "torch.Tensor.cumsum")
    assert words in text
    assert text.count("\n") == 4


def test_a_first_version_and_an_endless_loop_say_so():
    def raises(error):
        def answer(x):
            raise error

        return answer

    assert "still holds its first version" in message(raises(NotImplementedError()))
    assert "did not come to an end" in message(raises(KeyboardInterrupt()))


def test_a_call_that_takes_long_says_once_how_to_stop_it(monkeypatch, capsys):
    monkeypatch.setattr(subject, "PATIENCE", 0.05)
    assert subject.Subject(lambda x: x, "")(3) == 3
    assert capsys.readouterr().out == ""
    subject.Subject(time.sleep, "")(0.3)
    assert capsys.readouterr().out.count("interrupt the kernel") == 1


def test_what_is_kept_between_calls_is_found_out():
    first, by_shape = [], {}

    def same_tensor(x):
        first.append(right(x))
        return first[0].copy_(first[-1]) if first[-1].shape == first[0].shape else first[-1]

    def by_its_shape(x):
        return by_shape.setdefault((x.shape, x.dtype), right(x)) + 0 * x[:, 0]

    assert "has changed after later calls" in message(same_tensor)
    assert "wrong when it is called again" in message(by_its_shape)


def test_limits_are_a_check_of_their_own(capsys):
    task = mean_task()
    with pytest.raises(CheckFailed, match="nothing looks at the arguments|it raised"):
        task.check_limits(lambda x: x.mean(-1) * (x.shape[0] if x.dim() else 1))

    def refusing(x):
        if x.dim() < 2:
            raise ValueError("x: expected 2 dimensions")
        return right(x)

    task.check_limits(refusing)
    assert "no rows" in capsys.readouterr().out


def test_a_probe_speaks_where_no_wrong_answer_does_the_same_everywhere():
    task = mean_task()

    @task.probe("no look ahead", "the first row depends on itself", "it reads the second row", "change the second row")
    def looks_ahead(answer):
        """Change the second row."""
        x = Draw("probe")(2, 3)
        changed = torch.cat([x[:1], x[1:] + 1])
        return "the first mean changes" if not same(answer(changed)[:1], answer(x)[:1]) else None

    task.requirements.insert(0, task.requirements.pop())
    text = message(lambda x: right(x) + x.flip(0)[:, 0] * 0.5, task)
    assert "change the second row" in text
    assert "it reads the second row" in text
    assert "the mean runs over the columns" in message(lambda x: x.mean(-2) * len(x), task)


def test_a_wrong_answer_that_agrees_by_accident_is_not_told():
    def attention(query, key, value, mask=None):
        scores = query @ key.mT / math.sqrt(query.shape[-1] + 1)  # in the first case d_v is d_k + 1
        weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf), -1)
        return weights @ value, weights

    task = Task("square", UNIT)
    task.oracle(lambda x: x**2)
    task.mistake("the size")(lambda x: x.abs())
    task.require("square", "the square", [Case("one number", lambda draw: (draw(1),))])
    assert "cause:  the size" in message(lambda x: (x**2) ** 0.5, task)
    size = Draw("one number")(1).abs()
    assert "cause:  the size" not in message(lambda x: x**2 / size, task)
    assert "root of d_v" not in message(attention, checks_04.scaled_dot_product_attention)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (torch.tensor([1.0, math.nan]), torch.tensor([1.0, math.nan]), True),
        (torch.tensor([1.0]), torch.tensor([1.0]).double(), False),
        ([1, 2], (1, 2), True),
        ({"a": [torch.ones(2)]}, {"a": [torch.ones(2)]}, True),
        ({"a": 1}, {"b": 1}, False),
        (1, 1.0, True),
        (1.0, 1, False),
        (True, 1, False),
        (None, None, True),
        (torch.ones(2).as_subclass(type("Disguised", (Tensor,), {})), torch.ones(2), False),
    ],
)
def test_what_is_the_same(one, other, equal):
    assert same(one, other) == equal


def test_an_object_that_equals_everything_does_not_pass():
    class Anything:
        shape, dtype = (3,), torch.float32
        __hash__ = None

        def __eq__(self, other):
            return True

    assert "Anything" in message(lambda x: Anything())


def test_luck_changes_nothing():
    task = Task("lucky", UNIT)
    task.oracle(lambda: 0.5)
    task.require("mean", "about a half", [Case("100 numbers", (), within=0.01)])
    answers = []
    for seed in range(5):
        seed_everything(seed)
        answers.append(message(lambda: torch.rand(100).mean().item() + 0.1, task))
    assert len(set(answers)) == 1
    state = torch.get_rng_state()
    assert torch.equal(Draw("a")(3, 4), Draw("a")(3, 4))
    assert torch.equal(torch.get_rng_state(), state)


def test_a_check_leaves_the_generators_of_the_learner_where_they_were():
    def states():
        return random.getstate(), str(np.random.get_state()), torch.get_rng_state().tolist()  # noqa: NPY002

    seed_everything(3)
    before = states()
    mean_task().check(lambda x: right(x) + 0 * torch.rand(1).to(x.dtype))
    assert states() == before


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda state: state[1].mul_(2), "its argument `state`, or a tensor inside it"),
        (lambda state: state.pop(), "make a new list"),
        (lambda state: state[0].clear(), "argument `state`"),
        (lambda state: state[0]["a"].add_(1), "argument `state`"),
    ],
)
def test_what_lies_in_a_container_may_not_be_changed(spoil, words):
    task = Task("summed", UNIT)
    task.oracle(lambda state: state[0]["a"] + state[1])
    task.require("sum", "the sum", [Case("a state", lambda draw: ([{"a": draw(3)}, draw(3), 1],))])
    task.check(lambda state: state[1] + state[0]["a"])

    def answer(state):
        result = state[0]["a"] + state[1]
        spoil(state)
        return result

    assert words in message(answer, task)


def test_modules_are_made_with_weights_that_follow_from_their_names():
    class One(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Linear(2, 3), nn.Linear(3, 2)

        def forward(self, x):
            return self.second(self.first(x))

    class Other(One):
        def __init__(self):
            nn.Module.__init__(self)
            self.second, self.first = nn.Linear(3, 2), nn.Linear(2, 3)

    x = Draw("x")(4, 2, dtype=torch.float64)
    one, other = built(One), built(Other)
    assert same(one(x), other(x))
    assert same(parameter_gradients(one, x), parameter_gradients(other, x))
    require_parameters(one, {"first.weight": (3, 2), "first.bias": (3,), "second.weight": (2, 3), "second.bias": (2,)})
    with pytest.raises(Finding, match=r"no third; and first.bias, second.bias too many"):
        require_parameters(one, {"first.weight": (3, 2), "second.weight": (2, 3), "third": (2,)})
    with pytest.raises(Finding, match=r"second.bias has shape \(2,\)"):
        require_parameters(
            one, {"first.weight": (3, 2), "first.bias": (3,), "second.weight": (2, 3), "second.bias": (3,)}
        )


@pytest.mark.parametrize(
    "change",
    [
        "torch.equal = torch.allclose = lambda *_, **__: True",
        "torch.testing.assert_close = print",
        "import course_checks.task\ncourse_checks.task.Task.check = lambda *_: None",
        "import course_checks.task\ncourse_checks.task.fail = print",
        "import course_checks.outcomes\ncourse_checks.outcomes.same = lambda *_: True",
        "course_checks.outcomes.Outcome.agrees = lambda *_: True",
        "checks.softmax.check = lambda *_: None",
        "checks.softmax = checks.attention_weights",
        "class checks:\n    class softmax:\n        check = print",
        "import types\nchecks = types.SimpleNamespace(softmax=types.SimpleNamespace(check=print))",
    ],
)
def test_a_notebook_that_changes_the_checker_is_told_so_and_cannot_pass(change, capsys):
    shell = InteractiveShell()
    watch(shell)
    shell.run_cell(
        "import torch\nimport course_checks\nfrom course_checks import scaled_dot_product_attention as checks"
    )
    shell.run_cell("def softmax(x):\n    return x.sigmoid()")
    shell.run_cell(change).raise_error()
    with pytest.raises(CheckFailed, match="replaced since the checks were imported"):
        shell.run_cell("checks.softmax.check(softmax)").raise_error()
    with pytest.raises(CheckFailed, match="sigmoid looks at each score alone"):
        shell.run_cell("checks.softmax.check(softmax)").raise_error()


def test_predictions_need_a_word_for_every_question():
    predictions = Predictions(("a", "b"), lambda: ("rises", "falls"), "task 2")
    predictions.grade({"a": "rises", "b": "falls"})
    for wrong in (None, {}, {"a": "rises"}, {"a": "rises", "b": "drops"}, {"a": "rises", "b": "falls", "c": "falls"}):
        with pytest.raises(CheckFailed, match="expected: +a dictionary with the keys 'a', 'b'"):
            predictions.check(wrong)
    with pytest.raises(CheckFailed, match="your prediction is 'rises'"):
        predictions.grade({"a": "rises", "b": "rises"})
    assert [tendency(1, last) for last in (2, 1.05, 0.5)] == ["rises", "stays", "falls"]


def test_a_title_does_not_blame_the_row_of_nothing_but_infinity_where_another_is_wrong():
    def softmax_jacobian(scores, scale=1.0):
        if scores.dim() == 0 or not scores.is_floating_point() or scale <= 0:
            raise ValueError("scores, scale")
        powers = (scores / scale).exp()
        sums = powers.sum(-1, keepdim=True)
        p = torch.where(sums > 0, powers / sums, 0.0)
        return torch.diag_embed(p) - p[..., None] * p[..., None, :]  # without 1 / scale

    with pytest.raises(CheckFailed) as failed:
        checks_05.softmax_jacobian.check_limits(softmax_jacobian)
    title, *lines = str(failed.value).splitlines()
    assert title == "softmax_jacobian: two rows, the second of nothing but -inf"
    assert "too large by the scale" in lines[0]
    assert "the Jacobian of each row, which is zeros for a row of nothing but -inf" in str(failed.value)


def test_a_prediction_may_be_the_number_in_the_place_of_its_word(capsys):
    predictions = Predictions(["how many"], lambda: ["1"], "task 2", ("0", "1"))
    predictions.check({"how many": 1})
    predictions.grade({"how many": 1})
    with pytest.raises(CheckFailed, match="2 is not one of them"):
        predictions.check({"how many": 2})
    with pytest.raises(CheckFailed, match="your prediction is 0"):
        predictions.grade({"how many": 0})
