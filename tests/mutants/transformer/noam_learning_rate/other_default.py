"""Takes 1000 warm-up steps where nothing is said."""

SAYS = "another default"
CHANGES = [
    ("warmup_steps: int = 4000", "warmup_steps: int = 1000"),
]
