"""Counts every match."""

SAYS = "only as often as the reference has it"
CHANGES = [
    (
        "sum((found & wanted).total() for found, wanted in counted)",
        "sum(sum(count for gram, count in found.items() if gram in wanted) for found, wanted in counted)",
    )
]
