"""A small model for exercise 12: two attentions, one after the other, whose score is known to the last bit."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from course_checks.cases import Draw
from transformer_course.multi_head_attention import MultiHeadAttention


class TwoAttentions:
    """Two attentions of unlike heads, and a score.

    Args:
        d_model: width.
        num_heads: heads of the first and of the second attention.
        bias: whether the projections have biases.
        dtype: of weights and inputs.
        shape: batch and length of the inputs.
    """

    def __init__(
        self,
        d_model: int = 6,
        num_heads: tuple[int, int] = (3, 2),
        bias: bool = True,
        dtype: torch.dtype = torch.float64,
        shape: tuple[int, int] = (2, 5),
    ):
        self.first, self.second = (MultiHeadAttention(d_model, each, bias).to(dtype).eval() for each in num_heads)
        draw = Draw(f"two attentions {d_model} {num_heads}")
        self.x = draw(*shape, d_model, dtype=dtype)
        with torch.no_grad():
            for _, parameter in self.parameters():
                parameter.copy_(draw(*parameter.shape, dtype=dtype, scale=0.6))
            self.first.w_output.weight[0, 0] = -0.0  # what an addition of 0 would turn into +0

    def parameters(self) -> list[tuple[str, nn.Parameter]]:
        """List all weights by name."""
        pairs = [("first", self.first), ("second", self.second)]
        return [(f"{name}.{key}", each) for name, module in pairs for key, each in module.named_parameters()]

    @torch.no_grad()
    def score(self) -> float:
        """Run both attentions with their residual connections; more is better."""
        x = self.x
        for attention in (self.first, self.second):
            x = x + attention(x, x, x)[0]
        return -x.square().mean().item()

    def state(self) -> dict[str, tuple]:
        """Note every weight bit for bit, whether it is trained, and the mode of the modules."""
        found = {name: (bits(each), each.requires_grad) for name, each in self.parameters()}
        return found | {"mode": (self.first.training, self.second.training)}


def bits(tensor: Tensor) -> tuple:
    """Note dtype, shape and every bit of a tensor."""
    return tensor.dtype, tuple(tensor.shape), tuple(tensor.detach().contiguous().view(torch.uint8).flatten().tolist())


FAILS = "no memory left"


def failing(model: TwoAttentions) -> Callable[[], float]:
    """Make an evaluation that fails as soon as a head is silent."""
    complete = model.score()

    def evaluate() -> float:
        score = model.score()
        if score != complete:
            raise RuntimeError(FAILS)
        return score

    return evaluate


def counted(model: TwoAttentions, calls: list[int]) -> Callable[[], float]:
    """Make an evaluation that notes its calls."""

    def evaluate() -> float:
        calls.append(1)
        return model.score()

    return evaluate
