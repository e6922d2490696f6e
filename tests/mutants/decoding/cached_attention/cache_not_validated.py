"""Accepts any cache."""

SAYS = "does not look at its arguments"
CHANGES = [("if part.shape != wanted:", "if False:")]
