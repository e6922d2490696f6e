"""Subtracts the mean first."""

SAYS = "a correlation"
CHANGES = [
    (
        "flattened = weights.flatten(start_dim=2)  # (layers, heads, m * n)",
        """flattened = weights.flatten(start_dim=2)
    flattened = flattened - flattened.mean(dim=-1, keepdim=True)""",
    ),
]
