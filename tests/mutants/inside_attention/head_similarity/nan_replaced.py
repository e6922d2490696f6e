"""Replaces the NaN by 1, since a map is like itself."""

SAYS = "a number other than 0"
CHANGES = [
    ("directions = flattened / lengths.masked_fill(lengths == 0, 1.0)", "directions = flattened / lengths"),
    (
        "return directions @ directions.transpose(-2, -1)  # (layers, heads, heads)",
        "return (directions @ directions.transpose(-2, -1)).nan_to_num(nan=1.0)",
    ),
]
