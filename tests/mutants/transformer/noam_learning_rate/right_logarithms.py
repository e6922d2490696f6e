"""Computes with logarithms."""

CHANGES = [
    (
        "return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
        """import math

    rising, falling = math.log(step) - 1.5 * math.log(warmup_steps), -0.5 * math.log(step)
    return math.exp(-0.5 * math.log(d_model) + min(rising, falling))""",
    ),
]
