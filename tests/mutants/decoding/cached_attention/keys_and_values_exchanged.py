"""Returns (value, key)."""

SAYS = "key and value change places"
CHANGES = [
    (
        """(key, value)
""",
        """(value, key)
""",
    )
]
