"""Starts the weights in another way."""

CHANGES = [
    (
        "        if tie_weights:",
        """        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
        if tie_weights:""",
    ),
]
