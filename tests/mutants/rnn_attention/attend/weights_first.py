"""Returns the weights first."""

SAYS = "two results are exchanged"
CHANGES = [
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        "return weights, (weights.unsqueeze(1) @ values).squeeze(1)",
    ),
]
