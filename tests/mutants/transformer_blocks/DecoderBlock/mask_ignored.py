"""Forgets the mask."""

SAYS = "self_mask is not handed on"
CHANGES = [
    ("self.self_attention(x, x, x, self_mask)", "self.self_attention(x, x, x)"),
]
