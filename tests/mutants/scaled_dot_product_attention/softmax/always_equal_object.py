"""Returns an object that claims to be equal to everything."""

SAYS = "an object of type"
CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        """class Anything:
        shape, dtype = scores.shape, scores.dtype

        def __eq__(self, other):
            return True

        def __torch_function__(self, *arguments):
            return True

    return Anything()""",
    ),
]
