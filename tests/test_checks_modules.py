"""The checks of classes: what is built, which parameters it has, and which gradients reach them."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.checks.answers import Answer
from transformer_course.checks.modules import (
    WrongParameters,
    build,
    give_weights,
    parameter_gradients,
    require_parameters,
)
from transformer_course.checks.reporting import CheckFailed

X = torch.tensor([[1.0, -2.0, 0.5]], dtype=torch.float64)
SHAPES = {"weight": (2, 3), "bias": (2,)}


def linear(kind=nn.Linear) -> Answer:
    return build(Answer(kind, "Linear", "multi_head_attention"), "3 to 2", 3, 2)


def oracle(weights, x):
    return F.linear(x, weights["weight"], weights["bias"])


def test_what_is_no_module_is_told_so():
    with pytest.raises(CheckFailed, match=r"does not inherit from `nn.Module`"):
        linear(lambda *sizes: sizes)


def test_the_right_parameters_pass():
    require_parameters(linear(), "3 to 2", SHAPES)


@pytest.mark.parametrize("shapes", [{"weight": (2, 3)}, {**SHAPES, "scale": (2,)}, {**SHAPES, "bias": (3,)}])
def test_other_parameters_do_not(shapes):
    with pytest.raises(CheckFailed, match="hidden in a plain list"):
        require_parameters(linear(), "3 to 2", shapes)


def test_a_known_mistake_is_named():
    known = WrongParameters(lambda found: "bias" in found, "a bias too many", "leave it out")
    with pytest.raises(CheckFailed, match="a bias too many"):
        require_parameters(linear(), "3 to 2", {"weight": (2, 3)}, [known])


def test_known_weights_have_the_dtype_and_reach_the_module():
    built = linear()
    weights = give_weights(built, seed=1)
    assert weights["weight"].dtype == torch.float64
    torch.testing.assert_close(built("x", X), oracle(weights, X))


def test_right_gradients_pass_and_lost_ones_are_named():
    built = linear()
    give_weights(built, seed=1)
    parameter_gradients(built, "x", oracle, X)

    class Detached(nn.Linear):
        def forward(self, x):
            return F.linear(x, self.weight.detach(), self.bias)

    lost = linear(Detached)
    give_weights(lost, seed=1)
    with pytest.raises(CheckFailed, match="no gradient reaches weight"):
        parameter_gradients(lost, "x", oracle, X)


def test_a_module_that_does_not_prepare_itself_is_told_so():
    class Unprepared(nn.Module):
        def __init__(self, *sizes):
            self.layer = nn.Linear(*sizes)

    with pytest.raises(CheckFailed, match=r"`super\(\).__init__\(\)` is missing"):
        linear(Unprepared)
