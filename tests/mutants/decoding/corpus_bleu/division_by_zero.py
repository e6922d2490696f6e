"""Divides before it looks whether there is anything."""

SAYS = "ZeroDivisionError"
CHANGES = [
    (
        """        if right == 0:
            return 0.0
""",
        "",
    )
]
