"""Drops in evaluation mode too."""

SAYS = "nothing is dropped in evaluation"
CHANGES = [
    ("self.dropout = nn.Dropout(dropout)", "self.rate = dropout"),
    ("self.dropout(hidden)", "F.dropout(hidden, self.rate)"),
]
