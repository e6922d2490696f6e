"""Changes no keys."""

SAYS = "the change of keys is not looked at"
CHANGES = [
    (
        "for changed in (attention(query, other_key, value), attention(query, key, other_value)):",
        "for changed in (attention(query, key, other_value),):",
    ),
]
