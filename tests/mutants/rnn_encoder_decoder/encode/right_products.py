"""Mixes old and new state with a factor of 0 or 1."""

CHANGES = [
    (
        "hidden = torch.where(real, cell(embedded[:, position], hidden), hidden)",
        """keep = real.to(hidden.dtype)
        hidden = keep * cell(embedded[:, position], hidden) + (1 - keep) * hidden""",
    ),
]
