"""Counts steps from 0."""

SAYS = "counted from 0"
CHANGES = [
    (
        "return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
        "return d_model**-0.5 * min((step + 1) ** -0.5, (step + 1) * warmup_steps**-1.5)",
    ),
]
