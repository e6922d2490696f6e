"""Leaves out the last n-gram of each sentence."""

SAYS = "the last n-gram"
CHANGES = [("range(len(tokens) - n + 1)", "range(len(tokens) - n)")]
