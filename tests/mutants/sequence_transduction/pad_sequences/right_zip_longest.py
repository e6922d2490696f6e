"""Turns the sequences by 90 degrees with itertools."""

CHANGES = [
    (
        """    for row, sequence in enumerate(sequences):
        for column, token in enumerate(sequence):
            if not isinstance(token, int):
                raise ValueError(f"sequences: expected integers, got {token!r} in sequence {row}")
            padded[row, column] = token
    return padded""",
        """    from itertools import chain, zip_longest

    if not all(isinstance(token, int) for token in chain(*sequences)):
        raise ValueError("sequences: expected integers")
    if longest == 0:
        return padded
    return torch.tensor(list(zip_longest(*sequences, fillvalue=pad_id))).T.contiguous()""",
    ),
]
