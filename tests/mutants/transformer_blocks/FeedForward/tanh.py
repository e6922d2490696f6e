"""Bends with tanh."""

SAYS = "the result of tanh"
CHANGES = [
    ('self.activation = F.relu if activation == "relu" else F.gelu', "self.activation = torch.tanh"),
]
