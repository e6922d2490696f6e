"""Counts what is wrong in the place of what is right."""

CHANGES = [
    (
        "return 1 - (len(links & sure) + len(links & allowed)) / (len(links) + len(sure))",
        """wrong = len(links - sure) + len(links - allowed)
    return (wrong + len(sure) - len(links)) / (len(links) + len(sure))""",
    ),
]
