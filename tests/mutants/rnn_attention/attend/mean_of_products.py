"""Takes the mean of weight times value."""

SAYS = "a mean over the words of weight times value"
CHANGES = [
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        "return (weights.unsqueeze(-1) * values).mean(dim=1), weights",
    ),
]
