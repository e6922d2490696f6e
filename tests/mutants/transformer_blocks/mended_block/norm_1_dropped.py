"""Removes the first norm."""

SAYS = "norm_1 is not used"
CHANGES = [
    ("x = x + attend(norm_1(x))", "x = x + attend(x)"),
]
