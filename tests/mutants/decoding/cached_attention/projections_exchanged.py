"""Takes w_value for the keys."""

SAYS = "w_key and w_value change places"
CHANGES = [
    (
        "(attention.w_query, attention.w_key, attention.w_value)",
        "(attention.w_query, attention.w_value, attention.w_key)",
    )
]
