"""Multiplies by a factor of its own."""

SAYS = "none of the mistakes that we know"
CHANGES = [
    (
        "return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
        "return 0.5 * d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
    ),
]
