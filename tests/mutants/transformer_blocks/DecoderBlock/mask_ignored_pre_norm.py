"""Forgets the mask in the pre-norm order."""

SAYS = "norm_first=True, self_mask"
CHANGES = [
    ("self.self_attention(y, y, y, self_mask)", "self.self_attention(y, y, y)"),
]
