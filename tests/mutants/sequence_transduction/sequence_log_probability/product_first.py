"""Multiplies the probabilities, and takes the logarithm of the product."""

SAYS = "the product of 500 probabilities"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return of_labels.exp().masked_fill(~real, 1.0).prod(dim=-1).log()",
    ),
]
