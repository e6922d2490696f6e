"""Divides by the links alone."""

SAYS = "cost nothing"
CHANGES = [
    (
        "return 1 - (len(links & sure) + len(links & allowed)) / (len(links) + len(sure))",
        "return 1 - len(links & allowed) / len(links)",
    ),
]
