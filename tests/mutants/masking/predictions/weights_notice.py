"""Believes that weights of 0 do not occur here."""

SAYS = "'weights'"


predictions = {
    "weights": "notices",
    "values": "misses",
    "keys": "notices",
    "gradient of values": "misses",
    "gradient of keys": "notices",
}
