"""Forgets to correct the earlier sums when a larger maximum comes."""

SAYS = "not right"
CHANGES = [
    ("correction = (highest - new_highest).exp()", "correction = torch.ones_like(new_highest)"),
]
