"""Changes the sign of the step, which was right."""

SAYS = "up the slope"
CHANGES = [
    ("return query - step_size", "return query + step_size"),
]
