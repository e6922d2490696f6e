"""Returns the pairs of different heads in a list."""

SAYS = "only the pairs"
CHANGES = [
    (
        "return directions @ directions.transpose(-2, -1)  # (layers, heads, heads)",
        """upper = torch.triu_indices(weights.shape[1], weights.shape[1], 1)
    return (directions @ directions.transpose(-2, -1))[:, upper[0], upper[1]]""",
    ),
]
