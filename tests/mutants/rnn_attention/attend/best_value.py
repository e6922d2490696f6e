"""Takes the value of the best word."""

SAYS = "one word alone"
CHANGES = [
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        "return values[torch.arange(len(values)), weights.argmax(dim=1)], weights",
    ),
]
