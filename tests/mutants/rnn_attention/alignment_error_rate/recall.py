"""Divides by the sure links alone."""

SAYS = "too many cost nothing"
CHANGES = [
    (
        "return 1 - (len(links & sure) + len(links & allowed)) / (len(links) + len(sure))",
        "return 1 - len(links & sure) / len(sure)",
    ),
]
