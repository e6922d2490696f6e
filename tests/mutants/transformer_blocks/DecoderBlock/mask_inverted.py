"""Believes that True hides."""

SAYS = "turned round"
CHANGES = [
    (
        "self.self_attention(x, x, x, self_mask)",
        "self.self_attention(x, x, x, None if self_mask is None else ~self_mask)",
    ),
]
