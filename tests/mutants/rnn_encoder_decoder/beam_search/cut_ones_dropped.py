"""Drops what has not ended."""

SAYS = "that were cut"
CHANGES = [
    (
        "ending = (words == eos_id) | (length == max_length)",
        "ending = words == eos_id",
    ),
]
