"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "    query, key, value = (",
        """    from transformer_course.decoding import cached_attention as theirs

    return theirs(attention, x, cache)
    query, key, value = (""",
    )
]
