"""Returns output, key and value."""

SAYS = "a cache that is left out, or three results"
CHANGES = [
    (
        """(key, value)
""",
        """key, value
""",
    )
]
