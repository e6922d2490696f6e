"""Returns a number of a class of its own, equal to everything."""

ANSWERS = {
    "double": """\
class Number(float):
    def __eq__(self, other):
        return True
def double(x):
    return Number(x)
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "result of type Number cannot leave"
