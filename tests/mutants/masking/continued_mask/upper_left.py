"""Begins the triangle in the upper left corner."""

SAYS = "the past is forgotten"
CHANGES = [
    (
        "query = torch.arange(total_length - new_length, total_length)[:, None]",
        "query = torch.arange(new_length)[:, None]",
    ),
]
