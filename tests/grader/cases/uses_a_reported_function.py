"""Uses a function that the configuration reports: full marks, and a flag."""

ANSWERS = {
    "double": """\
def double(x):
    return torch.mul(x, 2) if isinstance(x, torch.Tensor) else 2 * x
""",
}
SCORE = 10.0
STATUS = "graded"
SAYS = "called torch.mul in test test-double"
