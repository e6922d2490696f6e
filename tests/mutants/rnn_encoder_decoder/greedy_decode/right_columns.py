"""Collects columns in a list."""

CHANGES = [
    (
        "written = torch.cat([written, tokens.unsqueeze(1)], dim=1)  # (batch, one more)",
        """columns = [*written.unbind(1), tokens]
        written = torch.stack(columns, dim=1)""",
    ),
]
