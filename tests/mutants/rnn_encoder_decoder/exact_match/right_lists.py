"""Compares lists without padding."""

CHANGES = [
    (
        "    length = max",
        """    pairs = zip(written.tolist(), wanted.tolist(), strict=True)
    same = [[t for t in a if t != PAD] == [t for t in b if t != PAD] for a, b in pairs]
    return sum(same) / len(same)
    length = max""",
    ),
]
