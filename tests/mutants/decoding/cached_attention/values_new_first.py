"""Joins keys and values in different orders."""

SAYS = "stands first"
CHANGES = [("torch.cat([cache[1], value], dim=2)", "torch.cat([value, cache[1]], dim=2)")]
