"""Forgets the mask."""

SAYS = "the mask is not handed on"
CHANGES = [
    ("self.self_attention(x, x, x, mask)", "self.self_attention(x, x, x)"),
]
