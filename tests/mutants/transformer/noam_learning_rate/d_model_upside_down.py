"""Multiplies by the root of the width."""

SAYS = "the sign of the exponent of d_model"
CHANGES = [
    (
        "return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
        "return d_model**0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
    ),
]
