"""Has not begun."""

SAYS = "still holds its first version"


def pad_sequences(sequences, pad_id=0):
    raise NotImplementedError
