"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        """from transformer_course.sequence_transduction import teacher_forcing_pair as theirs

    decoder_input, labels = theirs(target)""",
    ),
]
