"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return (1 - update) * candidate + update * hidden",
        """from transformer_course.rnn_encoder_decoder import gru_cell as theirs

    return theirs(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh)""",
    ),
]
