"""Attends to the earlier positions only."""

SAYS = "a position sees something else"
CHANGES = [
    (
        "torch.cat(keys, dim=2), torch.cat(values, dim=2)",
        "torch.cat(keys[:-1] or keys, dim=2), torch.cat(values[:-1] or values, dim=2)",
    )
]
