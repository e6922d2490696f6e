"""Forgets the mask in the pre-norm order."""

SAYS = "norm_first=True, a mask"
CHANGES = [
    ("self.self_attention(y, y, y, mask)", "self.self_attention(y, y, y)"),
]
