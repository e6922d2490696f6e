"""Measures in the mode in which the model comes."""

SAYS = "measured in training mode"
CHANGES = [
    (
        """    model.eval()
""",
        "",
    ),
]
