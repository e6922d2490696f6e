"""Leaves torch for numpy and does not come back."""

SAYS = "left torch"
CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        "return (exponentials / total.masked_fill(total == 0, 1.0)).detach().numpy()",
    ),
]
