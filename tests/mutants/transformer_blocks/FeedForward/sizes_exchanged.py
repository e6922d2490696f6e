"""Gives nn.Linear the sizes in the order of its weight."""

SAYS = "sizes of linear_1 change places"
CHANGES = [
    (
        """self.linear_1 = nn.Linear(d_model, d_ff)
        self.linear_2 = nn.Linear(d_ff, d_model)""",
        """self.linear_1 = nn.Linear(d_ff, d_model)
        self.linear_2 = nn.Linear(d_model, d_ff)""",
    ),
]
