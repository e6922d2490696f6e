"""Always normalises before the sublayer."""

SAYS = "it is the order of norm_first=True"
CHANGES = [
    ("if self.norm_first:", "if True:"),
]
