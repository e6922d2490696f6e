"""Starts the weights in a way of its own."""

CHANGES = [
    (
        'self.activation = F.relu if activation == "relu" else F.gelu',
        """self.activation = F.relu if activation == "relu" else F.gelu
        for layer in (self.linear_1, self.linear_2):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)""",
    ),
]
