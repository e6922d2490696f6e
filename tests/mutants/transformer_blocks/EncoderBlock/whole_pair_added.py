"""Adds the pair that attention returns."""

SAYS = "a tuple"
CHANGES = [
    ("self.self_attention(x, x, x, mask)[0]", "self.self_attention(x, x, x, mask)"),
]
