"""Counts on a batch of sentences."""

SAYS = "one word"
CHANGES = [
    (
        "centred = x - x.mean(dim=-1, keepdim=True)",
        """batch, length, d_model = x.shape
        centred = x - x.mean(dim=2, keepdim=True)""",
    ),
]
