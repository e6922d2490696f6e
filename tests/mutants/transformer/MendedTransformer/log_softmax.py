"""Returns logarithms of probabilities."""

SAYS = "the results are probabilities"
SAME_AS = "softmax_left"
CHANGES = [
    ("return self.output(x)", "return torch.log_softmax(self.output(x), dim=-1)"),
]
