"""Always normalises behind the sum."""

SAYS = "norm_first is not used"
CHANGES = [
    ("if self.norm_first:", "if False:"),
]
