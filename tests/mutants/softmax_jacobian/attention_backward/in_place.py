"""Subtracts from the caller's gradient."""

SAYS = "works in place"
CHANGES = [
    (
        "grad_value = weights.transpose(-2, -1) @ grad_output  # (..., n, d_v)",
        """grad_value = weights.transpose(-2, -1) @ grad_output
    grad_output -= 0.5""",
    ),
]
