"""Bends with a sigmoid."""

SAYS = "the result of a sigmoid"
CHANGES = [
    ('self.activation = F.relu if activation == "relu" else F.gelu', "self.activation = torch.sigmoid"),
]
