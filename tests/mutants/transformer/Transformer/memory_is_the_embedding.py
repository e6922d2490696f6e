"""Forgets to read: the decoder gets the embeddings of the source."""

SAYS = "does not hand on what `encode` returns"
CHANGES = [
    ("self.encode(source), source)", "self.source_embedding(source), source)"),
]
