"""Drops weights at random, as a model does while it trains."""

SAYS = "none of the mistakes"
CHANGES = [
    (
        "weights = softmax(scores)",
        """weights = softmax(scores)
    weights = torch.nn.functional.dropout(weights, 0.5)""",
    ),
]
