"""Changes the caller's key and value."""

SAYS = "works in place"
CHANGES = [
    ("other_key, other_value = key.clone(), value.clone()", "other_key, other_value = key, value"),
]
