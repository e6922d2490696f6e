"""Returns how much agrees."""

SAYS = "the agreement is returned"
CHANGES = [
    (
        "return 1 - (len(links & sure) + len(links & allowed)) / (len(links) + len(sure))",
        "return (len(links & sure) + len(links & allowed)) / (len(links) + len(sure))",
    ),
]
