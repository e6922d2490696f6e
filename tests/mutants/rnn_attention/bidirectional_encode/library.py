"""Calls the course's library."""

SAYS = "remove the import"


def bidirectional_encode(embedded, lengths, forward_cell, backward_cell, hidden):
    from transformer_course.rnn_attention import bidirectional_encode as theirs

    return theirs(embedded, lengths, forward_cell, backward_cell, hidden)
