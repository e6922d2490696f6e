"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "    embedded = table[tokens]",
        """    from transformer_course.positional_encoding import sinusoidal_encoding as theirs

    encoding = theirs(len(encoding), table.shape[1]).to(table)
    embedded = table[tokens]""",
    ),
]
