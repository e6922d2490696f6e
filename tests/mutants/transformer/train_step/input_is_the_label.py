"""Reads what it should predict."""

SAYS = "the decoder reads `target[:, 1:]`"
CHANGES = [
    (
        "decoder_input, labels = teacher_forcing_pair(target)",
        """_, labels = teacher_forcing_pair(target)
    decoder_input = labels""",
    ),
]
