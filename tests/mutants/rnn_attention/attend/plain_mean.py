"""Takes the mean of all values."""

SAYS = "all words get the same share"
CHANGES = [
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        "return values.mean(dim=1), weights",
    ),
]
