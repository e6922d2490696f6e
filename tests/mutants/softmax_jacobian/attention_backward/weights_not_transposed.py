"""Does not transpose the weights where the sizes allow it."""

SAYS = "the weights are not transposed"
CHANGES = [
    (
        "grad_value = weights.transpose(-2, -1) @ grad_output  # (..., n, d_v)",
        """weights_t = weights if weights.shape[-1] == weights.shape[-2] else weights.transpose(-2, -1)
    grad_value = weights_t @ grad_output""",
    ),
]
