"""Cuts single numbers off."""

SAYS = "`clip_grad_value_`"
CHANGES = [
    ("clip_grad_norm_", "clip_grad_value_"),
]
