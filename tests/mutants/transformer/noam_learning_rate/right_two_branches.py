"""Writes the two branches as an if."""

CHANGES = [
    (
        "return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
        """if step < warmup_steps:
        return step / (warmup_steps * (d_model * warmup_steps) ** 0.5)
    return 1 / (d_model * step) ** 0.5""",
    ),
]
