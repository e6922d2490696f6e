"""Drops in evaluation mode too."""

SAYS = "nothing is dropped in evaluation"
CHANGES = [
    ("self.dropout = nn.Dropout(dropout)", "self.dropout = lambda x: F.dropout(x, dropout)"),
]
