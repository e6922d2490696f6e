"""Combines two masks, and forgets the third."""

SAYS = "only two masks"
CHANGES = [
    ("for mask in masks:", "for mask in [mask for mask in masks if mask is not None][:2]:"),
]
