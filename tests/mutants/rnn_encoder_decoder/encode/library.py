"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "    outputs = [",
        """    from transformer_course.rnn_encoder_decoder import encode as theirs

    return theirs(embedded, lengths, cell, hidden)
    outputs = [""",
    ),
]
