"""Returns a tensor."""

SAYS = "still a tensor"
CHANGES = [
    ("return weights.amax(dim=-1).mean().item()", "return weights.amax(dim=-1).mean()"),
]
