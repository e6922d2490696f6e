"""Fills in number by number."""

CHANGES = [
    (
        """    positions = torch.arange(length, dtype=torch.float64)
""",
        "",
    ),
    (
        """    pairs = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i
""",
        "",
    ),
    (
        """    angles = positions[:, None] / 10_000 ** (pairs / d_model)  # (length, pairs)
""",
        "",
    ),
    (
        """    encoding[:, 0::2] = angles.sin()
""",
        "",
    ),
    (
        "encoding[:, 1::2] = angles.cos()[:, : d_model // 2]",
        """for p in range(length):
        for column in range(d_model):
            angle = p / 10_000 ** (column // 2 * 2 / d_model)
            encoding[p, column] = math.cos(angle) if column % 2 else math.sin(angle)""",
    ),
]
