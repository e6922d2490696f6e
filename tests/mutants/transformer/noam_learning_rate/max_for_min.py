"""Takes the larger branch."""

SAYS = "`max` in the place of `min`"
CHANGES = [
    (
        "return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
        "return d_model**-0.5 * max(step**-0.5, step * warmup_steps**-1.5)",
    ),
]
