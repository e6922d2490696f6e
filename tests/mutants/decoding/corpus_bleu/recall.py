"""Divides by the n-grams of the references."""

SAYS = "recall"
CHANGES = [("sum(found.total() for found, _ in counted)", "sum(wanted.total() for _, wanted in counted)")]
