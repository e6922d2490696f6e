"""Multiplies with the whole Jacobian."""

CHANGES = [
    (
        "grad_scores = weights * (grad_weights - weights @ grad_weights)  # (n,)",
        "grad_scores = (torch.diag(weights) - torch.outer(weights, weights)) @ grad_weights",
    ),
]
