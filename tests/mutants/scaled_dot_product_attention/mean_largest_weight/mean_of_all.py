"""Averages all weights."""

SAYS = "whatever the scores are"
CHANGES = [
    ("return weights.amax(dim=-1).mean().item()", "return weights.mean().item()"),
]
