"""Counts positions from 1."""

SAYS = "counted from 1"
CHANGES = [("start=position)", "start=position + 1)")]
