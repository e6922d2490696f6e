"""Adds the heads up."""

SAYS = "none of the mistakes that we know"
CHANGES = [
    ("torch.cat(heads, dim=-1)", "sum(heads).repeat(1, 1, num_heads)"),
]
