"""Believes that a penalty for length makes sentences shorter."""

SAYS = "length, larger alpha"

predictions = {"log probability, wider beam": "rises", "length, wider beam": "falls", "length, larger alpha": "falls"}
