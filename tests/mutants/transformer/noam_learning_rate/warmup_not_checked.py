"""Does not look at the warm-up steps."""

SAYS = "no warm-up steps"
CHANGES = [
    (', ("warmup_steps", warmup_steps)', ""),
]
