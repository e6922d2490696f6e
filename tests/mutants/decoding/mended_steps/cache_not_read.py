"""Attends to the new position only."""

SAYS = "the cache is not read"
CHANGES = [("torch.cat(keys, dim=2), torch.cat(values, dim=2)", "keys[-1], values[-1]")]
