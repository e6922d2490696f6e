"""Counts sure links only."""

SAYS = "`possible` is not used"
CHANGES = [
    (
        "return 1 - (len(links & sure) + len(links & allowed)) / (len(links) + len(sure))",
        "return 1 - (len(links & sure) + len(links & sure)) / (len(links) + len(sure))",
    ),
]
