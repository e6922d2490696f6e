"""Lets all query heads use the first key head."""

SAYS = "none of the mistakes"
CHANGES = [
    ("key.unsqueeze(2), value.unsqueeze(2)", "key[:, :1].unsqueeze(2), value[:, :1].unsqueeze(2)"),
]
