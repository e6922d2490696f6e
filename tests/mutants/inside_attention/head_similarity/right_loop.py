"""Compares pair by pair."""

CHANGES = [
    (
        "return directions @ directions.transpose(-2, -1)  # (layers, heads, heads)",
        """rows = []
    for layer in directions:
        rows.append(torch.stack([torch.stack([one @ other for other in layer]) for one in layer]))
    return torch.stack(rows)""",
    ),
]
