"""Decodes with the library's caches."""

SAYS = "remove the import"
CHANGES = [
    (
        "    modes = [",
        """    from transformer_course.cached_decoding import can_decode

    can_decode(model)
    modes = [""",
    )
]
