"""Drops whole words."""

SAYS = "whole words are dropped"
CHANGES = [
    (
        "self.dropout = nn.Dropout(dropout)",
        """self.drop = nn.Dropout(dropout)
        self.dropout = lambda x: x * self.drop(torch.ones_like(x[..., :1]))""",
    ),
]
