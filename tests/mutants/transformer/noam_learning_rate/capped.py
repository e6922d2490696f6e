"""Lets the rate not fall below a floor."""

SAYS = "none of the mistakes that we know"
SAME_AS = "half"
CHANGES = [
    (
        "return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
        "return max(1e-5, d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5))",
    ),
]
