"""Has a norm of its own at the end."""

SAYS = "a norm too many"
CHANGES = [
    (
        "self.dropout = nn.Dropout(dropout)",
        """self.dropout = nn.Dropout(dropout)
        self.norm_3 = LayerNorm(d_model)""",
    ),
]
