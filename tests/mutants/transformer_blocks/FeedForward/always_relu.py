"""Ignores the argument activation."""

SAYS = "it is the result of relu"
CHANGES = [
    ('self.activation = F.relu if activation == "relu" else F.gelu', "self.activation = F.relu"),
]
