"""Forgets the minus of the exponent."""

SAYS = "the sign of the exponent of warmup_steps"
CHANGES = [
    (
        "return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
        "return d_model**-0.5 * min(step**-0.5, step * warmup_steps**1.5)",
    ),
]
