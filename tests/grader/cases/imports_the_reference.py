"""Imports the library's own solution, which the configuration forbids."""

ANSWERS = {
    "double": """\
def double(x):
    from transformer_course.masking import causal_mask
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "not available while this assignment is graded"
