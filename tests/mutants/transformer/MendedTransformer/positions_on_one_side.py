"""Gives positions to the source only."""

SAYS = "the target's tokens are looked up"
SAME_AS = "no_positions_left"
CHANGES = [
    ("x = self.embedding(target)", "x = self.embedding.token(target) * self.output.in_features**0.5"),
]
