"""Lets torch make a tensor of nested lists, which has one dimension when there are none."""

SAYS = "one dimension"
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
    return torch.tensor([each + [pad_id] * (longest - len(each)) for each in sequences], dtype=torch.long)""",
    ),
]
