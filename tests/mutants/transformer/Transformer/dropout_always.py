"""Drops in evaluation mode too."""

SAYS = "none of the mistakes that we know"
CHANGES = [
    ("x = self.source_embedding(source)", "x = nn.functional.dropout(self.source_embedding(source), 0.1)"),
]
