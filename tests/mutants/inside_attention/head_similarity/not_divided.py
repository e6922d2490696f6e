"""Takes the dot product for the cosine."""

SAYS = "the products are not divided"
CHANGES = [
    ("directions = flattened / lengths.masked_fill(lengths == 0, 1.0)", "directions = flattened"),
]
