"""Applies the temperature to the probabilities that stay."""

SAYS = "temperature comes after"
CHANGES = [
    ("logits / temperature", "logits"),
    (
        "    kept = kept / kept.sum",
        """    kept = kept ** (1 / temperature)
    kept = kept / kept.sum""",
    ),
]
