"""Does not divide by what is left."""

SAYS = "not divided by its total"
CHANGES = [
    (
        """    kept = kept / kept.sum(dim=-1, keepdim=True)
""",
        "",
    )
]
