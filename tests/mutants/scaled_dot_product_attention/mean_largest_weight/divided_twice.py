"""Calls attention_weights, which divides by sqrt(d_k) already."""

SAYS = "divided by sqrt(d_k) as well"
CHANGES = [
    (
        "weights = softmax(query @ key.transpose(-2, -1) / divisor)  # (1000, 1, 16)",
        "weights = attention_weights(query, key / divisor)",
    ),
]
