"""Puts the new position in front."""

SAYS = "stands first"
CHANGES = [
    (
        """        key = torch.cat([cache[0], key], dim=2)  # (batch, heads, length + 1, d_k)
        value = torch.cat([cache[1], value], dim=2)
""",
        """        key = torch.cat([key, cache[0]], dim=2)
        value = torch.cat([value, cache[1]], dim=2)
""",
    )
]
