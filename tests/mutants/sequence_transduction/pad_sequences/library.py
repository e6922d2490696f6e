"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "    longest",
        """    from transformer_course.sequence_transduction import pad_sequences as theirs

    return theirs(sequences, pad_id)
    longest""",
    ),
]
