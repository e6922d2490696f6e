"""Believes that every leak goes through the values."""

SAYS = "'values'"


predictions = {
    "weights": "misses",
    "values": "notices",
    "keys": "notices",
    "gradient of values": "misses",
    "gradient of keys": "notices",
}
