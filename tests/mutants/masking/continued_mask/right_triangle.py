"""Shifts the diagonals of a triangle."""

CHANGES = [
    ("query = torch.arange(total_length - new_length, total_length)[:, None]", "shift = total_length - new_length"),
    ("key = torch.arange(total_length)", ""),
    ("mask = key <= query", "mask = torch.ones(new_length, total_length, dtype=torch.bool).tril(shift)"),
    ("mask = mask & (query - key < window)", "mask = mask.triu(shift - window + 1)"),
]
