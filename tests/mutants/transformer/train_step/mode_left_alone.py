"""Trains in the mode in which the model comes."""

SAYS = "`model.train()` is missing"
CHANGES = [
    (
        """    model.train()
""",
        "",
    ),
]
