"""Divides by the possible links."""

SAYS = "stand below the line"
CHANGES = [
    (
        "return 1 - (len(links & sure) + len(links & allowed)) / (len(links) + len(sure))",
        "return 1 - (len(links & sure) + len(links & allowed)) / (len(links) + len(allowed))",
    ),
]
