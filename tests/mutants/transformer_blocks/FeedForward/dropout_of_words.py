"""Drops whole words."""

SAYS = "whole words are dropped"
CHANGES = [
    (
        "return self.linear_2(self.dropout(hidden))  # (..., d_model)",
        """keep = self.dropout(torch.ones_like(hidden[..., :1]))
        return self.linear_2(hidden * keep)""",
    ),
]
