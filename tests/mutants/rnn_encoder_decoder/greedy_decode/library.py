"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "    tokens = torch.full",
        """    from transformer_course.rnn_encoder_decoder import greedy_decode as theirs

    return theirs(step, state, batch_size, max_length, bos_id, eos_id, pad_id)
    tokens = torch.full""",
    ),
]
