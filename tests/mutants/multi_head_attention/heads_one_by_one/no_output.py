"""Returns the list side by side."""

SAYS = "w_output is not used"
CHANGES = [
    (" @ w_output.T", ""),
]
