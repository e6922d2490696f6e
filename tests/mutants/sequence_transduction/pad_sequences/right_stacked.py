"""Pads each row with torch.nn.functional.pad and stacks them."""

CHANGES = [
    (
        """    for row, sequence in enumerate(sequences):
        for column, token in enumerate(sequence):
            if not isinstance(token, int):
                raise ValueError(f"sequences: expected integers, got {token!r} in sequence {row}")
            padded[row, column] = token
    return padded""",
        """    for sequence in sequences:
        for token in sequence:
            if not isinstance(token, int):
                raise ValueError("sequences: expected integers")
    rows = [torch.tensor(each, dtype=torch.long) for each in sequences]
    rows = [torch.nn.functional.pad(row, (0, longest - len(row)), value=pad_id) for row in rows]
    return torch.stack(rows) if rows else padded""",
    ),
]
