"""Has not begun."""

SAYS = "still holds its first version"


def sequence_log_probability(logits, labels, pad_id=0):
    raise NotImplementedError
