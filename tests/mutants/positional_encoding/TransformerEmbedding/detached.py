"""Cuts the tokens' embeddings off."""

SAYS = "reaches token.weight"
CHANGES = [
    ("embedded = self.token(tokens)", "embedded = self.token(tokens).detach()"),
]
