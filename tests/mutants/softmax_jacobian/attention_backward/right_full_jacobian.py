"""Forms the Jacobian of every row, which this task does not forbid."""

CHANGES = [
    (
        "grad_scores = weights * (grad_weights - average) / scale  # (..., m, n), those before the division",
        "grad_scores = (softmax_jacobian(weights.log()) @ grad_weights.unsqueeze(-1)).squeeze(-1) / scale",
    ),
]
