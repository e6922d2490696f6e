"""Trusts in changes alone."""

SAYS = "gradients are not looked at"
CHANGES = [
    ("for gradient in gradients:", "for gradient in ():"),
]
