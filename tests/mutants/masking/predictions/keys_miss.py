"""Believes that a weight of 0 is the end of it."""

SAYS = "'keys'"


predictions = {
    "weights": "misses",
    "values": "misses",
    "keys": "misses",
    "gradient of values": "misses",
    "gradient of keys": "notices",
}
