"""Believes that a wider beam does not change the length."""

SAYS = "length, wider beam"

predictions = {"log probability, wider beam": "rises", "length, wider beam": "stays", "length, larger alpha": "rises"}
