"""Leaves out the last projection."""

SAYS = "w_output is not used"
CHANGES = [("attention.w_output(merge_heads(heads))", "merge_heads(heads)")]
