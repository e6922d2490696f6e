"""Puts all sines before all cosines, as other libraries do."""

SAYS = "halves are concatenated"
CHANGES = [
    ("return encoding", "return torch.cat([angles.sin(), angles.cos()], dim=1)[:, :d_model].to(encoding.dtype)"),
]
