"""Returns a copy without a graph."""

SAYS = "`.detach()`"
CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        "return (exponentials / total.masked_fill(total == 0, 1.0)).detach()",
    ),
]
