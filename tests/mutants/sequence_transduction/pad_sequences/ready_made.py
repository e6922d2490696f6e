"""Calls torch's function."""

SAYS = "your code called"
CHANGES = [
    (
        """    for row, sequence in enumerate(sequences):
        for column, token in enumerate(sequence):
            if not isinstance(token, int):
                raise ValueError(f"sequences: expected integers, got {token!r} in sequence {row}")
            padded[row, column] = token
    return padded""",
        """    rows = [torch.tensor(each, dtype=torch.long) for each in sequences]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=pad_id) if rows else padded""",
    ),
]
