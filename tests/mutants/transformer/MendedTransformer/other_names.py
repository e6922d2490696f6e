"""Gives the layers other names."""

SAYS = "among the parameters there is"
CHANGES = [
    ("self.output = nn.Linear", "self.head = nn.Linear"),
    ("return self.output(x)", "return self.head(x)"),
]
