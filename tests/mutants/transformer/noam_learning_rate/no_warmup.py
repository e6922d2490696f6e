"""Knows the fall only."""

SAYS = "the branch of the warm-up is missing"
CHANGES = [
    ("return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)", "return d_model**-0.5 * step**-0.5"),
]
