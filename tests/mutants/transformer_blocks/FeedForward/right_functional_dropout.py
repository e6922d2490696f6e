"""Calls the function of dropout, with the mode of the module."""

CHANGES = [
    (
        "self.dropout = nn.Dropout(dropout)",
        """nn.Dropout(dropout)
        self.rate = dropout""",
    ),
    ("self.dropout(hidden)", "F.dropout(hidden, self.rate, self.training)"),
]
