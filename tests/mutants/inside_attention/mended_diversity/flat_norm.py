"""Divides all heads by one length."""

SAYS = "divided by one length"
CHANGES = [
    ("directions = maps / maps.norm(dim=-1, keepdim=True)", "directions = maps / maps.norm(dim=(1, 2), keepdim=True)"),
]
