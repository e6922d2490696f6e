"""A small model for exercise 12: two attentions, one after the other, whose score is known to the last bit."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from transformer_course.checks.reporting import draw


class TwoAttentions:
    """Two attentions of unlike heads, and a score.

    Args:
        make: builds an attention from d_model and num_heads, such as the course's ``MultiHeadAttention``.
        d_model: width.
        num_heads: heads of the first and of the second attention.
        seed: of the weights and the inputs.
        dtype: of both.
        shape: batch and length of the inputs.
    """

    def __init__(
        self,
        make: Callable[[int, int], nn.Module],
        d_model: int = 6,
        num_heads: tuple[int, int] = (3, 2),
        seed: int = 0,
        dtype: torch.dtype = torch.float64,
        shape: tuple[int, int] = (2, 5),
    ):
        self.first, self.second = (make(d_model, each).to(dtype).eval() for each in num_heads)
        self.x = draw(*shape, d_model, seed=seed, dtype=dtype)
        with torch.no_grad():
            for number, (_, parameter) in enumerate(self.parameters(), start=seed + 1):
                parameter.copy_(0.6 * draw(*parameter.shape, seed=number, dtype=dtype))
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
