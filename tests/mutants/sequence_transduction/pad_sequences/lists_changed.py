"""Appends padding to the caller's own lists."""

SAYS = "appended to the caller's own lists"
CHANGES = [
    (
        "    padded = torch",
        """    for each in sequences:
        each += [pad_id] * (longest - len(each))
    padded = torch""",
    ),
]
