"""Returns the triangle that should be there."""

SAYS = "misses pairs"
CHANGES = [
    ("return reached", "return torch.ones_like(reached).tril()"),
]
