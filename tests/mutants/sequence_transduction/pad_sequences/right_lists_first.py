"""Makes lists of the same length first, and then the tensor."""

CHANGES = [
    (
        """    for row, sequence in enumerate(sequences):
        for column, token in enumerate(sequence):
            if not isinstance(token, int):
                raise ValueError(f"sequences: expected integers, got {token!r} in sequence {row}")
            padded[row, column] = token
    return padded""",
        """    rows = []
    for sequence in sequences:
        if any(type(token) is not int for token in sequence):
            raise ValueError("sequences: expected integers")
        rows.append(list(sequence) + [pad_id] * (longest - len(sequence)))
    return torch.tensor(rows, dtype=torch.long).reshape(len(rows), longest)""",
    ),
]
