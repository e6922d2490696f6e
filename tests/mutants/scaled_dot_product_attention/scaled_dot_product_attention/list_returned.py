"""Returns a list in the place of a pair."""

SAYS = "a list of 2"
CHANGES = [
    ("return weights @ value, weights  # (..., m, d_v), (..., m, n)", "return [weights @ value, weights]"),
]
