"""Calls the course's library."""

SAYS = "remove the import"


def alignment_error_rate(weights, sure, possible=None):
    from transformer_course.rnn_attention import alignment_error_rate as theirs

    return theirs(weights, sure, possible)
