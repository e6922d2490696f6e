"""Divides by the width."""

SAYS = "the root of d_model is missing"
CHANGES = [
    (
        "return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
        "return min(step**-0.5, step * warmup_steps**-1.5) / d_model",
    ),
]
