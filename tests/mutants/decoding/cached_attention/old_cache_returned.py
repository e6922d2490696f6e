"""Returns the cache that came in."""

SAYS = "old cache is returned"
CHANGES = [
    (
        """(key, value)
""",
        """(key, value) if cache is None else cache
""",
    )
]
