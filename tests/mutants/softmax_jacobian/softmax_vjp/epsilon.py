"""Adds a small number, to be safe."""

SAYS = "nearly right"
CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., 1)",
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True) + 1e-5",
    ),
]
