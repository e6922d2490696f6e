"""Takes as many queries as keys for granted."""

SAYS = "shapes that do not fit"
CHANGES = [
    (
        "reached = torch.zeros(len(query), len(key), dtype=torch.bool)",
        "reached = torch.zeros(len(key), len(key), dtype=torch.bool)",
    ),
]
