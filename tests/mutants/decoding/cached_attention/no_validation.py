"""Accepts any x."""

SAYS = "does not look at its arguments"
CHANGES = [("x.shape[1:] != (1, attention.d_model)", "False")]
