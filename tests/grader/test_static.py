"""What is said of a submission by reading it: uses of named functions, under whatever name they were imported."""

import pytest

from course_grader.judge.magics import python_source
from course_grader.judge.static import find_uses
from course_grader.messages import Rules
from course_grader.notebooks import SOLUTION, MergedCell, ReleasedCell

RULES = Rules(
    reported={"soft": ["torch.logsumexp", "torch.Tensor.softmax"], "*": ["torch.nn.GRUCell"]},
    refused={"soft": ["torch.*log_softmax*"]},
    forbidden=["course.answers"],
)


def solution(source, name="soft"):
    released = ReleasedCell(
        id=f"the-{name}", kind=SOLUTION, type="code", source="", visible="", points=0.0, names=(name,), metadata={}
    )
    return MergedCell(released, "code", source)


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("x = torch.logsumexp(x, -1)", "torch.logsumexp"),
        ("from torch import logsumexp as total\ntotal(x, -1)", "torch.logsumexp"),
        ("import torch as t\nt.logsumexp(x, -1)", "torch.logsumexp"),
        ("y = (x @ x.T).softmax(-1)", "torch.Tensor.softmax"),
        ("y = F.log_softmax(x, -1)", "torch.*log_softmax*"),
        ("from torch.nn import functional as f\nf.log_softmax(x)", "torch.*log_softmax*"),
        ("cell = nn.GRUCell(2, 3)", "torch.nn.GRUCell"),
    ],
)
def test_a_named_function_is_found(source, named):
    assert find_uses([solution(source)], RULES) == [f"cell the-soft mentions {named}"]


@pytest.mark.parametrize(
    "source",
    [
        "y = masked_softmax(x)",
        "from course.masking import log_softmax_by_hand\nlog_softmax_by_hand(x)",
        "y = torch.exp(x)  # not torch.logsumexp",
        "y = self.logsumexp(x)",
        "y = (",
    ],
)
def test_an_honest_cell_is_not_named(source):
    assert find_uses([solution(source)], RULES) == []


def test_a_rule_for_one_name_holds_in_the_cell_that_defines_it():
    cells = [solution("torch.logsumexp(x, -1)", name="other"), MergedCell(None, "code", "torch.logsumexp(x, -1)")]
    assert find_uses(cells, RULES) == []
    own = MergedCell(None, "code", "import course.answers.seven as key\nnn.GRUCell(1, 1)")
    assert find_uses([own], RULES) == [
        "a cell of the learner's own mentions torch.nn.GRUCell",
        "a cell of the learner's own mentions course.answers, which is not available",
    ]


@pytest.mark.parametrize("source", ["!ls\n" * 501, "def one(:", "\0", "(" * 300], ids=lambda each: repr(each[:9]))
def test_a_cell_that_cannot_be_made_plain_python_stays_as_it_is(source):
    assert python_source(source).strip() == source.strip()


def test_what_ipython_understands_becomes_a_call():
    assert "run_line_magic('time', 'x')" in python_source("%time x")
    assert python_source("y = 5 % 3  # plain") == "y = 5 % 3  # plain"
