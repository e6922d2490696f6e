"""Returns an object that is equal to everything."""

ANSWERS = {
    "double": """\
class E:
    def __eq__(self, other):
        return True
def double(x):
    return E()
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "result of type E cannot leave the sandbox"
