"""Starts every position but the first at 1."""

SAYS = "the positions are not counted"
CHANGES = [("start=position)", "start=min(position, 1))")]
