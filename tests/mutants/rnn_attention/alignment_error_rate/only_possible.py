"""Counts possible links twice."""

SAYS = "as possible ones only"
CHANGES = [
    (
        "return 1 - (len(links & sure) + len(links & allowed)) / (len(links) + len(sure))",
        "return 1 - (len(links & allowed) + len(links & allowed)) / (len(links) + len(sure))",
    ),
]
