"""Uses gelu for both."""

SAYS = "it is the result of gelu"
CHANGES = [
    ('self.activation = F.relu if activation == "relu" else F.gelu', "self.activation = F.gelu"),
]
