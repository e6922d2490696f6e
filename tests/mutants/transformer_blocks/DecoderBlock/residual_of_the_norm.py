"""Uses the name x again for the normalised x, before the residual is added."""

SAYS = "the residual starts from the normalised x"
CHANGES = [
    ("y = self.norm_1(x)", "y = x = self.norm_1(x)"),
]
