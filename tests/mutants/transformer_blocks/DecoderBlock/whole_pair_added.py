"""Adds the pair that attention returns."""

SAYS = "a tuple"
CHANGES = [
    ("self.self_attention(x, x, x, self_mask)[0]", "self.self_attention(x, x, x, self_mask)"),
]
