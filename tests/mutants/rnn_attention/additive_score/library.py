"""Calls the course's library."""

SAYS = "remove the import"


def additive_score(query, keys, w_query, w_key, v):
    from transformer_course.rnn_attention import additive_score as theirs

    return theirs(query, keys, w_query, w_key, v)
