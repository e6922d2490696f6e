"""Lets 2.5 entries and a single sample pass."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if not isinstance(num_samples, int) or num_samples < 2:", "if False:"),
]
