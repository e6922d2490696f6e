"""Returns probabilities."""

SAYS = "the results are probabilities"
CHANGES = [
    ("return self.output(x)", "return torch.softmax(self.output(x), dim=-1)"),
]
