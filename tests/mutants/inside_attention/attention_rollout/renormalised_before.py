"""Divides the heads by their sums before it adds the identity."""

SAYS = "NaN"
SAME_AS = "nan_for_an_empty_row"
CHANGES = [
    (
        "mixed = 0.5 * attention + 0.5 * identity",
        "mixed = 0.5 * attention / attention.sum(dim=-1, keepdim=True) + 0.5 * identity",
    ),
]
