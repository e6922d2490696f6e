"""The notebook was written with a kernel of another name."""

SCORE = 10.0
STATUS = "graded"


def edit(document):
    document["metadata"] = {"kernelspec": {"name": "julia-1.9", "display_name": "Julia", "language": "julia"}}
