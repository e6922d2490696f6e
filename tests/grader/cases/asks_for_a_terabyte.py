"""Asks torch for more memory than there is."""

ANSWERS = {
    "double": """\
def double(x):
    return torch.zeros(2**40)
""",
}
SCORE = 8.0
STATUS = "partial"
SAYS = "allocate memory"
