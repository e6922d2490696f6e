"""Believes that True hides."""

SAYS = "turned round"
CHANGES = [
    ("self.self_attention(x, x, x, mask)", "self.self_attention(x, x, x, None if mask is None else ~mask)"),
]
