"""Takes the average from grad_output and output, as FlashAttention does."""

CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., m, 1)",
        "average = (grad_output * (weights @ value)).sum(dim=-1, keepdim=True)",
    ),
]
