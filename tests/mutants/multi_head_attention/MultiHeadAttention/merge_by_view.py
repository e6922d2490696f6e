"""Believes that reshape alone brings the heads together."""

SAYS = "without the transpose back"
CHANGES = [
    ("merge_heads(mixed)", "mixed.reshape(query.shape)"),
]
