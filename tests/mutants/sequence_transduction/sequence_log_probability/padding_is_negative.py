"""Takes negative labels for padding, and 0 as well."""

SAYS = "a negative label that is not padding"
CHANGES = [
    (
        "real = labels != pad_id",
        "real = (labels != pad_id) & (labels >= 0)",
    ),
]
