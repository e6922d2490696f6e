"""Returns the context alone."""

SAYS = "only one of the results"
CHANGES = [
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        "return (weights.unsqueeze(1) @ values).squeeze(1)",
    ),
]
