"""Rises by 1 / warm-up steps."""

SAYS = "both branches must agree"
CHANGES = [
    (
        "return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
        "return d_model**-0.5 * min(step**-0.5, step / warmup_steps)",
    ),
]
