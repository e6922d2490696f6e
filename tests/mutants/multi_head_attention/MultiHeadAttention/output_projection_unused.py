"""Makes a fourth layer and forgets it."""

SAYS = "w_output is not used"
CHANGES = [
    ("self.w_output(merge_heads(mixed))", "merge_heads(mixed)"),
]
