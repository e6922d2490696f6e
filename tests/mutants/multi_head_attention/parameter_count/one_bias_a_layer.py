"""Believes that a layer has one bias."""

SAYS = "one bias a layer"
CHANGES = [
    ("4 * d_model * (d_model + int(bias))", "4 * (d_model * d_model + int(bias))"),
]
