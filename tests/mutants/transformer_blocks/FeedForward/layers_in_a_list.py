"""Keeps the layers in a Python list."""

SAYS = "in a plain list"
CHANGES = [
    ("self.linear_1 = nn.Linear(d_model, d_ff)", "self.layers = [nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)]"),
    (
        """        self.linear_2 = nn.Linear(d_ff, d_model)
""",
        "",
    ),
    ("self.linear_1.in_features:", "self.layers[0].in_features:"),
    ("{self.linear_1.in_features}", "{self.layers[0].in_features}"),
    ("self.linear_1(x)", "self.layers[0](x)"),
    ("self.linear_2(", "self.layers[1]("),
]
