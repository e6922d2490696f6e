"""An optimizer for matrices: each update turns a matrix by the same amount in all directions.

Source: Jordan et al. (2024), "Muon: An optimizer for hidden layers in neural networks", with its coefficients.
"""

from collections.abc import Iterable

import torch
from torch import Tensor, nn

COEFFICIENTS = (3.4445, -4.7750, 2.0315)


def orthogonalize(matrix: Tensor, steps: int = 5) -> Tensor:
    """Bring all singular values of a matrix near 1, by a polynomial that needs nothing but products.

    Source: Jordan et al. (2024), section "Newton-Schulz iteration".

    Args:
        matrix: ``(rows, columns)``.
        steps: of the iteration.

    Returns:
        A matrix of the same shape with the same singular vectors; its singular values lie between about 0.7 and 1.2.
    """
    a, b, c = COEFFICIENTS
    x = matrix / (matrix.norm() + 1e-7)
    tall = x.shape[0] > x.shape[1]
    x = x.T if tall else x
    for _ in range(steps):
        square = x @ x.T  # (rows, rows) of the flatter one
        x = torch.addmm(x, torch.addmm(square, square, square, beta=b, alpha=c), x, beta=a)
    return x.T if tall else x


class Muon(torch.optim.Optimizer):
    """Keep a mean of the gradients of each matrix, and step along its orthogonalised form.

    Source: Jordan et al. (2024), with Nesterov momentum and weight decay beside the step.

    Args:
        parameters: matrices.
        lr: size of a step.
        momentum: how much of the mean is kept.
        weight_decay: every update also makes all weights smaller, by this share of themselves times lr.
    """

    def __init__(
        self, parameters: Iterable[nn.Parameter], lr: float = 0.02, momentum: float = 0.95, weight_decay: float = 0.0
    ):
        super().__init__(parameters, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:
        """Make one update."""
        for group in self.param_groups:
            for matrix in group["params"]:
                if matrix.grad is None:
                    continue
                mean = self.state[matrix].setdefault("mean", torch.zeros_like(matrix))
                mean.mul_(group["momentum"]).add_(matrix.grad)
                step = orthogonalize(matrix.grad.add(mean, alpha=group["momentum"]))
                matrix.mul_(1 - group["lr"] * group["weight_decay"])
                matrix.add_(step, alpha=-group["lr"] * max(1.0, matrix.shape[0] / matrix.shape[1]) ** 0.5)


def muon_and_adam(
    model: nn.Module, learning_rate: float = 4e-3, muon_rate: float = 0.02, weight_decay: float = 0.1
) -> list[torch.optim.Optimizer]:
    """Give the matrices inside the blocks to Muon, and all else to Adam.

    Args:
        model: with the blocks in ``model.blocks``.
        learning_rate: of Adam.
        muon_rate: of Muon.
        weight_decay: of Muon.

    Returns:
        The two optimizers.
    """
    matrices = [parameter for parameter in model.blocks.parameters() if parameter.dim() == 2]
    chosen = {id(parameter) for parameter in matrices}
    others = [parameter for parameter in model.parameters() if id(parameter) not in chosen]
    adam = torch.optim.AdamW(others, learning_rate, betas=(0.9, 0.99), weight_decay=0.0, fused=True)
    return [Muon(matrices, muon_rate, weight_decay=weight_decay), adam]
