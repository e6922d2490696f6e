"""Stops after 20 steps."""

SAYS = "stopped too early"
CHANGES = [
    (
        "range(400)",
        "range(20)",
    ),
]
