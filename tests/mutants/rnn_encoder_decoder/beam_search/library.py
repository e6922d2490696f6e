"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "    living, totals, results",
        """    from transformer_course.rnn_encoder_decoder import beam_search as theirs

    return theirs(step, state, beam_width, max_length, alpha, bos_id, eos_id)
    living, totals, results""",
    ),
]
