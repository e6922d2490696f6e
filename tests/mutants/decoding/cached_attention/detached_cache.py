"""Keeps the cache without its graph."""

SAYS = "gradient"
CHANGES = [
    (
        "    heads, _",
        """    key, value = key.detach(), value.detach()
    heads, _""",
    )
]
