"""Calls the course's library."""

SAYS = "remove the import"


def attend(scores, values, mask=None):
    from transformer_course.rnn_attention import attend as theirs

    return theirs(scores, values, mask)
