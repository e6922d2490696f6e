"""Returns more than an answer may hold."""

ANSWERS = {
    "double": """\
def double(x):
    return torch.zeros(300 * 2**20, dtype=torch.uint8)
""",
}
SCORE = 8.0
STATUS = "partial"
SAYS = "larger than allowed"
