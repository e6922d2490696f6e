"""What the checks of exercise 18 hand to the learner's code: a block with known weights, and no forward pass."""

import torch
from torch import Tensor, nn

from course_checks.words import Finding


class Parts(nn.Module):
    """The layers of a `ModernBlock`, under the names of the task.

    Args:
        d_model: width of the model.
        num_heads: heads of queries.
        num_groups: groups of keys and values.
        d_ff: width inside the feed-forward network.
    """

    def __init__(self, d_model: int, num_heads: int, num_groups: int, d_ff: int):
        super().__init__()
        self.num_heads, self.num_groups, self.d_k = num_heads, num_groups, d_model // num_heads
        self.norm_1, self.norm_2 = nn.RMSNorm(d_model, eps=1e-6), nn.RMSNorm(d_model, eps=1e-6)
        widths = {
            "w_query": (d_model, d_model),
            "w_key": (d_model, num_groups * self.d_k),
            "w_value": (d_model, num_groups * self.d_k),
            "w_output": (d_model, d_model),
            "w_gate": (d_model, d_ff),
            "w_up": (d_model, d_ff),
            "w_down": (d_ff, d_model),
        }
        for name, (before, behind) in widths.items():
            setattr(self, name, nn.Linear(before, behind, bias=False))
        generator = torch.Generator().manual_seed(d_model)
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.copy_(0.4 * torch.randn(parameter.shape, generator=generator))

    def forward(self, *inputs: Tensor, **keywords: Tensor) -> Tensor:
        """Refuse: what is asked for is one position at a time.

        Raises:
            Finding: which says so.
        """
        raise Finding("`block` itself is called", "the layers of `block`, called one after the other",
                      "a call of the block computes all words anew, and returns no keys and values to keep",
                      "write the steps of `forward` of task 4, with the cache between them", final=True)  # fmt: skip
