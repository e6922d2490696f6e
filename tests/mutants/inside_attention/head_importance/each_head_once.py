"""Skips a head that it has seen before."""

SAYS = "is left out"
CHANGES = [
    (
        """    drops = []
""",
        """    drops = []
    heads = list(dict.fromkeys(heads))
""",
    ),
]
