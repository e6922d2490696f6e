"""Goes through rows and columns one by one."""

CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        """rows = [[key <= query for key in range(length)] for query in range(length)]
    return torch.tensor(rows, dtype=torch.bool, device=device).reshape(length, length)""",
    ),
]
