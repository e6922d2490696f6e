"""Believes that the identity path gives every block the same gradient at any depth."""

SAYS = "something else for pre-norm"


predictions = {"stream": "grow", "pre-norm": "stay", "post-norm": "stay"}
