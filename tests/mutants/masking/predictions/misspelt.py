"""Answers yes and no."""

SAYS = "missing or misspelt"


predictions = {
    "weights": "no",
    "values": "no",
    "keys": "notices",
    "gradient of values": "no",
    "gradient of keys": "notices",
}
