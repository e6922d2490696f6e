"""Falls with the step and not with its root."""

SAYS = "1 / step in the place of its root"
CHANGES = [
    (
        "return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
        "return d_model**-0.5 * min(1 / step, step * warmup_steps**-1.5)",
    ),
]
