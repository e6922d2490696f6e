"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "    modes = [",
        """    from transformer_course.decoding import translate as theirs

    return theirs(model, source, max_length, beam_width, alpha)
    modes = [""",
    )
]
