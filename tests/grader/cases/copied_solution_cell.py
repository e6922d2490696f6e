"""A solution cell was copied to keep the first attempt; the copy at the end is still the stub."""

SCORE = 10.0
STATUS = "graded"
SAYS = "double was there 2 times"


STUB = """\
def double(x):
    # YOUR CODE HERE
    raise NotImplementedError()
"""


def edit(document):
    document["cells"].append({**document["cells"][1], "source": STUB})
