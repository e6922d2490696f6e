"""Does not look at the dtype."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("or tokens.is_floating_point() or tokens.dtype == torch.bool", ""),
]
