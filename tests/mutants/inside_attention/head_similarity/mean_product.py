"""Takes the mean of the products."""

SAYS = "a mean of products"
CHANGES = [
    (
        "directions = flattened / lengths.masked_fill(lengths == 0, 1.0)",
        "directions = flattened / flattened.shape[-1] ** 0.5",
    ),
]
