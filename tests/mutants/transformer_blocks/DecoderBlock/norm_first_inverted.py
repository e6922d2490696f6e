"""Takes norm_first the wrong way round."""

SAYS = "it is the order of norm_first=True"
SAME_AS = "norm_first_always"
CHANGES = [
    ("if self.norm_first:", "if not self.norm_first:"),
]
